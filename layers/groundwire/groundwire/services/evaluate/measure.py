"""Measure: each question is asked as an agent would ask it, and its rankings are held against the judgements."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from groundwire.domain.access import Principal
from groundwire.domain.caller import Caller
from groundwire.domain.errors import Unavailable
from groundwire.domain.grants import CollectionGrant, KeyKind
from groundwire.domain.limits import MAX_TOP_N
from groundwire.domain.metrics import Estimate, Judgements, estimate, ndcg_at, recall_at, reciprocal_rank_at
from groundwire.domain.scopes import Scope
from groundwire.domain.toolsets import DEFAULT_TOOLSET
from groundwire.services.evaluate.questions import Question, TestSet
from groundwire.services.evaluate.rankings import Candidates, candidates, ranked
from groundwire.services.search import Search

TOP: Final = 10
"""Ranks that nDCG and MRR look at."""
DEEP: Final = 100
"""Ranks that recall looks at, and the depth of the lists that reciprocal rank fusion gets."""
_DEEP_PER_SIGNAL: Final = 3 * DEEP
"""Passages that are looked at for recall: enough for `DEEP` documents of several passages each."""


class Method(StrEnum):
    """The rows of a measurement."""

    SEARCH = "search"
    BM25 = "bm25 only"
    VECTOR = "vector only"
    RRF = "rrf k=60"


@dataclass(frozen=True, slots=True)
class Scores:
    """Of one question by one method."""

    ndcg: float
    recall: float
    reciprocal_rank: float


@dataclass(frozen=True, slots=True)
class Asked:
    """One question and what came of it.

    Attributes:
        top: the first `TOP` documents of the search. served: what it fused, as it is served.
    """

    question: Question
    scores: Mapping[Method, Scores]
    top: Sequence[str]
    served: Candidates


@dataclass(frozen=True, slots=True)
class Row:
    """A method's means over all questions."""

    method: Method
    ndcg: Estimate
    recall: Estimate
    mrr: Estimate


Progress = Callable[[int, int], None]
"""Called with questions asked and questions in all."""


class Measure:
    """Asks the questions of a test set through `Search`.

    Args:
        search: the one that agents are answered by.
        deep: the same without a reranker, which would read hundreds of passages for a rank that nobody sees.
    """

    def __init__(self, search: Search, deep: Search) -> None:
        self._search = search
        self._deep = deep

    def __call__(self, tenant: str, collections: CollectionGrant, tests: TestSet, progress: Progress) -> list[Asked]:
        """Every question asked, in their order.

        The search's own nDCG and MRR are of exactly what `rag_search` fuses. Recall, and the other methods, look
        deeper than any agent is served, by the same service.
        """
        found: list[Asked] = []
        for question in tests.questions:
            progress(len(found), len(tests.questions))
            found.append(self._ask(_caller(tenant, collections, question), question, tests.judgements[question.id]))
        progress(len(found), len(tests.questions))
        return found

    def _ask(self, caller: Caller, question: Question, judged: Judgements) -> Asked:
        words = [question.text]
        served = self._search.traced(caller, words, MAX_TOP_N)
        deep = self._deep.traced(caller, words, 2 * _DEEP_PER_SIGNAL, depth=_DEEP_PER_SIGNAL)
        if lacking := (*served.notices, *deep.notices):
            # Numbers of a search with less than is configured would be numbers of another search.
            raise Unavailable(f"Nothing was measured. {lacking[0]}")
        lists = candidates(deep)
        top = ranked(served)
        scores = {
            Method.SEARCH: _scores(top, ranked(deep), judged),
            **{
                method: _scores(ranking, ranking, judged)
                for method, ranking in (
                    (Method.BM25, lists.by_words()),
                    (Method.VECTOR, lists.by_meaning()),
                    (Method.RRF, lists.by_reciprocal_rank(DEEP)),
                )
            },
        }
        return Asked(question, scores, top[:TOP], lists.served(served))


def rows(asked: Sequence[Asked]) -> list[Row]:
    """One row per method, the search's own first."""
    return [
        Row(
            method,
            ndcg=estimate([each.scores[method].ndcg for each in asked]),
            recall=estimate([each.scores[method].recall for each in asked]),
            mrr=estimate([each.scores[method].reciprocal_rank for each in asked]),
        )
        for method in Method
    ]


def _scores(top: Sequence[str], deep: Sequence[str], judged: Judgements) -> Scores:
    return Scores(ndcg_at(TOP, top, judged), recall_at(DEEP, deep, judged), reciprocal_rank_at(TOP, top, judged))


def _caller(tenant: str, collections: CollectionGrant, question: Question) -> Caller:
    principal = Principal(tenant, question.user, question.tags)
    scopes = frozenset({Scope.SEARCH})
    return Caller(principal, "evaluation", KeyKind.ACT_AS, scopes, collections, MAX_TOP_N, DEFAULT_TOOLSET)
