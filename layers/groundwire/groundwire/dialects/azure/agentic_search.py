"""Retrieval: a conversation or intents in, planned searches of all sources at once, and the answer of the version."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from groundwire.dialects.azure.answers.activity import Activity, SearchStep
from groundwire.dialects.azure.answers.reranker_score import relevance_at
from groundwire.dialects.azure.answers.search_answer import ReferencedPassage, audit_fields, search_answer, source_data
from groundwire.dialects.azure.errors import AzureError, from_domain_error, invalid_parameter, not_found
from groundwire.dialects.azure.requests.retrieve_request import (
    DEFAULT_DOCUMENTS,
    DEFAULT_OUTPUT_TOKENS,
    MAX_DOCUMENTS,
    RetrieveRequest,
    SourceParameters,
)
from groundwire.dialects.azure.versions import AGENTS
from groundwire.dialects.shared.quotations import passage_addresses
from groundwire.domain.errors import DomainError, InvalidInput
from groundwire.domain.search.request import ALL_DOCUMENTS, SearchRequest
from groundwire.ports.deadline import time_limit
from groundwire.ports.models import ModelDeployment, QueryPlan

if TYPE_CHECKING:
    from groundwire.dialects.azure.requests.resource_paths import ResourceKind
    from groundwire.dialects.declaration.services import DialectServices
    from groundwire.domain.filters.expression import Filter
    from groundwire.services.call_context import CallContext
    from groundwire.services.search.planning.subqueries import FoundPassage, SubqueryResults
    from groundwire.services.search.results import Passage

_MILLISECONDS: Final = 1000
_FAILED_SOURCE: Final = "The knowledge source does not answer: try again."
_DELETED_SOURCE: Final = "The knowledge source was deleted: an administrator must correct the definition."


class SearchedSource(NamedTuple):
    """An index or knowledge source, and its defaults.

    Attributes:
        data_fields: names of the fields of `sourceData`; None: the usual ones.
        search_fields: names of further fields that filters may name.
        max_documents: of an answer, 1 to 200; None: as many as the subqueries find.
        is_deleted: the definition names it, and it does not exist any more.
    """

    name: str
    collection: str
    data_fields: Sequence[str] | None = None
    threshold: float | None = None
    max_documents: int | None = None
    includes_source_data: bool = False
    includes_references: bool = True
    search_fields: Sequence[str] = ()
    is_deleted: bool = False


class RetrievalTarget(NamedTuple):
    """An agent or a knowledge base.

    Attributes:
        is_defined: an administrator defined it, so that it exists for every key; else it is a collection.
        max_tokens: of the response, unless the request names another number.
        includes_activity: unless the request leaves it out.
        effort: kind of reasoning effort of a request that names none; None: that of its version.
        models: for planning.
    """

    kind: "ResourceKind"
    name: str
    sources: Sequence[SearchedSource]
    is_defined: bool
    max_tokens: int = DEFAULT_OUTPUT_TOKENS
    includes_activity: bool = True
    effort: str | None = None
    models: "Sequence[ModelDeployment]" = ()


class RetrievalResult(NamedTuple):
    """HTTP status and JSON of an answer."""

    status: int
    answer: Mapping[str, Any]


class _SourceSearch(NamedTuple):
    """A source with the parameters that the request has for it."""

    source: SearchedSource
    parameters: SourceParameters

    @property
    def includes_source_data(self) -> bool:
        wanted = self.parameters.includes_source_data
        return self.source.includes_source_data if wanted is None else wanted

    @property
    def includes_references(self) -> bool:
        wanted = self.parameters.includes_references
        return self.source.includes_references if wanted is None else wanted


class Retrieval:
    """Search by the agents and knowledge bases of all versions."""

    def __init__(self, services: "DialectServices") -> None:
        self._services = services

    def __call__(self, call: "CallContext", target: RetrievalTarget, request: RetrieveRequest) -> RetrievalResult:
        """Return the answer to a request.

        Raises:
            AzureError: the request is wrong for the target, the target is unknown, or no source answers.
        """
        try:
            searches = self._searches(call, target, request)
            deleted = _deleted(searches, request)
            searches = [each for each in searches if not each.source.is_deleted]
            plan = self._plan(call, target, request)
            requests = [self._search_request(call, target, plan, search) for search in searches]
            started_at = self._services.reading.clock()
            # The limit covers the searches alone, so that planning does not use up the client's time.
            with time_limit(request.max_seconds):
                found = self._services.reading.subquery_search(call.caller, requests)
            elapsed_ms = max(0, round((self._services.reading.clock() - started_at) * _MILLISECONDS))
            # Passages prove that the collection exists; only an empty answer needs the read.
            if not found.merged:
                self._check_existence(call, target)
            status = HTTPStatus.PARTIAL_CONTENT if deleted else HTTPStatus.OK
            # 206 is greater than 200: one deleted or silent source makes the answer partial.
            status = max(status, _status(found, searches, request))
        except DomainError as error:
            raise from_domain_error(call, error) from error
        address = passage_addresses(self._services.reading.source_links.cite, call.caller)
        passages = _passages(found, searches, request, address)
        activity = Activity(
            request.version,
            [*_steps(found, searches, started_at, elapsed_ms), *_deleted_steps(deleted, plan, started_at)],
            plan.usage,
            request.effort,
            has_reranker=self._services.reading.has_reranker,
        )
        call.audit_fields.update(audit_fields(found, passages))
        max_tokens = request.max_tokens or target.max_tokens
        shows_activity = request.includes_activity and target.includes_activity
        answer = search_answer(activity, passages, max_tokens, includes_activity=shows_activity)
        return RetrievalResult(status, answer)

    def _searches(self, call: "CallContext", target: RetrievalTarget, request: RetrieveRequest) -> list[_SourceSearch]:
        try:
            return _searches(target, request)
        except AzureError:
            self._check_existence(call, target)  # An unknown target has no source.
            raise

    def _plan(self, call: "CallContext", target: RetrievalTarget, request: RetrieveRequest) -> QueryPlan:
        # Intents are the client's own plan and are searched as they are.
        if request.intents:
            return QueryPlan(request.intents, None)
        planner = self._services.reading.query_planners.for_tenant(call.caller.principal.tenant, target.models)
        return planner.plan(request.turns, request.max_subqueries)

    def _search_request(
        self, call: "CallContext", target: RetrievalTarget, plan: QueryPlan, search: _SourceSearch
    ) -> SearchRequest:
        source, parameters = search
        threshold = source.threshold if parameters.threshold is None else parameters.threshold
        request = SearchRequest.for_caller(
            call.caller,
            plan.queries,
            collections=frozenset({source.collection}),
            documents=ALL_DOCUMENTS,
            where=self._filter(call, target, search),
            top_n=parameters.max_documents or source.max_documents or DEFAULT_DOCUMENTS,
            max_top_n=MAX_DOCUMENTS,
        )
        # A threshold, one of 0 too, stands for the floor.
        return request if threshold is None else replace(request, min_relevance=relevance_at(threshold))

    def _filter(self, call: "CallContext", target: RetrievalTarget, search: _SourceSearch) -> "Filter | None":
        text = search.parameters.filter
        if text is None or not text.strip():
            return None
        # Not before: most calls have no filter, and start without its grammar.
        from groundwire.dialects.azure.filter.parser import parse_odata

        known = self._services.reading.readable_fields(call.caller, [search.source.collection])
        try:
            return parse_odata(
                text, known, frozenset((*(search.source.data_fields or ()), *search.source.search_fields))
            )
        except InvalidInput:
            # A field of a collection that does not exist is unknown, too.
            self._check_existence(call, target)
            raise

    def _check_existence(self, call: "CallContext", target: RetrievalTarget) -> None:
        """Raise an error where the target is a collection that does not exist for the caller."""
        names = [source.collection for source in target.sources]
        if not target.is_defined and not self._services.reading.readable_collections.existing(call.caller, names):
            raise not_found(target.kind.title, target.name)


def _searches(target: RetrievalTarget, request: RetrieveRequest) -> list[_SourceSearch]:
    """Return the sources to search, each with its parameters; those that the request does not name have none."""
    known = {source.name: source for source in target.sources}
    if unknown := [each.name for each in request.sources if each.name is not None and each.name not in known]:
        raise invalid_parameter(
            f"The request names {unknown[0][:128]!r}, which is not a source of {target.name[:128]!r}."
        )
    # An entry of 2025-05-01-preview need not name its index: an agent has only one.
    parameters = {each.name or target.sources[0].name: each for each in request.sources if target.sources}
    searches = [_SourceSearch(source, parameters.get(source.name, SourceParameters())) for source in target.sources]
    return [search for search in searches if not search.parameters.is_left_out]


def _deleted(searches: Sequence[_SourceSearch], request: RetrieveRequest) -> list[_SourceSearch]:
    """Return the searches of sources that were deleted meanwhile.

    Raises:
        AzureError: no other source is left, or one that was deleted is needed, or the version has no partial answers.
    """
    deleted = [each for each in searches if each.source.is_deleted]
    is_fatal = len(deleted) == len(searches) or any(each.parameters.is_required for each in deleted)
    # Python clients of the versions with agents raise an error at status 206.
    if deleted and (is_fatal or request.version in AGENTS):
        raise invalid_parameter(f"{deleted[0].source.name}: {_DELETED_SOURCE}")
    return deleted


def _deleted_steps(deleted: Sequence[_SourceSearch], plan: QueryPlan, started_at: float) -> list[SearchStep]:
    return [
        SearchStep(each.source.name, query, each.parameters.filter, 0, started_at, 0, _DELETED_SOURCE)
        for each in deleted
        for query in plan.queries
    ]


def _status(found: "SubqueryResults", searches: Sequence[_SourceSearch], request: RetrieveRequest) -> int:
    """Return 200, or 206 where a source did not answer and others did, which the first versions do not know."""
    failures = {each.source: each.failure for each in found.searches if each.failure is not None}
    if not failures:
        return HTTPStatus.OK
    silent = failures.keys() - {each.source for each in found.searches if each.failure is None}
    is_fatal = len(silent) == len(searches) or any(searches[at].parameters.is_required for at in failures)
    if is_fatal or (silent and request.version in AGENTS):
        raise next(iter(failures.values()))
    return HTTPStatus.OK if request.version in AGENTS else HTTPStatus.PARTIAL_CONTENT


def _steps(
    found: "SubqueryResults", searches: Sequence[_SourceSearch], started_at: float, elapsed_ms: int
) -> list[SearchStep]:
    return [
        SearchStep(
            source=searches[each.source].source.name,
            query=each.query,
            filter=searches[each.source].parameters.filter,
            found=len(each.passages),
            started_at=started_at,
            elapsed_ms=elapsed_ms,
            failure=None if each.failure is None else _FAILED_SOURCE,
        )
        for each in found.searches
    ]


def _passages(
    found: "SubqueryResults",
    searches: Sequence[_SourceSearch],
    request: RetrieveRequest,
    address: "Callable[[Passage], str]",
) -> list[ReferencedPassage]:
    passages = list[ReferencedPassage]()
    for each in _within_limits(found, searches)[: request.max_documents]:
        search = searches[found.searches[each.search].source]
        fields = search.source.data_fields
        data = source_data(each.passage, fields, address) if search.includes_source_data else None
        passages.append(ReferencedPassage(each.passage, each.search, data, search.includes_references))
    return passages


def _within_limits(found: "SubqueryResults", searches: Sequence[_SourceSearch]) -> "list[FoundPassage]":
    """Return the best passages of each source, as many as it may have: its searches find more in steps of fifty."""
    counts = Counter[int]()

    def is_within(each: "FoundPassage") -> bool:
        number = found.searches[each.search].source
        counts[number] += 1
        source, parameters = searches[number]
        return counts[number] <= (parameters.max_documents or source.max_documents or counts[number])

    return list(filter(is_within, found.merged))
