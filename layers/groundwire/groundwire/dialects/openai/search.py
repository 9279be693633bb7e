"""The `search` tool."""

from collections.abc import Mapping, Sequence

from groundwire.dialects.openai.results import display_title, json_result
from groundwire.dialects.shared.quotations import cite_passage, notice_member
from groundwire.dialects.shared.tool_errors import single_argument, tool_error
from groundwire.domain.errors import DomainError
from groundwire.domain.keys.grants import ALL_COLLECTIONS
from groundwire.domain.search.request import ALL_DOCUMENTS, SearchRequest
from groundwire.services.call_context import CallContext
from groundwire.services.documents.browse import page_number
from groundwire.services.documents.links.source_links import CiteFunction
from groundwire.services.search import Passage, SearchFunction
from groundwire_mcp.definitions.tool_context import ToolContext
from groundwire_mcp.definitions.tools import ToolError, ToolErrorKind, ToolResult


class SearchTool:
    """Handler of `search`: returns the pages of text that answer a query, for `fetch`."""

    def __init__(self, search: SearchFunction, cite: CiteFunction) -> None:
        self._search = search
        self._cite = cite

    def __call__(self, call: CallContext, arguments: Mapping[str, object], context: ToolContext) -> ToolResult:
        """Return the best places, each on another page of text, so that no two of them fetch the same."""
        query = _parse_query(single_argument(arguments, "query"))
        request = SearchRequest.for_caller(
            call.caller, [query], collections=ALL_COLLECTIONS, documents=ALL_DOCUMENTS, where=None
        )
        context.report_progress(1, 2, "Searching")
        try:
            found = self._search(call.caller, request)
        except DomainError as problem:
            raise tool_error(call, "Search failed", problem) from problem
        places = _first_passage_per_page(found.passages)
        call.audit_fields.update(found.audit_fields(places))
        context.report_progress(2, 2, f"Places found: {len(places)}")
        return json_result(
            {"results": [self._search_result(call, passage) for passage in places], **notice_member(found)}
        )

    def _search_result(self, call: CallContext, passage: Passage) -> dict[str, object]:
        url = cite_passage(self._cite, passage, call.caller).url
        title, headline = display_title(passage.document), passage.segment.headline
        # The headline often begins with the title, which would then stand there twice.
        named = headline if f"{headline}: ".startswith(f"{title}: ") else f"{title}: {headline}"
        return {"id": passage.segment.uid, "title": named, "url": url}


def _parse_query(value: object) -> str:
    if not isinstance(value, str) or not value.strip():
        raise ToolError(ToolErrorKind.ARGUMENTS, "query must be a text to search for.")
    return value


def _first_passage_per_page(passages: Sequence[Passage]) -> list[Passage]:
    """The first passage of each page, best first."""
    first: dict[tuple[str, int], Passage] = {}
    for passage in passages:
        first.setdefault((passage.document.doc_id, page_number(passage.segment)), passage)
    return list(first.values())
