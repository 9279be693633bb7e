"""The `fetch` tool.

An id names a passage (its `segment_uid`), a document (its `doc_id`), a page of one (`<doc_id>/pages/<number>`), or the
rest of a page from a passage on (`<doc_id>/pages/<number>/from/<passage>`). What comes back is a page of the document's
text, `limits.TEXT_PAGE_SEGMENTS` passages long: all of most documents. Passages for which the answer has no room are
left out, and the last line says which id has them. The id of an image gives its text, and its picture as a block after
the text.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Final, NamedTuple

from groundwire.dialects.openai.results import display_title, json_result
from groundwire.dialects.shared.answer_size import largest_fitting, result_tokens
from groundwire.dialects.shared.images import describe_image, picture_blocks
from groundwire.dialects.shared.quotations import audit_name, cite_page, format_with_boundary, page_quotation
from groundwire.dialects.shared.tool_errors import single_argument, tool_error
from groundwire.domain.documents.record import Document
from groundwire.domain.errors import DomainError
from groundwire.domain.limits import TEXT_PAGE_SEGMENTS
from groundwire.domain.text.timestamps import utc_datetime
from groundwire.services.call_context import CallContext
from groundwire.services.documents.browse import DocumentReader, TextPage, page_number
from groundwire.services.documents.images.reader import ImageReader, ReadImage
from groundwire.services.documents.links.source_links import CiteFunction
from groundwire_mcp.definitions.tool_context import ToolContext
from groundwire_mcp.definitions.tools import ToolError, ToolErrorKind, ToolResult

DOCUMENT_NOT_FOUND: Final = (
    "There is no document of this id, or this user may not read it: use an id that search returned."
)

# The tool has one argument, so that page and place are parts of the id.
_PAGE_ID: Final = re.compile(r"([^/]+)/pages/([1-9][0-9]{0,6})(?:/from/([1-9][0-9]?))?")


class _Found(NamedTuple):
    """Page that an id names.

    Attributes:
        first: passage of the page from which on it is read, from 0.
        named: passage of the page that the id names, from 0; `first` at the most where it names none.
    """

    page: TextPage
    first: int
    named: int = 0


class FetchTool:
    """Handler of `fetch`: returns the text of an id."""

    def __init__(self, reader: DocumentReader, cite: CiteFunction, images: Callable[[], ImageReader]) -> None:
        self._reader = reader
        self._cite = cite
        self._images = images

    def __call__(self, call: CallContext, arguments: Mapping[str, object], _context: ToolContext) -> ToolResult:
        """Return the page or image that the id names, or its passage's page; missing and forbidden are one error."""
        wanted = single_argument(arguments, "id")
        if not isinstance(wanted, str):
            raise ToolError(ToolErrorKind.ARGUMENTS, "id must be a text that search returned.")
        try:
            found = self._find(call, wanted)
        except DomainError as problem:
            raise tool_error(call, "Fetching failed", problem) from problem
        if found is None:
            raise ToolError(ToolErrorKind.ARGUMENTS, DOCUMENT_NOT_FOUND)
        if isinstance(found, ReadImage):
            return self._image_result(call, found)
        call.audit_fields["documents"] = [audit_name(found.page.document)]
        shown, result = self._fitting_answer(call, wanted, found)
        call.audit_fields["segments"] = shown
        return result

    def _find(self, call: CallContext, identifier: str) -> _Found | ReadImage | None:
        if numbered := _PAGE_ID.fullmatch(identifier):
            page = self._reader.page(call.caller, numbered[1], int(numbered[2]))
            first = int(numbered[3] or 1) - 1
            return None if page is None or first > max(0, len(page.segments) - 1) else _Found(page, first)
        # A document may have been given an id that looks like a passage's.
        passage = self._reader.segment(call.caller, identifier)
        if passage is None:
            # Images come second: their reader is opened only where an id is no passage's.
            if image := self._images().read(call.caller, identifier):
                return image
            page = self._reader.page(call.caller, identifier, 1)
            return None if page is None else _Found(page, 0)
        page = self._reader.page(call.caller, passage.document.doc_id, page_number(passage.segment))
        return None if page is None else _Found(page, 0, passage.segment.ordinal % TEXT_PAGE_SEGMENTS)

    def _image_result(self, call: CallContext, found: ReadImage) -> ToolResult:
        image, blocks = found.image, picture_blocks(found)
        call.audit_fields.update(documents=[audit_name(image.document)], segments=0, pictures=len(blocks))
        url = self._cite(image.document, call.caller, image.page, None).url
        members = {
            "id": image.uid,
            "title": display_title(image.document),
            "text": describe_image(found, url),
            "url": url,
            "metadata": _metadata(image.document),
        }
        result = json_result(members)
        return result._replace(content=(*result.content, *blocks))

    def _fitting_answer(self, call: CallContext, wanted: str, found: _Found) -> tuple[int, ToolResult]:
        """Return the number of passages that fit and the result; the passage that the id names is one of them."""
        url = cite_page(self._cite, found.page, call.caller).url

        def fitting(first: int) -> tuple[int, ToolResult]:
            return largest_fitting(
                len(found.page.segments) - first,
                lambda count: (count, _page_result(wanted, url, found.page, first, count)),
                lambda answer: result_tokens(answer[1]),
                call.caller.options.max_tokens,
            )

        answer = fitting(found.first)
        # A page that is cut before the named passage would lack what the id asks for.
        return answer if found.first + answer[0] > found.named else fitting(found.named)


def _page_result(wanted: str, url: str, page: TextPage, first: int, count: int) -> ToolResult:
    """Return the result with `count` passages of a page from `first` on, counted from 0."""
    shown = replace(page, segments=page.segments[first : first + count])
    text = f"{format_with_boundary([page_quotation(shown, url)])}\n\n{_page_note(page, first, first + count)}"
    title = display_title(page.document)
    metadata = _metadata(page.document, page=str(page.number), pages=str(page.page_count))
    return json_result({"id": wanted, "title": title, "text": text, "url": url, "metadata": metadata})


def _page_note(page: TextPage, first: int, end: int) -> str:
    """Return what is shown, and which id has the text before and after it."""
    page_id = f"{page.document.doc_id}/pages/{page.number}"
    notes = [f"Page {page.number} of {page.page_count} of this document."]
    if first:
        notes.append(f"Fetch {page_id} for the passages before these.")
    if more := len(page.segments) - end:
        notes.append(
            f"It is cut: it has no room for {more} of its passages. Fetch {page_id}/from/{end + 1} to read on."
        )
    elif page.number < page.page_count:
        notes.append(f"Fetch {page.document.doc_id}/pages/{page.number + 1} for the next.")
    return " ".join(notes)


def _metadata(document: Document, **place: str) -> dict[str, str]:
    changed = utc_datetime(document.updated_at)
    return {
        "document_id": document.doc_id,
        "file_name": document.source_file_name,
        "file_type": document.source_file_type,
        "collection": document.collection,
        # The output schema allows only texts here.
        "last_modified": "" if changed is None else changed.isoformat(),
        **place,
        "trust": "document",
    }
