"""Search for contexts: one call of the search service, for REST and MCP alike, and its answer in Google's form."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final, NamedTuple

from groundwire.dialects.shared.answer_size import answer_tokens, text_sums
from groundwire.dialects.shared.quotations import passage_addresses
from groundwire.dialects.vertex.context_request import (
    MAX_CONTEXTS,
    METADATA_FILTER,
    STORE,
    ContextRequest,
    read_context_request,
)
from groundwire.dialects.vertex.errors import (
    from_domain_error,
    invalid_field,
    not_found,
)
from groundwire.dialects.vertex.members import RETRIEVE_CONTEXTS_REQUEST
from groundwire.dialects.vertex.messages import read_message
from groundwire.dialects.vertex.resource_names import PARENT_FORM, ParentName, parse_parent
from groundwire.domain.errors import DomainError, InvalidInput, Unavailable
from groundwire.domain.search.request import SearchMode, SearchRequest
from groundwire.domain.text.token_estimate import tokens_of
from groundwire.domain.text.token_sums import repeated_tokens
from groundwire.services.search.results import LEXICAL_ONLY, Passage, SearchResult

if TYPE_CHECKING:
    from groundwire.dialects.declaration.services import DialectServices
    from groundwire.domain.filters.expression import Filter
    from groundwire.services.call_context import CallContext

_NO_PARENT: Final = f"parent is missing: it has the form {PARENT_FORM}."
_WORDS_ALONE: Final = 0.0
_MEANING_ALONE: Final = 1.0
_FRAME_TOKENS: Final = 120
"""Tokens of a context beside its texts and its address: names of members, ids, pages and the score."""
_BETA_VERSION: Final = "v1beta1"


class _SourcedPassage(NamedTuple):
    """Passage with the address at which the caller opens its source."""

    passage: Passage
    url: str


class ContextSearch:
    """Search for contexts."""

    def __init__(self, services: "DialectServices") -> None:
        self._services = services

    def __call__(
        self, call: "CallContext", members: object, parent: ParentName | None, version: str, *, needs_parent: bool
    ) -> Mapping[str, object]:
        """Return the answer to a request.

        Args:
            call: whose rights apply.
            members: the request as JSON.
            parent: location in the address of the call; None where it names none.
            version: of the API, by which the members of the answer are chosen.
            needs_parent: whether the request must name a location itself.

        Raises:
            GoogleError: the request is wrong, or cannot be answered.
        """
        message = read_message(members, RETRIEVE_CONTEXTS_REQUEST)
        parent = _merged_parent(parent, message.get("parent"), is_needed=needs_parent)
        requested = read_context_request(message, parent)
        try:
            found = self._search(call, requested)
        except DomainError as error:
            raise from_domain_error(call, error) from error
        shown = _fitting(self._sourced(call, found.passages), answer_tokens(call.caller))
        call.audit_fields.update(found.audit_fields([each.passage for each in shown]))
        return _contexts_answer(shown, version)

    def _sourced(self, call: "CallContext", passages: Sequence[Passage]) -> "list[_SourcedPassage]":
        address = passage_addresses(self._services.reading.source_links.cite, call.caller)
        return [_SourcedPassage(each, address(each)) for each in passages]

    def _search(self, call: "CallContext", requested: ContextRequest) -> SearchResult:
        collection = self._collection(call, requested)
        request = SearchRequest.for_caller(
            call.caller,
            [requested.text],
            collections=frozenset({collection}),
            documents=requested.documents,
            where=self._filter(call, requested, collection),
            top_n=requested.top_k,
            max_top_n=MAX_CONTEXTS,
            mode=SearchMode.SEMANTIC if requested.alpha == _MEANING_ALONE else SearchMode.HYBRID,
        )
        request = replace(
            request,
            # A call with a threshold of its own has the floor off, one of 0 too.
            min_relevance=None if requested.max_distance is None else 0.0,
            max_distance=requested.max_distance,
            has_lexical_order=requested.alpha == _WORDS_ALONE,
        )
        found = self._services.reading.joined_search(call.caller, request)
        _check_complete(found)
        # A collection with a passage in the answer exists. Closed, empty and unknown ones cost the same from here on.
        if not found.passages and not self._services.reading.readable_collections.existing(call.caller, [collection]):
            raise not_found(collection if requested.corpus is None else requested.corpus.text)
        return found

    def _collection(self, call: "CallContext", requested: ContextRequest) -> str:
        """Return the collection of the corpus; without a corpus the only one that exists for the caller."""
        if requested.corpus is not None:
            return requested.corpus.collection
        existing = self._services.reading.readable_collections.all(call.caller)
        if len(existing) != 1:
            field = f"{STORE}.rag_resources"
            raise invalid_field(field, f"{field} is missing: name the corpus to read.")
        return existing[0].name

    def _filter(self, call: "CallContext", requested: ContextRequest, collection: str) -> "Filter | None":
        if requested.metadata_filter is None:
            return None
        # Not before: most calls have no filter, and start without its grammar.
        from groundwire.dialects.vertex.filter.parser import parse_cel

        known = self._services.reading.readable_fields(call.caller, [collection])
        try:
            return parse_cel(requested.metadata_filter, known)
        except InvalidInput as error:
            raise invalid_field(METADATA_FILTER, f"{METADATA_FILTER}: {error}") from error


def _merged_parent(parent: ParentName | None, sent: object, *, is_needed: bool) -> ParentName | None:
    """Return the location of the call, from its address or from the request, which may repeat it."""
    if not isinstance(sent, str) or not sent:
        if is_needed:
            raise invalid_field("parent", _NO_PARENT)
        return parent
    named = parse_parent(sent)
    if named is None:
        raise invalid_field("parent", f"parent must have the form {PARENT_FORM}.")
    if parent is not None and parent.location != named.location:
        raise invalid_field("parent", "parent and the address of the call name different locations.")
    return named


def _check_complete(found: SearchResult) -> None:
    """Raise an error where the search left out a part without which the answer would hold other passages.

    A ranker only changes the order. One that is not configured, or does not answer, never stops an answer.
    """
    if LEXICAL_ONLY in (found.degradation or ""):
        raise Unavailable(found.degradation or "")


def _fitting(passages: Sequence[_SourcedPassage], room: int) -> Sequence[_SourcedPassage]:
    """Return the best passages that have room in so many tokens, each whole; the first one at least."""
    for count, each in enumerate(passages):
        room -= _tokens(each)
        if room < 0:
            return passages[: max(1, count)]
    return passages


def _tokens(sourced: _SourcedPassage) -> int:
    """Return the tokens of a context, which holds its text twice."""
    passage = sourced.passage
    text = segment = tokens_of(text_sums(passage))
    if passage.context:
        segment = tokens_of(text_sums(replace(passage, context=())))
    return text + segment + repeated_tokens(sourced.url) + _FRAME_TOKENS


def _contexts_answer(passages: Sequence[_SourcedPassage], version: str) -> dict[str, object]:
    """Return the answer of a version of the API; both lists are there without contexts, too."""
    return {"contexts": {"contexts": [_context(each, version) for each in passages]}}


def _context(sourced: _SourcedPassage, version: str) -> dict[str, object]:
    passage = sourced.passage
    # A rounded score could equal the threshold that the distance is below.
    score = {} if passage.distance is None else {"score": passage.distance}
    return {
        # For one caller, as the answer is; a client that shows it as the source gives its reader something to open.
        "sourceUri": sourced.url,
        "sourceDisplayName": passage.document.source_file_name,
        "text": passage.text,
        "chunk": _chunk(passage, version),
        **score,
    }


def _chunk(passage: Passage, version: str) -> dict[str, object]:
    segment = passage.segment
    chunk: dict[str, object] = {"text": segment.text}
    if segment.page_first is not None:
        last = segment.page_first if segment.page_last is None else segment.page_last
        # Pages count from 1, so that a document without pages has no span rather than one of 0.
        chunk["pageSpan"] = {"firstPage": segment.page_first, "lastPage": last}
    if version == _BETA_VERSION:
        # Google's protocol files have these members in v1beta1 alone.
        chunk |= {"fileId": passage.document.doc_id, "chunkId": segment.uid}
    return chunk
