"""Questions and what they find, as the fit of relevance reads them."""

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
"""Minimum of questions with an answer, and of those without one: of fewer each moves the floor far."""
_GIBBERISH: Final = 100
_PASSAGES: Final = 10
"""Passages of an answer."""
JUDGED_DEPTH: Final = 30
"""Passages that are read, so that enough remain when those that answer are left out."""
_SEED: Final = 20_260_101
_KEYBOARD: Final = ("qwertyuiop", "asdfghjkl", "zxcvbnm")


class QuestionJudge:
    """Judge of the passages that the questions of a test set find, and some of gibberish besides."""

    def __init__(self, search: Search) -> None:
        self._search = search

    def __call__(
        self, tenant: str, collections: CollectionGrant, tests: TestSet, progress: QuestionProgress
    ) -> list[JudgedQuestion]:
        """Return what each question finds; an answered one follows again without the passages that answer.

        Raises:
            InvalidInput: there are too few questions of one class.
            Unavailable: a configured model did not answer, so that signals are missing.
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
            *((QuestionKind.GIBBERISH, each) for each in gibberish(_GIBBERISH)),
        ]
        judged: list[JudgedQuestion] = []
        for number, (kind, question) in enumerate(classes):
            progress(number, len(classes))
            relevant = {name for name, grade in tests.judgements.get(question.id, {}).items() if grade > 0}
            caller = question_caller(tenant, collections, question)
            request = question_request(caller, question, JUDGED_DEPTH)
            # Bound as a default value: a lambda reads the variable of a loop only when it is called.
            found = judged_passages(self._search, caller, request, lambda one, ids=relevant: one.doc_id in ids)
            judged += as_questions(kind, question.id, found)
        progress(len(classes), len(classes))
        return judged


def judged_passages(
    search: Search, caller: Caller, request: SearchRequest, answers: Callable[[Segment], bool]
) -> list[JudgedPassage]:
    """Return the passages that a question finds, best first, with their signals.

    Args:
        search: the search that serves agents.
        caller: its rights apply.
        request: it has one phrase, and `JUDGED_DEPTH` passages.
        answers: tells whether a passage answers.
    """
    trace = search.traced(caller, request)
    # A signal that is missing would be fitted as if it were a low one.
    if trace.notices:
        raise Unavailable(f"Nothing was measured. {trace.notices[0]}")
    if not trace.ordered:
        return []
    [scores] = trace.scores
    places = {key: at for at, key in enumerate(scores.keys)}
    at_row = {(segment.uid, segment.version): places[key] for key, segment in trace.segments.items()}
    reranked = trace.rerank_scores or [None] * len(trace.ordered)
    return [
        JudgedPassage(signals_at(scores, at_row[one.segment.uid, one.segment.version], rerank), answers(one.segment))
        for one, rerank in zip(trace.ordered, reranked, strict=True)
    ]


def as_questions(kind: QuestionKind, question_id: str, found: list[JudgedPassage]) -> Iterator[JudgedQuestion]:
    """Return the question with its answer; an answered one a second time, without the passages that answer."""
    yield JudgedQuestion(kind, question_id, tuple(found[:_PASSAGES]))
    if kind is QuestionKind.ANSWERED:
        rest = [each for each in found if not each.answers]
        yield JudgedQuestion(QuestionKind.LEFT_OUT, question_id, tuple(rest[:_PASSAGES]))


def gibberish(number: int) -> list[Question]:
    """Return questions of letters, keys, digits and signs without a meaning, the same every time."""
    random = Random(_SEED)  # noqa: S311 - a draw, no secret
    found = [_without_meaning(random, at) for at in range(number)]
    return [Question(f"gibberish-{at}", text) for at, text in enumerate(found)]


def _without_meaning(random: Random, at: int) -> str:
    def word(letters: str, longest: int, shortest: int = 3) -> str:
        return "".join(random.choices(letters, k=random.randint(shortest, longest)))

    words = range(random.randint(1, 9))
    match at % 5:
        case 0:
            return "".join(random.choices(random.choice(_KEYBOARD), k=random.randint(6, 30)))
        case 1:
            return " ".join(word("0123456789", 7) + word(ascii_lowercase, 4) for _ in words)
        case 2:
            return " ".join(word("?!#%&*+;:<>~|", 6) for _ in words) + " " + word("bcdfghjklmnpqrstvwxz", 9, 6)
        case _:
            return " ".join(word(ascii_lowercase, 11) for _ in words)
