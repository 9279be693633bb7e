"""Collection of training data for the relevance fit: questions with judged passages and their signals."""

from collections.abc import Callable, Iterator
from random import Random
from string import ascii_lowercase
from typing import Final

from groundwire.domain.documents.segment import Segment
from groundwire.domain.errors import InvalidInput, Unavailable
from groundwire.domain.keys.caller import Caller
from groundwire.domain.keys.grants import CollectionGrant
from groundwire.domain.search.relevance import signals_at
from groundwire.domain.search.request import SearchRequest
from groundwire.services.evaluate.measurement import QuestionProgress, question_caller, question_request
from groundwire.services.evaluate.relevance_fit import JudgedPassage, JudgedQuestion, QuestionKind
from groundwire.services.evaluate.test_set import Question, TestSet
from groundwire.services.search import Search

MIN_QUESTIONS: Final = 20
"""Minimum number of questions with an answer, and without one: with fewer, a single question moves the floor far."""
_GIBBERISH_QUESTIONS: Final = 100
"""Number of generated questions without a meaning."""
_ANSWER_PASSAGES: Final = 10
"""Number of passages of an answer."""
JUDGED_DEPTH: Final = 30
"""Number of passages that are retrieved, so that enough remain after the removal of those that answer."""
_SEED: Final = 20_260_101
_KEYBOARD_ROWS: Final = ("qwertyuiop", "asdfghjkl", "zxcvbnm")


class QuestionJudge:
    """Searcher of a test set's questions and of gibberish, which labels each retrieved passage as answering or not."""

    def __init__(self, search: Search) -> None:
        self._search = search

    def __call__(
        self, tenant: str, collections: CollectionGrant, tests: TestSet, progress: QuestionProgress
    ) -> list[JudgedQuestion]:
        """Return the judged passages of each question; an answered question recurs without the passages that answer.

        Raises:
            InvalidInput: there are too few questions with or without an answer.
            Unavailable: a configured model did not answer, so signals would be missing.
        """
        for number, of in ((len(tests.questions), "with"), (len(tests.unanswered), "without")):
            if number < MIN_QUESTIONS:
                raise InvalidInput(
                    f"To fit relevance, judge at least {MIN_QUESTIONS} questions {of} an answer. There are {number}. "
                    "A question without an answer has the line `question-id<tab>-<tab>0` in the judgements."
                )
        classes = [
            *((QuestionKind.ANSWERED, each) for each in tests.questions),
            *((QuestionKind.FOREIGN, each) for each in tests.unanswered),
            *((QuestionKind.GIBBERISH, each) for each in gibberish(_GIBBERISH_QUESTIONS)),
        ]
        judged: list[JudgedQuestion] = []
        for number, (kind, question) in enumerate(classes):
            progress(number, len(classes))
            relevant = {name for name, grade in tests.judgements.get(question.id, {}).items() if grade > 0}
            caller = question_caller(tenant, collections, question)
            request = question_request(caller, question, JUDGED_DEPTH)
            # A default value binds now: a lambda would read the loop variable only when it is called.
            passages = judged_passages(self._search, caller, request, lambda one, ids=relevant: one.doc_id in ids)
            judged += as_questions(kind, question.id, passages)
        progress(len(classes), len(classes))
        return judged


def judged_passages(
    search: Search, caller: Caller, request: SearchRequest, answers: Callable[[Segment], bool]
) -> list[JudgedPassage]:
    """Return the retrieved passages of a question, best first, with their signals and judgements.

    Args:
        search: the search that serves agents.
        caller: caller whose rights apply.
        request: request with one phrase, for `JUDGED_DEPTH` passages.
        answers: predicate whether a passage answers the question.
    """
    trace = search.traced(caller, request)
    # A missing signal would be fitted as a low one.
    if trace.notices:
        raise Unavailable(f"Nothing was measured. {trace.notices[0]}")
    if not trace.ordered:
        return []
    [scores] = trace.scores
    position_by_key = {key: position for position, key in enumerate(scores.keys)}
    position_by_passage = {
        (segment.uid, segment.version): position_by_key[key] for key, segment in trace.segments.items()
    }
    reranked = trace.rerank_scores or [None] * len(trace.ordered)
    return [
        JudgedPassage(
            signals_at(scores, position_by_passage[passage.segment.uid, passage.segment.version], rerank),
            answers(passage.segment),
        )
        for passage, rerank in zip(trace.ordered, reranked, strict=True)
    ]


def as_questions(kind: QuestionKind, question_id: str, found: list[JudgedPassage]) -> Iterator[JudgedQuestion]:
    """Yield the question; an answered one a second time, as unanswered, without the passages that answer it."""
    yield JudgedQuestion(kind, question_id, tuple(found[:_ANSWER_PASSAGES]))
    if kind is QuestionKind.ANSWERED:
        not_answering = [passage for passage in found if not passage.answers]
        yield JudgedQuestion(QuestionKind.LEFT_OUT, question_id, tuple(not_answering[:_ANSWER_PASSAGES]))


def gibberish(count: int) -> list[Question]:
    """Return meaningless questions of random letters, digits and punctuation, reproducible by a fixed seed."""
    random = Random(_SEED)  # noqa: S311 - a draw, no secret
    texts = [_gibberish_text(random, index) for index in range(count)]
    return [Question(f"gibberish-{index}", text) for index, text in enumerate(texts)]


def _gibberish_text(random: Random, at: int) -> str:
    def word(letters: str, longest: int, shortest: int = 3) -> str:
        return "".join(random.choices(letters, k=random.randint(shortest, longest)))

    words = range(random.randint(1, 9))
    match at % 5:
        case 0:
            return "".join(random.choices(random.choice(_KEYBOARD_ROWS), k=random.randint(6, 30)))
        case 1:
            return " ".join(word("0123456789", 7) + word(ascii_lowercase, 4) for _ in words)
        case 2:
            return " ".join(word("?!#%&*+;:<>~|", 6) for _ in words) + " " + word("bcdfghjklmnpqrstvwxz", 9, 6)
        case _:
            return " ".join(word(ascii_lowercase, 11) for _ in words)
