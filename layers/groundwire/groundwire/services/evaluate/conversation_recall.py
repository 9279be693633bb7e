"""Measurement of recall for conversations: each query plan for the last message is searched and judged."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from groundwire.domain.errors import Unavailable
from groundwire.domain.keys.grants import CollectionGrant
from groundwire.domain.limits import DEFAULT_TOP_N, MAX_PHRASES
from groundwire.domain.search.merging import merge_by_turns
from groundwire.domain.search.metrics import Estimate, bootstrap_mean
from groundwire.ports.models import QueryPlanner
from groundwire.services.evaluate.baselines import all_messages, last_message, last_two_messages
from groundwire.services.evaluate.conversations import Conversation
from groundwire.services.evaluate.measurement import QuestionProgress, question_caller, question_request
from groundwire.services.evaluate.test_set import Question
from groundwire.services.search import Search
from groundwire.services.search.results import Passage

ANSWER_PASSAGES: Final = DEFAULT_TOP_N
"""Number of passages of an answer; their documents count as retrieved."""


class QuerySource(StrEnum):
    """Sources of query plans that are compared: the columns of a measurement."""

    LAST = "last"
    ALL = "all"
    LAST_TWO = "last two"
    REWRITE = "rewrite"
    PLANNER = "planner"


@dataclass(frozen=True, slots=True)
class PlanResult:
    """Result of one query plan for one conversation.

    Attributes:
        queries: the queries that were searched, in this order.
        documents: ids of the documents of the answer's passages, best first.
        recall: share of the relevant documents that are among them.
    """

    queries: tuple[str, ...]
    documents: tuple[str, ...]
    recall: float


@dataclass(frozen=True, slots=True)
class ConversationResult:
    """Results of one conversation, by the source of the queries."""

    conversation: Conversation
    plans: Mapping[QuerySource, PlanResult]


@dataclass(frozen=True, slots=True)
class ClassSummary:
    """Mean recall over the conversations of one class; over all conversations if `kind` is None."""

    kind: str | None
    conversations: int
    recall: Mapping[QuerySource, Estimate]


class ConversationEvaluator:
    """Evaluator that searches conversations through the service that answers agents.

    Args:
        search: the search that serves agents.
        planner: the planner of queries.
    """

    def __init__(self, search: Search, planner: QueryPlanner) -> None:
        self._search = search
        self._planner = planner

    def __call__(
        self,
        tenant: str,
        collections: CollectionGrant,
        conversations: Sequence[Conversation],
        progress: QuestionProgress,
    ) -> list[ConversationResult]:
        """Return the results of all conversations, in their order.

        Raises:
            Unavailable: a configured model did not answer, so the search would differ from the served one.
        """
        results: list[ConversationResult] = []
        for conversation in conversations:
            progress(len(results), len(conversations))
            search = _CachedSearch(self._search, tenant, collections, conversation)
            plans = {source: search.result_of(queries) for source, queries in self._plans(conversation)}
            results.append(ConversationResult(conversation, plans))
        progress(len(results), len(conversations))
        return results

    def _plans(self, conversation: Conversation) -> Iterator[tuple[QuerySource, Sequence[str]]]:
        turns = conversation.turns
        yield QuerySource.LAST, last_message(turns)
        yield QuerySource.ALL, all_messages(turns)
        yield QuerySource.LAST_TWO, last_two_messages(turns)
        yield QuerySource.REWRITE, conversation.rewrite
        yield QuerySource.PLANNER, self._planner.plan(turns, MAX_PHRASES).queries


class _CachedSearch:
    """Search for one conversation with a cache, since several of its plans often have the same query."""

    def __init__(self, search: Search, tenant: str, collections: CollectionGrant, conversation: Conversation) -> None:
        self._search = search
        self._tenant = tenant
        self._collections: CollectionGrant = collections
        self._conversation = conversation
        self._passages: dict[str, Sequence[Passage]] = {}

    def result_of(self, queries: Sequence[str]) -> PlanResult:
        """Return the documents that the queries retrieve, merged by turns (round robin), and their recall."""
        passages = merge_by_turns([self._passages_of(query) for query in queries], ANSWER_PASSAGES, _passage_key)
        # A near-duplicate counts as retrieved, although the answer only names it.
        doc_ids = (each.document.doc_id for passage in passages for each in (passage, *passage.also_in))
        documents = tuple(dict.fromkeys(doc_ids))
        relevant = self._conversation.relevant
        return PlanResult(tuple(queries), documents, len(relevant.intersection(documents)) / len(relevant))

    def _passages_of(self, query: str) -> Sequence[Passage]:
        if query not in self._passages:
            conversation = self._conversation
            question = Question(conversation.id, query, conversation.user, conversation.tags)
            caller = question_caller(self._tenant, self._collections, question)
            trace = self._search.traced(caller, question_request(caller, question, ANSWER_PASSAGES))
            if trace.notices:
                raise Unavailable(f"Nothing was measured. {trace.notices[0]}")
            self._passages[query] = trace.ordered
        return self._passages[query]


def summarise_classes(results: Sequence[ConversationResult]) -> list[ClassSummary]:
    """Return one row per class, in the order of their first conversations, and one of all conversations."""
    kinds = dict.fromkeys(each.conversation.kind for each in results)
    return [
        *(_summary(kind, [each for each in results if each.conversation.kind == kind]) for kind in kinds),
        _summary(None, results),
    ]


def _summary(kind: str | None, results: Sequence[ConversationResult]) -> ClassSummary:
    sources = results[0].plans if results else ()
    recall = {source: bootstrap_mean([each.plans[source].recall for each in results]) for source in sources}
    return ClassSummary(kind, len(results), recall)


def _passage_key(passage: Passage) -> tuple[str, int]:
    # An unchanged passage keeps its uid in the next version, so the uid alone is not enough.
    return passage.segment.uid, passage.segment.version
