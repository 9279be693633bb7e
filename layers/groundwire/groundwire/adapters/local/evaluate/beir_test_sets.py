"""Test sets as folders in the layout of BEIR: `corpus.jsonl`, `queries.jsonl`, and judgements in `qrels.tsv`.

A judgement is a line of question, document and grade, separated by tabs or blanks. A line of four fields, as in TREC,
has an unused field after the question. Questions may name their `user` and `tags`.
"""

import hashlib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from groundwire.adapters.local.evaluate.json_lines import (
    json_objects,
    text_field,
    text_lines,
    translate_read_errors,
    user_and_tags,
)
from groundwire.domain.errors import InvalidInput
from groundwire.services.evaluate.test_set import CorpusDocument, Question, TestSet

_CORPUS: Final = "corpus.jsonl"
_QUERIES: Final = "queries.jsonl"
_QRELS: Final = ("qrels.tsv", "qrels/test.tsv")
_QRELS_FIELD_COUNTS: Final = (3, 4)
_READ_BYTES: Final = 1 << 20


class TestSetFolder:
    """Folder of one test set; raises InvalidInput, with file and line, for a wrong layout."""

    __test__ = False  # Not a test class of pytest's.

    def __init__(self, folder: Path, qrels: Path | None) -> None:
        if not folder.is_dir():
            raise InvalidInput(f"{folder} is not a folder: give a folder with {_QUERIES} and {_QRELS[0]}.")
        self._folder = folder
        self._qrels = qrels or next((folder / name for name in _QRELS if (folder / name).is_file()), folder / _QRELS[0])

    @property
    def name(self) -> str:
        """Name of the test set: that of its folder."""
        return self._folder.resolve().name

    @property
    def has_corpus(self) -> bool:
        """Return whether the folder includes the documents."""
        return (self._folder / _CORPUS).is_file()

    def read(self) -> TestSet:
        """Return the questions that have a relevant document, and those judged to have none, in the file's order."""
        judgements = self._judgements()
        answerable = {name for name, judged in judgements.items() if any(grade > 0 for grade in judged.values())}
        judged = [question for question in self._questions() if question.id in judgements]
        questions = tuple(question for question in judged if question.id in answerable)
        if not questions:
            raise InvalidInput(f"No question of {self._folder / _QUERIES} has a relevant document in {self._qrels}.")
        chosen = {question.id: judgements[question.id] for question in questions}
        unanswered = tuple(question for question in judged if question.id not in answerable)
        return TestSet(self.name, questions, chosen, unanswered)

    @property
    def qrels(self) -> str:
        """File name of the judgements."""
        return self._qrels.name

    def corpus(self) -> Iterator[CorpusDocument]:
        """Yield the documents, one by one."""
        path = self._folder / _CORPUS
        for location, fields in json_objects(path):
            name, text = _text(location, fields, "_id"), _text(location, fields, "text")
            yield CorpusDocument(name, _text(location, {"title": "", **fields}, "title").strip(), text)

    def corpus_digest(self) -> str:
        """Return the SHA-256 of the documents, in hex."""
        path, digest = self._folder / _CORPUS, hashlib.sha256()
        with translate_read_errors(path), path.open("rb") as file:
            while block := file.read(_READ_BYTES):
                digest.update(block)
        return digest.hexdigest()

    def _questions(self) -> Iterator[Question]:
        for location, fields in json_objects(self._folder / _QUERIES):
            user, tags = user_and_tags(location, fields)
            yield Question(_text(location, fields, "_id"), _text(location, fields, "text"), user, tags)

    def _judgements(self) -> Mapping[str, Mapping[str, int]]:
        found: dict[str, dict[str, int]] = {}
        for number, line in text_lines(self._qrels):
            fields = line.split("\t") if "\t" in line else line.split()
            location = f"{self._qrels}, line {number}"
            if len(fields) not in _QRELS_FIELD_COUNTS:
                raise InvalidInput(f"{location}: a line must have question, document and grade, separated by tabs.")
            if not _is_grade(fields[-1]):
                if number == 1:
                    continue  # The names of the columns.
                raise InvalidInput(f"{location}: the grade must be a whole number, not {fields[-1]!r}.")
            found.setdefault(fields[0], {})[fields[-2]] = int(fields[-1])
        return found


def _text(location: str, fields: Mapping[str, object], name: str) -> str:
    value = fields.get(name)
    # Some sets in this layout have numbers as ids.
    if name == "_id" and isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    return text_field(location, fields, name)


def _is_grade(text: str) -> bool:
    # `int` would take digits of other scripts, too.
    return text.strip().removeprefix("-").isdecimal() and text.isascii()
