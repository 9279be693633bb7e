"""Measure: each question is asked as an agent would ask it, and its rankings are held against the judgements."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from groundwire.domain.access.policy import Principal
from groundwire.domain.access.scopes import Scope
from groundwire.domain.access.toolsets import DEFAULT_TOOLSET
from groundwire.domain.errors import Unavailable
from groundwire.domain.keys.caller import Caller
from groundwire.domain.keys.grants import CollectionGrant, KeyKind
from groundwire.domain.limits import MAX_TOP_N
from groundwire.domain.search.metrics import (
    Estimate,
    Judgements,
    bootstrap_mean,
    ndcg_at,
    recall_at,
    reciprocal_rank_at,
)
from groundwire.services.evaluate.rankings import RankingCandidates, candidates_of, ranked_documents
from groundwire.services.evaluate.test_set import Question, TestSet
from groundwire.services.search import Search

RANK_CUTOFF: Final = 10
"""Ranks that nDCG and MRR look at."""
RECALL_DEPTH: Final = 100
"""Ranks that recall looks at, and the depth of the lists that reciprocal rank fusion gets."""
_CANDIDATES_PER_SIGNAL: Final = 3 * RECALL_DEPTH
"""Passages that are looked at for recall: enough for `DEEP` documents of several passages each."""


class RankingMethod(StrEnum):
    """The rows of a measurement."""

    SEARCH = "search"
    BM25 = "bm25 only"
    VECTOR = "vector only"
    RRF = "rrf k=60"


@dataclass(frozen=True, slots=True)
class QuestionScores:
    """Of one question by one method."""

    ndcg: float
    recall: float
    reciprocal_rank: float


@dataclass(frozen=True, slots=True)
class QuestionResult:
    """One question and what came of it.

    Attributes:
        top_documents: the first `TOP` documents of the search. served_candidates: what it fused, as it is served.
    """

    question: Question
    scores: Mapping[RankingMethod, QuestionScores]
    top_documents: Sequence[str]
    served_candidates: RankingCandidates


@dataclass(frozen=True, slots=True)
class MethodSummary:
    """A method's means over all questions."""

    method: RankingMethod
    ndcg: Estimate
    recall: Estimate
    mrr: Estimate


QuestionProgress = Callable[[int, int], None]
"""Called with questions asked and questions in all."""


class SearchEvaluator:
    """Asks the questions of a test set through `Search`.

    Args:
        search: the one that agents are answered by.
        deep_search: the same without a reranker, which would read hundreds of passages for a rank that nobody sees.
    """

    def __init__(self, search: Search, deep_search: Search) -> None:
        self._search = search
        self._deep_search = deep_search

    def __call__(
        self, tenant: str, collections: CollectionGrant, tests: TestSet, progress: QuestionProgress
    ) -> list[QuestionResult]:
        """Every question asked, in their order.

        The search's own nDCG and MRR are of exactly what `rag_search` fuses. Recall, and the other methods, look
        deeper than any agent is served, by the same service.
        """
        found: list[QuestionResult] = []
        for question in tests.questions:
            progress(len(found), len(tests.questions))
            found.append(
                self._evaluate(_caller(tenant, collections, question), question, tests.judgements[question.id])
            )
        progress(len(found), len(tests.questions))
        return found

    def _evaluate(self, caller: Caller, question: Question, judged: Judgements) -> QuestionResult:
        words = [question.text]
        served = self._search.search_with_trace(caller, words, MAX_TOP_N)
        deep = self._deep_search.search_with_trace(
            caller, words, 2 * _CANDIDATES_PER_SIGNAL, depth=_CANDIDATES_PER_SIGNAL
        )
        if lacking := (*served.notices, *deep.notices):
            # Numbers of a search with less than is configured would be numbers of another search.
            raise Unavailable(f"Nothing was measured. {lacking[0]}")
        lists = candidates_of(deep)
        top = ranked_documents(served)
        scores = {
            RankingMethod.SEARCH: _scores(top, ranked_documents(deep), judged),
            **{
                method: _scores(ranking, ranking, judged)
                for method, ranking in (
                    (RankingMethod.BM25, lists.rank_lexically()),
                    (RankingMethod.VECTOR, lists.rank_semantically()),
                    (RankingMethod.RRF, lists.rank_by_rrf(RECALL_DEPTH)),
                )
            },
        }
        return QuestionResult(question, scores, top[:RANK_CUTOFF], lists.with_served_scores(served))


def summarise(results: Sequence[QuestionResult]) -> list[MethodSummary]:
    """One row per method, the search's own first."""
    return [
        MethodSummary(
            method,
            ndcg=bootstrap_mean([each.scores[method].ndcg for each in results]),
            recall=bootstrap_mean([each.scores[method].recall for each in results]),
            mrr=bootstrap_mean([each.scores[method].reciprocal_rank for each in results]),
        )
        for method in RankingMethod
    ]


def _scores(top: Sequence[str], deep: Sequence[str], judged: Judgements) -> QuestionScores:
    return QuestionScores(
        ndcg_at(RANK_CUTOFF, top, judged),
        recall_at(RECALL_DEPTH, deep, judged),
        reciprocal_rank_at(RANK_CUTOFF, top, judged),
    )


def _caller(tenant: str, collections: CollectionGrant, question: Question) -> Caller:
    principal = Principal(tenant, question.user, question.tags)
    scopes = frozenset({Scope.SEARCH})
    return Caller(principal, "evaluation", KeyKind.ACT_AS, scopes, collections, MAX_TOP_N, DEFAULT_TOOLSET)
