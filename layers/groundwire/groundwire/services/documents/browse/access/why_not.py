"""Reason why a search of a person does not show a document: the very search is run and its steps are looked at."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING, Final, NamedTuple

from groundwire.domain.documents.indexed_fields import searchable_fields
from groundwire.domain.errors import Forbidden
from groundwire.domain.filters.expression import Filter, matches
from groundwire.domain.keys.caller import Caller
from groundwire.domain.keys.grants import CollectionGrant
from groundwire.domain.search.request import ALL_DOCUMENTS, SearchRequest
from groundwire.services.documents.browse.access.check import AccessExplanation, explain_reading, find_document
from groundwire.services.documents.browse.access.person import caller_of
from groundwire.services.search.relevance import at_least

if TYPE_CHECKING:
    from groundwire.domain.documents.record import Document
    from groundwire.ports import Clock, Documents
    from groundwire.services.documents.browse.access.person import PersonQuery, PersonResolver
    from groundwire.services.documents.browse.access.view import AccessView
    from groundwire.services.search import Passage, Trace

_UNBOUNDED_REQUIRED: Final = (
    "A rank depends on the other documents of the tenant, and this key is bounded: use one without bounds."
)


class SearchOutcome(StrEnum):
    """Step of a search at which a document fell away, in the order of the steps; `SHOWN`: at none."""

    CLOSED = "closed"
    OTHER_COLLECTION = "other_collection"
    FILTERED = "filtered"
    NOT_A_CANDIDATE = "not_a_candidate"
    NEAR_DUPLICATE = "near_duplicate"
    BEYOND_TOP_N = "beyond_top_n"
    BELOW_FLOOR = "below_floor"
    SHOWN = "shown"


class SearchQuestion(NamedTuple):
    """Search of a person, as a question names it.

    Attributes:
        phrases: at least one, the question first.
        collections: those that the call would name, or all.
        top_n: None: that of the key.
    """

    phrases: Sequence[str]
    collections: CollectionGrant
    where: Filter | None
    top_n: int | None
    min_relevance: float | None


@dataclass(frozen=True, slots=True)
class SearchExplanation:
    """Explanation of what became of a document in a search.

    Attributes:
        access: whether the person may read it at all.
        rank: rank of its best passage among those that the person may read, from 1; None where it has none.
        passage: that passage; None where the search found none of the document.
        shown_in_place: for `NEAR_DUPLICATE`, the passage that the answer shows in its place.
    """

    outcome: SearchOutcome
    access: AccessExplanation
    rank: int | None = None
    passage: "Passage | None" = None
    shown_in_place: "Passage | None" = None


TracedSearch = Callable[[Caller, SearchRequest], "Trace"]


class MissingDocument:
    """Explainer of documents that an answer lacks.

    Args:
        load_search: returns the search; a question about a hidden document needs no index.
    """

    def __init__(
        self,
        documents: "Documents",
        resolve: "PersonResolver",
        load_search: Callable[[], TracedSearch],
        clock: "Clock",
    ) -> None:
        self._documents = documents
        self._resolve = resolve
        self._load_search = load_search
        self._clock = clock

    def __call__(
        self, view: "AccessView", query: "PersonQuery", doc_id: str, question: SearchQuestion
    ) -> SearchExplanation:
        """Return what became of a document, by its id or by the uid of one of its passages.

        Raises:
            Forbidden: the view is not of the whole tenant.
            NotFound: there is no such document or key.
            InvalidInput: the user, a tag or the filter is not valid.
            Unavailable: the index or the model does not answer.
        """
        if not view.sees_entries:
            raise Forbidden(_UNBOUNDED_REQUIRED)
        person = self._resolve(view, query)
        document = find_document(self._documents, view, doc_id)
        access = explain_reading(person, document)
        if not access.allowed:
            return SearchExplanation(SearchOutcome.CLOSED, access)
        caller = caller_of(person, self._clock())
        request = SearchRequest.for_caller(
            caller,
            question.phrases,
            collections=question.collections,
            documents=ALL_DOCUMENTS,
            where=question.where,
            top_n=question.top_n,
        )
        request = replace(request, min_relevance=question.min_relevance)
        if not request.includes_collection(document.collection):
            return SearchExplanation(SearchOutcome.OTHER_COLLECTION, access)
        trace = self._load_search()(caller, request)
        return _explain(trace, request, access)


def _explain(trace: "Trace", request: SearchRequest, access: AccessExplanation) -> SearchExplanation:
    document = access.document
    own = [each for each in trace.admitted if each.document.doc_id == document.doc_id]
    if not own:
        is_filtered = request.where is not None and not _may_pass(request.where, document)
        return SearchExplanation(SearchOutcome.FILTERED if is_filtered else SearchOutcome.NOT_A_CANDIDATE, access)
    ranks = {each.segment.uid: rank for rank, each in enumerate(trace.ordered, start=1)}
    uids = {each.segment.uid for each in own}
    shown = next((each for each in trace.answer if each.segment.uid in uids), None)
    if shown is not None:
        return SearchExplanation(SearchOutcome.SHOWN, access, ranks.get(shown.segment.uid), shown)
    best = next((each for each in trace.ordered if each.segment.uid in uids), None)
    if best is None:
        in_place = next((each for each in trace.ordered if uids & {other.segment.uid for other in each.also_in}), None)
        return SearchExplanation(SearchOutcome.NEAR_DUPLICATE, access, None, own[0], in_place)
    # Whatever is below the call's own limit is dropped before the best are counted.
    counted = [each.segment.uid for each in at_least(trace.ordered, request.min_relevance)]
    is_beyond = best.segment.uid in counted[request.top_n :]
    outcome = SearchOutcome.BEYOND_TOP_N if is_beyond else SearchOutcome.BELOW_FLOOR
    return SearchExplanation(outcome, access, ranks[best.segment.uid], best)


def _may_pass(where: Filter, document: "Document") -> bool:
    """Return whether a passage of the document could pass the filter; only the page differs between passages."""
    pages = [None, *range(1, (document.pages or 0) + 1)]
    return any(matches(where, searchable_fields(document, page)) for page in pages)
