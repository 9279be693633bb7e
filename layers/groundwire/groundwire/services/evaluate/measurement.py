"""Measurement of search quality: each question is searched as for an agent, and the rankings are scored."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from groundwire.domain.access.policy import Principal
from groundwire.domain.access.scopes import Scope
from groundwire.domain.errors import Unavailable
from groundwire.domain.keys.caller import Caller
from groundwire.domain.keys.grants import ALL_COLLECTIONS, CollectionGrant, KeyKind
from groundwire.domain.keys.options import USUAL_OPTIONS
from groundwire.domain.limits import MAX_TOP_N
from groundwire.domain.search.metrics import (
    Estimate,
    Judgements,
    bootstrap_mean,
    ndcg_at,
    recall_at,
    reciprocal_rank_at,
)
from groundwire.domain.search.request import ALL_DOCUMENTS, SearchRequest
from groundwire.services.evaluate.rankings import RankingCandidates, candidates_of, ranked_documents
from groundwire.services.evaluate.test_set import Question, TestSet
from groundwire.services.search import Search

RANK_CUTOFF: Final = 10
"""Cutoff of nDCG and MRR."""
RECALL_DEPTH: Final = 100
"""Cutoff of recall, and length of the lists for reciprocal rank fusion."""
_CANDIDATES_PER_SIGNAL: Final = 3 * RECALL_DEPTH
"""Number of passages per signal: enough for `RECALL_DEPTH` documents with several passages each."""


class RankingMethod(StrEnum):
    """Ranking methods: the rows of a measurement."""

    SEARCH = "search"
    BM25 = "bm25 only"
    VECTOR = "vector only"
    RRF = "rrf k=60"


@dataclass(frozen=True, slots=True)
class QuestionScores:
    """Scores of one question with one method."""

    ndcg: float
    recall: float
    reciprocal_rank: float


@dataclass(frozen=True, slots=True)
class QuestionResult:
    """Result of one question.

    Attributes:
        question: the question.
        scores: its scores by ranking method.
        top_documents: the first `RANK_CUTOFF` documents of the search.
        served_candidates: the candidates that a search for an agent fuses.
    """

    question: Question
    scores: Mapping[RankingMethod, QuestionScores]
    top_documents: Sequence[str]
    served_candidates: RankingCandidates


@dataclass(frozen=True, slots=True)
class MethodSummary:
    """Means of a method over all questions."""

    method: RankingMethod
    ndcg: Estimate
    recall: Estimate
    mrr: Estimate


QuestionProgress = Callable[[int, int], None]
"""Callback with the number of finished questions and of all questions."""


class SearchEvaluator:
    """Evaluator that searches the questions of a test set through `Search`.

    Args:
        search: the search that serves agents.
        deep_search: the same search without a reranker, which would score hundreds of passages at irrelevant ranks.
    """

    def __init__(self, search: Search, deep_search: Search) -> None:
        self._search = search
        self._deep_search = deep_search

    def __call__(
        self, tenant: str, collections: CollectionGrant, tests: TestSet, progress: QuestionProgress
    ) -> list[QuestionResult]:
        """Return the results of all questions, in their order.

        nDCG and MRR of the search are measured on exactly what `rag_search` returns. Recall and the other methods use
        the same service with more candidates than agents get.
        """
        results: list[QuestionResult] = []
        for question in tests.questions:
            progress(len(results), len(tests.questions))
            results.append(
                self._evaluate(question_caller(tenant, collections, question), question, tests.judgements[question.id])
            )
        progress(len(results), len(tests.questions))
        return results

    def _evaluate(self, caller: Caller, question: Question, judged: Judgements) -> QuestionResult:
        served = self._search.traced(caller, question_request(caller, question, MAX_TOP_N))
        # The two lists may have no passage in common.
        deep_request = question_request(caller, question, 2 * _CANDIDATES_PER_SIGNAL)
        deep = self._deep_search.traced(caller, deep_request, depth=_CANDIDATES_PER_SIGNAL)
        if notices := (*served.notices, *deep.notices):
            # Without a configured model, the scores would be those of another search.
            raise Unavailable(f"Nothing was measured. {notices[0]}")
        candidates = candidates_of(deep)
        top = ranked_documents(served)
        scores = {
            RankingMethod.SEARCH: _scores(top, ranked_documents(deep), judged),
            **{
                method: _scores(ranking, ranking, judged)
                for method, ranking in (
                    (RankingMethod.BM25, candidates.rank_lexically()),
                    (RankingMethod.VECTOR, candidates.rank_semantically()),
                    (RankingMethod.RRF, candidates.rank_by_rrf(RECALL_DEPTH)),
                )
            },
        }
        return QuestionResult(question, scores, top[:RANK_CUTOFF], candidates.with_served_scores(served))


def summarise(results: Sequence[QuestionResult]) -> list[MethodSummary]:
    """Return one row per method, the search's own first."""
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


def question_request(caller: Caller, question: Question, top_n: int) -> SearchRequest:
    """Return the request of a question; without a floor, since an empty answer would measure no ranking."""
    request = SearchRequest.for_caller(
        caller,
        [question.text],
        collections=ALL_COLLECTIONS,
        documents=ALL_DOCUMENTS,
        where=None,
        top_n=top_n,
        max_top_n=top_n,
    )
    return replace(request, min_relevance=0.0)


def question_caller(tenant: str, collections: CollectionGrant, question: Question) -> Caller:
    """Return the caller that asks a question, with the rights of its user and tags."""
    principal = Principal(tenant, question.user, question.tags)
    scopes = frozenset({Scope.SEARCH})
    options = replace(USUAL_OPTIONS, top_n=MAX_TOP_N)
    return Caller(principal, "evaluation", KeyKind.ACT_AS, scopes, collections, options)
