"""Questions of each class, for each collection.

Each collection is asked its own questions, those of the other collections, everyday ones and gibberish. `left out` is
made later: an answered question without the passages that answer it.
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Final, cast

from groundwire.adapters.local.evaluate.beir_test_sets import TestSetFolder
from groundwire.services.evaluate.judged_questions import gibberish
from groundwire.services.evaluate.relevance_fit import QuestionKind
from groundwire.services.evaluate.test_set import Question, doc_id_of

SAMPLES: Final = Path("samples")
FOREIGN_PER_SET: Final = 100
GIBBERISH: Final = 150
_SEED: Final = 20_260_101


@dataclass(frozen=True, slots=True)
class Request:
    """One question of a class.

    Attributes:
        documents: ids of the documents that answer it.
        answer: text that the right passage contains; None: every passage of these documents counts.
    """

    kind: QuestionKind
    question: Question
    documents: frozenset[str] = frozenset()
    answer: str | None = None


def answered(folder: Path, qrels: Path | None) -> list[Request]:
    """The questions of a collection that have an answer in it."""
    tests = TestSetFolder(folder, qrels).read()
    return [
        Request(
            QuestionKind.ANSWERED,
            each,
            frozenset(doc_id_of(name) for name, grade in tests.judgements[each.id].items() if grade > 0),
        )
        for each in tests.questions
    ]


def sample(requested: Sequence[Request], number: int) -> list[Request]:
    """Some of the questions, the same every time."""
    chosen = Random(_SEED).sample(list(requested), min(number, len(requested)))
    return [Request(QuestionKind.FOREIGN, Question(each.question.id, each.question.text)) for each in chosen]


def written(kinds: Sequence[str]) -> Iterator[tuple[str, Question, str, str]]:
    """The questions over the samples of these kinds, with document and answer (empty: none)."""
    for line in (SAMPLES / "relevance" / "queries.jsonl").read_text(encoding="utf-8").splitlines():
        row = cast("dict[str, str]", json.loads(line))
        if row["kind"] in kinds:
            question = Question(row["_id"], row["text"], row["user"], frozenset(row["tags"]))
            yield row["kind"], question, row.get("document", ""), row.get("answer", "")


def demonstrated() -> Iterator[tuple[Question, str, str, bool]]:
    """The sample questions with document and answer, and whether the asker may not read it."""
    for line in (SAMPLES / "questions" / "queries.jsonl").read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        question = Question(row["_id"], row["text"], row["user"], frozenset(row["tags"]))
        yield question, row["document"], row["answer"], row["forbidden"]


def everyday() -> list[Request]:
    """Questions about other subjects than those of every collection here."""
    return [Request(QuestionKind.FOREIGN, Question(each.id, each.text)) for _, each, _, _ in written(["elsewhere"])]


def meaningless() -> list[Request]:
    """Letters, keys and digits without a meaning."""
    return [Request(QuestionKind.GIBBERISH, each) for each in gibberish(GIBBERISH)]
