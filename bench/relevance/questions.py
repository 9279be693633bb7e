"""Questions of each class, asked of each collection.

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
class Asked:
    """One question of a class.

    Attributes:
        documents: ids of the documents that answer it.
        answer: text that the right passage contains; None: every passage of these documents counts.
    """

    kind: QuestionKind
    question: Question
    documents: frozenset[str] = frozenset()
    answer: str | None = None


def answered(folder: Path, qrels: Path | None) -> list[Asked]:
    """The questions of a collection that have an answer in it."""
    tests = TestSetFolder(folder, qrels).read()
    return [
        Asked(
            QuestionKind.ANSWERED,
            each,
            frozenset(doc_id_of(name) for name, grade in tests.judgements[each.id].items() if grade > 0),
        )
        for each in tests.questions
    ]


def sample(asked: Sequence[Asked], number: int) -> list[Asked]:
    """Some of the questions, the same every time."""
    chosen = Random(_SEED).sample(list(asked), min(number, len(asked)))
    return [Asked(QuestionKind.FOREIGN, Question(each.question.id, each.question.text)) for each in chosen]


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


def everyday() -> list[Asked]:
    """Questions about other subjects than those of every collection here."""
    return [Asked(QuestionKind.FOREIGN, Question(each.id, each.text)) for _, each, _, _ in written(["elsewhere"])]


def meaningless() -> list[Asked]:
    """Letters, keys and digits without a meaning."""
    return [Asked(QuestionKind.GIBBERISH, each) for each in gibberish(GIBBERISH)]
