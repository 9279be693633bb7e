"""Test sets as folders: both layouts of judgements, and a line that is wrong is named."""

from dataclasses import replace
from pathlib import Path

import pytest

from groundwire.adapters.local.evaluate.beir_test_sets import TestSetFolder
from groundwire.domain.documents.record import Document
from groundwire.domain.errors import InvalidInput
from groundwire.services.evaluate.test_set import with_document_ids
from tests.support.documents import beir
from tests.support.documents.passages import document


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return beir.write(tmp_path / "set")


def test_questions_without_a_relevant_document_are_left_out(folder: Path) -> None:
    beir.write(folder, judged=[("1", "pumps", 1), ("2", "valves", 0), ("unknown", "pumps", 1)])
    tests = TestSetFolder(folder, None).read()
    assert [question.id for question in tests.questions] == ["1"]
    assert tests.judgements == {"1": {"pumps": 1}}


def test_judgements_are_also_read_from_the_folder_of_beir(folder: Path) -> None:
    (folder / "qrels").mkdir()
    (folder / "qrels.tsv").rename(folder / "qrels" / "test.tsv")
    found = TestSetFolder(folder, None)
    assert len(found.read().questions) == 5
    assert found.qrels == "test.tsv"


@pytest.mark.parametrize("line", ["1\tpumps\t2", "1 pumps 2", "1 0 pumps 2", "1\tQ0\tpumps\t2"])
def test_judgements_have_three_fields_or_four(folder: Path, line: str) -> None:
    (folder / "qrels.tsv").write_text(line + "\n", encoding="utf-8")
    assert TestSetFolder(folder, None).read().judgements == {"1": {"pumps": 2}}


def test_numbers_may_be_names(folder: Path) -> None:
    beir.lines(folder / "queries.jsonl", [{"_id": 1, "text": "pump?"}])
    assert [question.id for question in TestSetFolder(folder, None).read().questions] == ["1"]


@pytest.mark.parametrize(
    ("file", "text", "reported"),
    [
        ("queries.jsonl", '{"_id": "1"}\n', "line 1: `text`"),
        ("queries.jsonl", '{"_id": "1", "text": "x"}\nno json\n', "line 2: the line is not JSON"),
        ("queries.jsonl", "[1]\n", "line 1: every line must be a JSON object"),
        ("queries.jsonl", '{"_id": "1", "text": "x", "tags": "sales"}\n', "`tags` an array"),
        ("queries.jsonl", '{"_id": "1", "text": "x", "tags": ["sales", 7]}\n', "`tags` an array"),
        ("qrels.tsv", "query-id\tcorpus-id\tscore\n1\tpumps\tgood\n", "line 2: the grade"),
        ("qrels.tsv", "1\n", "line 1: a line must have"),
        ("qrels.tsv", "1\tpumps\t0\n", "No question"),
    ],
)
def test_a_line_that_is_wrong_is_named(folder: Path, file: str, text: str, reported: str) -> None:
    (folder / file).write_text(text, encoding="utf-8")
    with pytest.raises(InvalidInput, match=reported):
        TestSetFolder(folder, None).read()


def test_a_file_of_other_bytes_is_refused(folder: Path) -> None:
    (folder / "queries.jsonl").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(InvalidInput, match="not UTF-8"):
        TestSetFolder(folder, None).read()


def test_an_invalid_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="is not a folder"):
        TestSetFolder(tmp_path / "nothing", None)


def test_another_corpus_has_another_digest(folder: Path) -> None:
    before = TestSetFolder(folder, None).corpus_digest()
    assert TestSetFolder(folder, None).corpus_digest() == before
    beir.write(folder, documents=beir.DOCUMENTS[1:])
    assert TestSetFolder(folder, None).corpus_digest() != before


def file(doc_id: str, path: str | None) -> Document:
    return replace(document(), doc_id=doc_id, source_path=path, source_file_name=(path or "upload.txt").split("/")[-1])


FOLDER = [
    file("d1", "/shelf/a/plan.md"),
    file("d2", "/shelf/b/plan.md"),
    file("d3", "/shelf/b/note.md"),
    file("up", None),
]


@pytest.mark.parametrize(
    ("name", "doc_id"),
    [
        ("d1", "d1"),
        ("a/plan.md", "d1"),
        ("/shelf/b/plan.md", "d2"),
        ("note.md", "d3"),
        ("upload.txt", "up"),
    ],
)
def test_a_document_is_named_by_id_file_name_or_the_end_of_its_path(name: str, doc_id: str) -> None:
    assert with_document_ids(FOLDER, {"q": {name: 1}}) == ({"q": {doc_id: 1}}, set())


@pytest.mark.parametrize("name", ["plan.md", "an.md", "nowhere.md", ""])
def test_a_name_of_no_document_or_of_two_is_reported(name: str) -> None:
    assert with_document_ids(FOLDER, {"q": {name: 1}}) == ({"q": {name: 1}}, {name})
