"""`groundwire eval`: judged questions about a test set's own documents or about an owner's."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from groundwire.adapters.onnx.inference.embedder import OnnxEmbedder
from groundwire.services.search import search
from groundwire.services.search.reranking import Reranked
from groundwire.services.search.results import Passage
from tests.support.documents import beir
from tests.support.entry.command import Command

METHODS = ["search", "bm25 only", "vector only", "rrf k=60"]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return beir.write(tmp_path / "small")


def measured(groundwire: Command, *arguments: str | Path) -> dict[str, Any]:
    return dict(groundwire.json("eval", *map(str, arguments)))


def mean(run: dict[str, Any], metric: str = "ndcg_at_10", method: str = "search") -> float:
    [row] = [row for row in run["rows"] if row["ranked_by"] == method]
    return float(row[metric]["mean"])


def top(run: dict[str, Any]) -> dict[str, str]:
    return {question["id"]: question["top"][0] for question in run["per_question"]}


def test_a_test_set_is_measured_with_its_own_documents(groundwire: Command, folder: Path) -> None:
    run = measured(groundwire, folder)
    assert (run["name"], run["questions"], run["documents"], run["bm25_weight"]) == ("small", 5, 6, 0.4)
    assert [row["ranked_by"] for row in run["rows"]] == METHODS
    assert mean(run) == mean(run, "recall_at_100") == mean(run, "mrr_at_10") == 1.0
    assert top(run)["1"] == "pumps"
    assert top(run)["3"].startswith("x-")


def test_a_person_sees_every_row_with_its_interval(groundwire: Command, folder: Path) -> None:
    shown = groundwire("eval", str(folder)).done().out
    assert "small: 5 questions (qrels.tsv), 6 documents" in shown
    assert all(method in shown for method in METHODS[1:])
    assert "search, BM25 weight 0.4" in shown
    assert "1.0000 (1.000-1.000)" in shown


def test_an_untitled_document_is_searched_by_its_text_alone(groundwire: Command, tmp_path: Path) -> None:
    documents = [("zebra", "", "Bread is baked at four."), ("other", "", "The zebra eats grass.")]
    folder = beir.write(tmp_path / "untitled", documents, [("1", "zebra")], [("1", "other", 1)])
    assert mean(measured(groundwire, folder), "recall_at_100", "bm25 only") == 1.0
    assert mean(measured(groundwire, folder), "mrr_at_10", "bm25 only") == 1.0


def test_the_language_of_a_document_is_detected_as_in_ingestion(groundwire: Command, tmp_path: Path) -> None:
    german = "Die Mitarbeiterinnen und Mitarbeiter der Gesellschaft haben Anspruch auf ihre Häuser am Fluss."
    other = "Die anderen Angestellten der Gesellschaft bekommen im Sommer keine Wohnungen und auch kein Geld."
    folder = beir.write(tmp_path / "german", [("h", "", german), ("o", "", other)], [("1", "Haus")], [("1", "h", 1)])
    assert mean(measured(groundwire, folder), "recall_at_100", "bm25 only") == 1.0


def test_a_second_run_embeds_nothing_but_the_questions(
    groundwire: Command, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kinds: list[str] = []
    embed = OnnxEmbedder.embed

    def counted(embedder: OnnxEmbedder, texts: Any, kind: Any) -> Any:
        kinds.append(kind)
        return embed(embedder, texts, kind)

    monkeypatch.setattr(OnnxEmbedder, "embed", counted)
    first = measured(groundwire, folder)
    assert "passage" in kinds
    kinds.clear()
    assert measured(groundwire, folder) == first
    assert set(kinds) == {"query"}


def test_a_changed_corpus_is_another_corpus(groundwire: Command, folder: Path) -> None:
    measured(groundwire, folder)
    beir.write(folder, documents=beir.DOCUMENTS[1:])
    run = measured(groundwire, folder)
    assert run["documents"] == 5
    assert top(run)["1"] != "pumps"
    assert len(list((groundwire.home / "evals").iterdir())) == 2


def test_indexed_test_sets_are_kept_in_the_named_folder(groundwire: Command, folder: Path, tmp_path: Path) -> None:
    measured(groundwire, folder, "--cache", tmp_path / "kept")
    assert [path.name.startswith("small-") for path in (tmp_path / "kept").iterdir()] == [True]
    assert not (groundwire.home / "evals").exists()


def test_the_questions_go_through_the_service_that_answers_agents(
    groundwire: Command, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An error in the service changes the figures."""

    def reversed_(passages: Sequence[Passage], scores: Sequence[float]) -> Reranked:
        return Reranked(passages[::-1], scores)

    monkeypatch.setattr(search, "Reranked", reversed_)
    assert mean(measured(groundwire, folder)) < 0.6


def test_a_weight_of_one_ranks_by_lexical_score_and_of_zero_by_semantic_score(
    groundwire: Command, folder: Path
) -> None:
    by_keywords = measured(groundwire, folder, "--bm25-weight", "1")
    by_vectors = measured(groundwire, folder, "--bm25-weight", "0")
    assert top(by_keywords)["2"] == top(by_vectors)["2"] == "valves"
    assert mean(by_vectors) == mean(by_vectors, method="vector only") == mean(by_keywords, method="vector only")
    assert mean(by_keywords, method="bm25 only") <= mean(by_keywords)


def test_judgements_may_come_from_another_file(groundwire: Command, folder: Path, tmp_path: Path) -> None:
    other = tmp_path / "dev.tsv"
    other.write_text("2 0 valves 1\n", encoding="utf-8")
    run = measured(groundwire, folder, "--qrels", other)
    assert (run["questions"], run["qrels"]) == (1, "dev.tsv")


def test_two_runs_are_compared_question_by_question(groundwire: Command, folder: Path, tmp_path: Path) -> None:
    earlier = tmp_path / "earlier.json"
    before = measured(groundwire, folder)
    before["per_question"][0]["scores"]["search"]["ndcg_at_10"] = 0.25
    earlier.write_text(json.dumps(before), encoding="utf-8")
    comparison = measured(groundwire, folder, "--compare", earlier)["comparison"]
    assert comparison["questions"] == 5
    assert comparison["change"]["mean"] == pytest.approx(0.15)
    assert [gain["text"] for gain in comparison["gained"]] == ["How much water does the blue pump move?"]
    shown = groundwire("eval", str(folder), "--compare", str(earlier)).done().out
    assert "1 better, 0 worse, 4 equal" in shown
    assert "0.250 -> 1.000  How much water does the blue pump move? (1)" in shown


def test_a_weight_is_proposed_and_nothing_is_changed(groundwire: Command, tmp_path: Path) -> None:
    requested = [(str(number), f"{text} {number}") for number in range(5) for _, text in beir.QUESTIONS[:4]]
    requested = [(f"{at}-{name}", text) for at, (name, text) in enumerate(requested)]
    answers = [name for _, name, grade in beir.JUDGED if grade][:4]
    judged = [(name, answers[at % 4], 1) for at, (name, _) in enumerate(requested)]
    folder = beir.write(tmp_path / "many", questions=requested, judged=judged)
    found = measured(groundwire, folder, "--fit")["fit"]
    assert (found["questions"], found["folds"], found["now"], len(found["chosen"])) == (20, 5, 0.4, 5)
    shown = groundwire("eval", str(folder), "--fit").done().out
    assert "Nothing was changed" in shown
    assert measured(groundwire, folder)["bm25_weight"] == 0.4


def test_too_few_questions_propose_nothing(groundwire: Command, folder: Path) -> None:
    refused = groundwire("eval", str(folder), "--fit")
    assert refused.code == 2
    assert "judge at least 20 questions. There are 5" in refused.line


@pytest.fixture
def owner(groundwire: Command, tmp_path: Path) -> str:
    """A tenant with two documents, one of which only sales may read."""
    tenant = groundwire.tenant("acme")
    for name, policy, text in (
        ("open/valves.md", "public: true", "Valves close by hand."),
        ("sales/prices.md", "any_tags: [sales]", "The pump costs 40 euros."),
    ):
        file = tmp_path / "files" / name
        file.parent.mkdir(parents=True)
        file.write_text(text, encoding="utf-8")
        (file.parent / ".policy.yaml").write_text(f"{policy}\n", encoding="utf-8")
    groundwire.ingest(tenant, tmp_path / "files", "-c", "shelf")
    return tenant


def own(tmp_path: Path, *judged: tuple[str, str, int]) -> Path:
    folder = beir.write(tmp_path / "own", None, (), judged)
    beir.lines(
        folder / "queries.jsonl",
        [
            {"_id": "by sales", "text": "What does the pump cost?", "user": "maria", "tags": ["sales"]},
            {"_id": "by all", "text": "What does the pump cost?"},
            {"_id": "valves", "text": "How are valves closed?"},
        ],
    )
    return folder


def test_an_owners_documents_are_searched_with_the_rights_of_each_question(
    groundwire: Command, owner: str, tmp_path: Path
) -> None:
    folder = own(tmp_path, ("by sales", "sales/prices.md", 1), ("by all", "prices.md", 1), ("valves", "valves.md", 1))
    run = measured(groundwire, folder, "-t", owner, "-c", "shelf")
    found = {each["id"]: each["scores"]["search"]["ndcg_at_10"] for each in run["per_question"]}
    assert found == {"by sales": 1.0, "by all": 0.0, "valves": 1.0}
    assert all(len(each["top"]) == (2 if each["id"] == "by sales" else 1) for each in run["per_question"])
    assert run["bm25_weight"] == 0.4


def test_a_document_that_is_not_there_is_reported_and_counts_as_not_found_and_all_is_recorded(
    groundwire: Command, owner: str, tmp_path: Path
) -> None:
    folder = own(tmp_path, ("valves", "valves.md", 1), ("valves", "hoses.md", 1))
    done = groundwire("eval", str(folder), "-t", owner, "--json").done()
    assert "hoses.md" in done.err
    assert done.json["rows"][0]["recall_at_100"]["mean"] == 0.5
    last = json.loads((groundwire.home / "audit.jsonl").read_text(encoding="utf-8").splitlines()[-1])
    assert (last["action"], last["tenant"], last["questions"]) == ("eval", owner, 1)


@pytest.mark.parametrize(
    ("arguments", "reported"),
    [
        (["-c", "shelf"], "--tenant"),
        (["-t", "acme", "--bm25-weight", "0.5"], "collection set"),
        (["-t", "acme", "--fit"], "--collection"),
        (["-t", "acme", "-c", "nowhere"], "nowhere"),
        (["-t", "nobody"], "nobody"),
        (["-t", "acme", "--qrels", "missing.tsv"], "missing.tsv"),
        (["--compare", "missing.json"], "missing.json"),
        ([], "corpus.jsonl"),
    ],
)
def test_what_cannot_be_measured_is_one_line_that_states_what_to_do(
    groundwire: Command, tmp_path: Path, arguments: list[str], reported: str
) -> None:
    groundwire.tenant("acme")
    refused = groundwire("eval", str(own(tmp_path, ("valves", "valves.md", 1))), *arguments)
    assert refused.code in {1, 2}
    assert reported in refused.line
