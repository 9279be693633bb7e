from collections.abc import Callable
from pathlib import Path
from typing import Any, get_args

import numpy as np
import pytest
from numpy.typing import NDArray

from groundwire.adapters.onnx.inference.sentence_model import SentenceModel, load_sentence_model
from groundwire.adapters.onnx.models.installed_model import InstalledModel
from groundwire.ports import Embedder, ModelId
from groundwire.settings.model_spec import ModelSpec, TokenPooling
from groundwire_model_builder.install.installer import add_model
from tests.support.models.repositories import DIMENSION, Kind, Repo, tables, tokenizer

TEXTS = ["cat", "the price list of the dog.", "dog: mouse", "", "pump pump weight", "query of the cat?", "."] * 7
FLAGS: dict[TokenPooling, str] = {
    "mean": "pooling_mode_mean_tokens",
    "cls": "pooling_mode_cls_token",
    "max": "pooling_mode_max_tokens",
    "last": "pooling_mode_lasttoken",
}
ORACLE: dict[TokenPooling, Callable[[NDArray[np.float32]], NDArray[np.float32]]] = {
    "mean": lambda tokens: tokens.mean(axis=0),
    "cls": lambda tokens: tokens[0],
    "max": lambda tokens: tokens.max(axis=0),
    "last": lambda tokens: tokens[-1],
}


def quiet(_step: str, _part: float) -> None: ...


def installed(tmp_path: Path, repo: Repo, **order: Any) -> InstalledModel:
    folder = repo.write(tmp_path / "repository")
    settings: dict[str, Any] = {"precision": "f32", **order}
    wanted = ModelSpec("tiny", folder, None, **settings)
    return add_model(tmp_path / "models", wanted, quiet)


def loaded(tmp_path: Path, repo: Repo, **order: Any) -> SentenceModel:
    model = installed(tmp_path, repo, **order)
    return load_sentence_model(tmp_path / "models" / model.folder_name, 1)


def vectors(model: Embedder, texts: list[str], kind: Any = "passage") -> NDArray[np.float32]:
    return np.stack([np.frombuffer(vector, "<f4") for vector in model.embed(texts, kind)])


def expected(text: str, pooling: TokenPooling, kind: Kind = "wordpiece", *, types: bool = False) -> Any:
    known = tables()
    words = known["words"][tokenizer(kind).encode(text).ids] + (known["types"][0] if types else 0)
    pooled = ORACLE[pooling](words @ known["mixed"])
    return pooled / np.linalg.norm(pooled)


@pytest.mark.parametrize("pooling", get_args(TokenPooling))
def test_each_text_of_a_batch_is_pooled_as_if_it_were_alone(tmp_path: Path, pooling: TokenPooling) -> None:
    model = loaded(tmp_path, Repo(pooling={FLAGS[pooling]: True}))
    np.testing.assert_allclose(vectors(model, TEXTS), [expected(text, pooling) for text in TEXTS], atol=1e-5)


@pytest.mark.parametrize("kind", get_args(Kind))
def test_tokenizers_of_every_kind_are_read(tmp_path: Path, kind: Kind) -> None:
    model = loaded(tmp_path, Repo(kind=kind, config={"max_position_embeddings": 64}))
    np.testing.assert_allclose(vectors(model, TEXTS), [expected(text, "mean", kind) for text in TEXTS], atol=1e-5)


def test_a_graph_that_reads_token_types_gets_them(tmp_path: Path) -> None:
    model = loaded(tmp_path, Repo(types=True))
    np.testing.assert_allclose(vectors(model, TEXTS), [expected(text, "mean", types=True) for text in TEXTS], atol=1e-5)


def test_a_graph_that_pools_by_itself_is_believed(tmp_path: Path) -> None:
    model = loaded(tmp_path, Repo(output="sentence_embedding", pooling=None, modules=["Transformer", "Dense"]))
    np.testing.assert_allclose(vectors(model, TEXTS), [expected(text, "cls") for text in TEXTS], atol=1e-5)


def test_token_vectors_under_another_name_are_found(tmp_path: Path) -> None:
    model = loaded(tmp_path, Repo(output="token_embeddings"))
    np.testing.assert_allclose(vectors(model, ["cat"])[0], expected("cat", "mean"), atol=1e-5)


@pytest.mark.parametrize(
    "prompts", [{"query": "query: ", "passage": "passage: "}, {"query": "query: ", "document": "passage: "}]
)
def test_the_models_own_prefixes_precede_texts(tmp_path: Path, prompts: dict[str, str]) -> None:
    model = loaded(tmp_path, Repo(prompts={"prompts": prompts}))
    np.testing.assert_allclose(vectors(model, ["cat"], "query")[0], expected("query: cat", "mean"), atol=1e-5)
    np.testing.assert_allclose(vectors(model, ["cat"])[0], expected("passage: cat", "mean"), atol=1e-5)


def test_ordered_prefixes_and_pooling_replace_the_models_own_and_show_in_its_id(tmp_path: Path) -> None:
    repo = Repo(prompts={"prompts": {"query": "list"}})
    plain = installed(tmp_path, repo)
    other = installed(tmp_path, repo, query_prefix="query: ", pooling="cls")
    assert plain.id != other.id
    model = load_sentence_model(tmp_path / "models" / other.folder_name, 1)
    np.testing.assert_allclose(vectors(model, ["cat"], "query")[0], expected("query: cat", "cls"), atol=1e-5)


def test_shortened_vectors_are_the_first_values_at_unit_length(tmp_path: Path) -> None:
    model = loaded(tmp_path, Repo(), dimension=3)
    cut = expected("the dog", "mean")[:3]
    np.testing.assert_allclose(vectors(model, ["the dog"])[0], cut / np.linalg.norm(cut), atol=1e-5)
    assert model.model.dimension == 3


def test_int8_is_close_to_f32(tmp_path: Path) -> None:
    full, small = loaded(tmp_path, Repo()), loaded(tmp_path, Repo(), precision="int8")
    cosines = (vectors(full, TEXTS) * vectors(small, TEXTS)).sum(axis=1)
    assert cosines.min() > 0.97
    assert not np.array_equal(vectors(full, TEXTS), vectors(small, TEXTS))


def test_models_of_two_settings_never_share_an_id(tmp_path: Path) -> None:
    repo = Repo()
    ids = {
        installed(tmp_path, repo, **order).embedding_model_id
        for order in ({}, {"dimension": 4}, {"precision": "int8"}, {"pooling": "cls"})
    }
    assert len(ids) == 4


def test_the_id_names_model_revision_dimension_and_precision(tmp_path: Path) -> None:
    folder = Repo().write(tmp_path / "repository")
    model = add_model(tmp_path / "models", ModelSpec("maker/tiny", folder, "v2", precision="f32", dimension=4), quiet)
    assert model.embedding_model_id == ModelId("maker/tiny@v2/4/f32", 4)


def test_texts_are_cut_at_the_models_window(tmp_path: Path) -> None:
    model = loaded(tmp_path, Repo(max_tokens=6))
    np.testing.assert_allclose(
        vectors(model, ["cat dog cat dog mouse mouse"])[0], expected("cat dog cat dog", "mean"), atol=1e-5
    )


def test_a_text_cannot_forge_a_control_token(tmp_path: Path) -> None:
    model = loaded(tmp_path, Repo())
    assert not np.allclose(vectors(model, ["cat [SEP] dog"])[0], expected("cat [SEP] dog", "mean"))


@pytest.mark.parametrize("text", ["", "\ud800", "\x00", "😀" * 500])
def test_any_text_has_a_unit_vector(tmp_path: Path, text: str) -> None:
    (vector,) = vectors(loaded(tmp_path, Repo()), [text], "query")
    assert np.linalg.norm(vector) == pytest.approx(1, abs=1e-5)
    assert len(vector) == DIMENSION


def test_no_text_is_no_vector(tmp_path: Path) -> None:
    assert loaded(tmp_path, Repo()).embed([], "query") == []
