"""The `fetch` tool.

An id names a passage (its `segment_uid`), a document (its `doc_id`), or a page of one (`<doc_id>/pages/<number>`). What
comes back is a page of the document's text, `limits.TEXT_PAGE_SEGMENTS` passages long: all of most documents.
"""

import re
from collections.abc import Mapping
from typing import Final

from groundwire.dialects.openai.results import display_title, json_result
from groundwire.dialects.quotations import audit_name, format_with_boundary, page_quotation
from groundwire.dialects.tool_errors import single_argument, tool_error
from groundwire.domain.errors import DomainError
from groundwire.domain.text.timestamps import utc_datetime
from groundwire.protocol.definitions.tool_context import ToolContext
from groundwire.protocol.definitions.tools import ToolError, ToolErrorKind, ToolResult
from groundwire.services.call_context import CallContext
from groundwire.services.documents.browse import DocumentReader, TextPage, page_number
from groundwire.services.documents.source_links import LinkFunction, passage_url

DOCUMENT_NOT_FOUND: Final = (
    "There is no document of this id, or this user may not read it: use an id that search returned."
)

_PAGE_ID: Final = re.compile(r"([^/]+)/pages/([1-9][0-9]{0,6})")


class FetchTool:
    """Handler of `fetch`: returns the text of an id."""

    def __init__(self, reader: DocumentReader, link_to: LinkFunction) -> None:
        self._reader = reader
        self._link_to = link_to

    def __call__(self, call: CallContext, arguments: Mapping[str, object], _context: ToolContext) -> ToolResult:
        """Return the page that the id names, or that holds its passage; missing and forbidden are one error."""
        wanted = single_argument(arguments, "id")
        if not isinstance(wanted, str):
            raise ToolError(ToolErrorKind.ARGUMENTS, "id must be a text that search returned.")
        try:
            page = self._find_page(call, wanted)
        except DomainError as problem:
            raise tool_error(call, "Fetching failed", problem) from problem
        if page is None:
            raise ToolError(ToolErrorKind.ARGUMENTS, DOCUMENT_NOT_FOUND)
        call.audit_fields["documents"] = [audit_name(page.document)]
        call.audit_fields["segments"] = len(page.segments)
        url = passage_url(self._link_to(page.document, call.caller), page.document, page.source_pages[0])
        text = f"{format_with_boundary([page_quotation(page, url)])}\n\n{_page_note(page)}"
        result = {
            "id": wanted,
            "title": display_title(page.document),
            "text": text,
            "url": url,
            "metadata": _metadata(page),
        }
        return json_result(result)

    def _find_page(self, call: CallContext, identifier: str) -> TextPage | None:
        if numbered := _PAGE_ID.fullmatch(identifier):
            return self._reader.page(call.caller, numbered[1], int(numbered[2]))
        # A document may have been given an id that looks like a passage's.
        passage = self._reader.segment(call.caller, identifier)
        if passage is None:
            return self._reader.page(call.caller, identifier, 1)
        return self._reader.page(call.caller, passage.document.doc_id, page_number(passage.segment))


def _page_note(page: TextPage) -> str:
    doc_id, number = page.document.doc_id, page.number
    here = f"Page {number} of {page.page_count} of this document."
    return here if number == page.page_count else f"{here} Fetch {doc_id}/pages/{number + 1} for the next."


def _metadata(page: TextPage) -> dict[str, str]:
    document = page.document
    changed = utc_datetime(document.updated_at)
    return {
        "document_id": document.doc_id,
        "file_name": document.source_file_name,
        "file_type": document.source_file_type,
        "collection": document.collection,
        "last_modified": "" if changed is None else changed.isoformat(),
        "page": str(page.number),
        "pages": str(page.page_count),
        "trust": "document",
    }
