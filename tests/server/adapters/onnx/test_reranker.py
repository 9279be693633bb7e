from pathlib import Path
from typing import Any

import pytest

from groundwire.adapters.onnx.inference.reranker import load_reranker
from groundwire.domain.errors import InvalidInput
from groundwire.ports import Reranker
from groundwire.settings.model_spec import ModelSpec
from groundwire_model_builder.install.installer import add_model
from tests.server.adapters.onnx.test_sentence_model import quiet
from tests.support.models.repositories import Repo, cross_encoder


def reranker(tmp_path: Path, labels: int = 1, positive: int = 0, **config: Any) -> Reranker:
    repo = Repo(model=cross_encoder(labels, positive), config={"max_position_embeddings": 16, **config})
    folder = repo.write(tmp_path / "repository")
    model = add_model(tmp_path / "models", ModelSpec("maker/judge", folder, None, "reranker", "f32"), quiet)
    return load_reranker(tmp_path / "models" / model.folder_name, 1)


def test_passages_that_share_more_with_the_question_score_higher_in_their_own_order(tmp_path: Path) -> None:
    judge = reranker(tmp_path)
    assert judge.score("price of the pump", ["dog", "the pump price", "pump", "the list", ""]) == [0, 3, 1, 1, 0]


def test_more_passages_than_a_batch_keep_their_places(tmp_path: Path) -> None:
    passages = ["cat " * (number % 7) + "dog" for number in range(90)]
    assert reranker(tmp_path).score("cat", passages) == [number % 7 for number in range(90)]


def test_no_passage_is_no_score(tmp_path: Path) -> None:
    assert reranker(tmp_path).score("cat", []) == []


def test_a_long_passage_is_cut_and_the_question_stays_whole(tmp_path: Path) -> None:
    judged = reranker(tmp_path).score("cat dog", ["mouse " * 50 + "cat", "cat " * 50])
    assert judged == [0, 11]


def test_a_question_beyond_the_window_leaves_half_of_it_to_the_passage(tmp_path: Path) -> None:
    assert reranker(tmp_path).score("cat " * 500, ["cat " * 500, "dog"]) == [8 * 5, 0]


@pytest.mark.parametrize(
    ("labels", "positive", "names"),
    [
        (2, 1, {"0": "LABEL_0", "1": "LABEL_1"}),
        (2, 0, {"0": "relevant", "1": "irrelevant"}),
        (3, 2, {"0": "contradiction", "1": "neutral", "2": "entailment"}),
    ],
)
def test_the_positive_label_is_found_by_its_name(
    tmp_path: Path, labels: int, positive: int, names: dict[str, str]
) -> None:
    scores = reranker(tmp_path, labels, positive, id2label=names).score("cat dog", ["mouse", "cat", "dog cat"])
    assert scores == sorted(scores)
    assert len(set(scores)) == 3


def test_labels_without_a_meaning_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="red, green"):
        reranker(tmp_path, 2, id2label={"0": "red", "1": "green"})


def test_an_embedding_model_is_no_reranker(tmp_path: Path) -> None:
    folder = Repo(types=True).write(tmp_path / "repository")
    with pytest.raises(InvalidInput, match="no labels of a pair"):
        add_model(tmp_path / "models", ModelSpec("tiny", folder, None, "reranker", "f32"), quiet)


def test_a_reranker_is_no_embedding_model(tmp_path: Path) -> None:
    folder = Repo(model=cross_encoder(1)).write(tmp_path / "repository")
    with pytest.raises(InvalidInput, match=r"neither token vectors nor sentence_embedding.*--reranker"):
        add_model(tmp_path / "models", ModelSpec("judge", folder, None, precision="f32"), quiet)
