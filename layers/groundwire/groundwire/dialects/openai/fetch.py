"""The `fetch` tool.

An id names a passage (its `segment_uid`), a document (its `doc_id`), or a page of one (`<doc_id>/pages/<number>`). What
comes back is a page of the document's text, `limits.TEXT_PAGE_SEGMENTS` passages long: all of most documents.
"""

import re
from collections.abc import Mapping
from typing import Final

from groundwire.dialects.faults import fault, only
from groundwire.dialects.openai.answers import answer, title_of
from groundwire.dialects.quoting import framed, named, quotation_of_page
from groundwire.domain.errors import Problem
from groundwire.domain.moments import utc
from groundwire.protocol.tools import FaultKind, ToolFault, ToolResult
from groundwire.protocol.turn import Turn
from groundwire.services.browse import Reading, TextPage, page_with
from groundwire.services.call import Call
from groundwire.services.links import LinkTo

MISSING: Final = "There is no document of this id, or this user may not read it: use an id that search returned."

_PAGE: Final = re.compile(r"([^/]+)/pages/([1-9][0-9]{0,6})")


class FetchTool:
    """An id in, text out."""

    def __init__(self, reading: Reading, link_to: LinkTo) -> None:
        self._reading = reading
        self._link_to = link_to

    def __call__(self, call: Call, arguments: Mapping[str, object], _turn: Turn) -> ToolResult:
        """The page that the id names, or on which its passage stands; missing and forbidden are one fault."""
        wanted = only(arguments, "id")
        if not isinstance(wanted, str):
            raise ToolFault(FaultKind.ARGUMENTS, "id must be a text that search returned.")
        try:
            page = self._page(call, wanted)
        except Problem as problem:
            raise fault(call, "Fetching failed", problem) from problem
        if page is None:
            raise ToolFault(FaultKind.ARGUMENTS, MISSING)
        call.facts["documents"] = [named(page.document)]
        call.facts["segments"] = len(page.segments)
        url = self._link_to(page.document, call.caller)
        text = f"{framed([quotation_of_page(page, url)])}\n\n{_where(page)}"
        told = {"id": wanted, "title": title_of(page.document), "text": text, "url": url, "metadata": _metadata(page)}
        return answer(told)

    def _page(self, call: Call, wanted: str) -> TextPage | None:
        if numbered := _PAGE.fullmatch(wanted):
            return self._reading.page(call.caller, numbered[1], int(numbered[2]))
        # A document may have been given an id that looks like a passage's.
        passage = self._reading.segment(call.caller, wanted)
        if passage is None:
            return self._reading.page(call.caller, wanted, 1)
        return self._reading.page(call.caller, passage.document.doc_id, page_with(passage.segment))


def _where(page: TextPage) -> str:
    doc_id, number = page.document.doc_id, page.number
    here = f"Page {number} of {page.pages} of this document."
    return here if number == page.pages else f"{here} Fetch {doc_id}/pages/{number + 1} for the next."


def _metadata(page: TextPage) -> dict[str, str]:
    document = page.document
    changed = utc(document.updated_at)
    return {
        "document_id": document.doc_id,
        "file_name": document.source_file_name,
        "file_type": document.source_file_type,
        "collection": document.collection,
        "last_modified": "" if changed is None else changed.isoformat(),
        "page": str(page.number),
        "pages": str(page.pages),
        "trust": "document",
    }
