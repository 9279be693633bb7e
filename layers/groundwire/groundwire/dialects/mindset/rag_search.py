"""The `rag_search` tool."""

from collections.abc import Mapping
from typing import cast

from groundwire.dialects.mindset import is_contract_call
from groundwire.dialects.notices import notice_content, notice_member
from groundwire.dialects.quotations import format_passages
from groundwire.dialects.tool_errors import single_argument, tool_error
from groundwire.domain.errors import DomainError
from groundwire.domain.keys.caller import Caller
from groundwire.domain.keys.grants import ALL_COLLECTIONS
from groundwire.domain.limits import MAX_PHRASES
from groundwire.domain.search.request import ALL_DOCUMENTS, SearchRequest
from groundwire.protocol.definitions.content import TextContent
from groundwire.protocol.definitions.tool_context import ToolContext
from groundwire.protocol.definitions.tools import ToolError, ToolErrorKind, ToolResult
from groundwire.services.call_context import CallContext
from groundwire.services.documents.source_links import LinkFunction, passage_url
from groundwire.services.search import Passage, SearchFunction, SearchResult


class RagSearch:
    """Handler of `rag_search`: returns ranked, cited passages."""

    def __init__(self, search: SearchFunction, link_to: LinkFunction) -> None:
        self._search = search
        self._link_to = link_to

    def __call__(self, call: CallContext, arguments: Mapping[str, object], context: ToolContext) -> ToolResult:
        """Return ranked passages for the phrases; without a passage the result is a success with an empty list."""
        ignore_unknown = is_contract_call(call, context)
        phrases = parse_phrases(single_argument(arguments, "search_phrases", ignore_unknown=ignore_unknown))
        caller = call.caller
        context.report_progress(1, 2, "Searching")
        try:
            found = self._search(caller, _search_request(caller, phrases))
        except DomainError as problem:
            raise tool_error(call, "RAG search failed", problem) from problem
        passages = found.passages
        context.report_progress(2, 2, f"Passages found: {len(passages)}")
        call.audit_fields["phrases"] = len(phrases)
        call.audit_fields.update(found.audit_fields(passages))
        urls = {p.document.doc_id: self._link_to(p.document, caller) for p in passages}
        return _search_result(found, urls)


def _search_request(caller: Caller, phrases: list[str]) -> SearchRequest:
    return SearchRequest.for_caller(caller, phrases, collections=ALL_COLLECTIONS, documents=ALL_DOCUMENTS, where=None)


def parse_phrases(value: object) -> list[str]:
    """Return the phrases that hold text.

    Raises:
        ToolError: the value is no array of 1 to 5 texts, or none of them holds text.
    """
    if not isinstance(value, list) or not all(isinstance(item, str) for item in cast("list[object]", value)):
        raise ToolError(ToolErrorKind.ARGUMENTS, "search_phrases must be an array of strings.")
    phrases = cast("list[str]", value)
    if not 1 <= len(phrases) <= MAX_PHRASES:
        raise ToolError(ToolErrorKind.ARGUMENTS, f"search_phrases must hold 1 to {MAX_PHRASES} phrases.")
    kept = [phrase for phrase in phrases if phrase.strip()]
    if not kept:
        raise ToolError(ToolErrorKind.ARGUMENTS, "search_phrases holds no text: give the user's own words.")
    return kept


def _search_result(result: SearchResult, urls: Mapping[str, str]) -> ToolResult:
    """Return the result; the notice is in MCP's members only, as the contract names every other field."""
    passages = result.passages
    segments = [_contract_segment(passage, urls[passage.document.doc_id]) for passage in passages]
    described = [segment | _provenance_fields(passage) for segment, passage in zip(segments, passages, strict=True)]
    structured = {"status": "success", "segments": described, **notice_member(result)}
    content = (*notice_content(result), TextContent(format_passages(passages, urls)))
    return ToolResult(content, structured, {"status": "success", "segments": segments})


def _contract_segment(passage: Passage, url: str) -> dict[str, object]:
    """The seven fields of the contract."""
    segment, document = passage.segment, passage.document
    return {
        "segment_uid": segment.uid,
        "source_file_name": document.source_file_name,
        "source_file_type": document.source_file_type,
        "headline": segment.headline,
        "segment_summary": segment.summary,
        "raw_text": passage.text,
        "source_url": passage_url(url, document, passage.pages[0]),
    }


def _provenance_fields(passage: Passage) -> dict[str, object]:
    page_first, page_last = passage.pages
    return {
        "heading_path": list(passage.segment.heading_path),
        "page_first": page_first,
        "page_last": page_last,
        "also_in": [other.document.source_file_name for other in passage.also_in],
        "trust": "document",
    }
