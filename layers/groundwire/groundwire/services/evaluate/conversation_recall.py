"""Measurement of conversations: recall of what is searched for the last message of each, by several plans."""

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
"""Number of passages of an answer, whose documents count as found."""


class QuerySource(StrEnum):
    """Plans of queries that are measured: the columns of a measurement."""

    LAST = "last"
    ALL = "all"
    LAST_TWO = "last two"
    REWRITE = "rewrite"
    PLANNER = "planner"


@dataclass(frozen=True, slots=True)
class PlanResult:
    """Result of one plan of queries for one conversation.

    Attributes:
        queries: what was searched, in this order. documents: of the answer's passages, best first. recall: share of the
            relevant documents among them.
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
    """Mean recall over the conversations of one class, or over all of them where `kind` is None."""

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
            Unavailable: a configured model did not answer, so that the figures would be those of another search.
        """
        found: list[ConversationResult] = []
        for conversation in conversations:
            progress(len(found), len(conversations))
            search = _CachedSearch(self._search, tenant, collections, conversation)
            plans = {source: search.result_of(queries) for source, queries in self._plans(conversation)}
            found.append(ConversationResult(conversation, plans))
        progress(len(found), len(conversations))
        return found

    def _plans(self, conversation: Conversation) -> Iterator[tuple[QuerySource, Sequence[str]]]:
        turns = conversation.turns
        yield QuerySource.LAST, last_message(turns)
        yield QuerySource.ALL, all_messages(turns)
        yield QuerySource.LAST_TWO, last_two_messages(turns)
        yield QuerySource.REWRITE, conversation.rewrite
        yield QuerySource.PLANNER, self._planner.plan(turns, MAX_PHRASES).queries


class _CachedSearch:
    """Search for one conversation: several of its plans often have the same query."""

    def __init__(self, search: Search, tenant: str, collections: CollectionGrant, conversation: Conversation) -> None:
        self._search = search
        self._tenant = tenant
        self._collections: CollectionGrant = collections
        self._conversation = conversation
        self._passages: dict[str, Sequence[Passage]] = {}

    def result_of(self, queries: Sequence[str]) -> PlanResult:
        """Return the documents that these queries find, merged by turns, and their recall."""
        passages = merge_by_turns([self._found(query) for query in queries], ANSWER_PASSAGES, _identity)
        # A near-duplicate answers as well, although it is only named.
        named = (each.document.doc_id for passage in passages for each in (passage, *passage.also_in))
        documents = tuple(dict.fromkeys(named))
        relevant = self._conversation.relevant
        return PlanResult(tuple(queries), documents, len(relevant.intersection(documents)) / len(relevant))

    def _found(self, query: str) -> Sequence[Passage]:
        if query not in self._passages:
            one = self._conversation
            question = Question(one.id, query, one.user, one.tags)
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


def _identity(passage: Passage) -> tuple[str, int]:
    # An unchanged passage keeps its uid in the next version, so the uid alone is not enough.
    return passage.segment.uid, passage.segment.version
