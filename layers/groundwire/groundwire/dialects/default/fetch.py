"""The `fetch` tool of the `default` dialect.

An id is that of a passage, short or whole, of an image, or of a document. With `page` the answer is that page of the
document's text, `limits.TEXT_PAGE_SEGMENTS` passages long, or as many of them as fit in `max_tokens`. The picture of an
image is bounded in bytes; `max_tokens` counts text.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Final

from groundwire.dialects.shared.answer_size import largest_fitting, result_tokens
from groundwire.dialects.shared.images import describe_image, picture_blocks
from groundwire.dialects.shared.quotations import (
    audit_name,
    cite_page,
    cite_passage,
    format_passages,
    format_with_boundary,
    page_quotation,
)
from groundwire.dialects.shared.tool_errors import read_answer_size, read_integer, tool_error
from groundwire.domain.documents.ids import short_passage_id
from groundwire.domain.documents.record import Document
from groundwire.domain.errors import DomainError
from groundwire.domain.limits import MAX_ANSWER_TOKENS
from groundwire.domain.search.quotations import FRAME_NOTE
from groundwire.services.call_context import CallContext
from groundwire.services.documents.browse import DocumentReader, TextPage, count_pages, page_number
from groundwire.services.documents.images.reader import ImageReader, ReadImage
from groundwire.services.documents.links.source_links import CiteFunction
from groundwire.services.search import Passage, audited_documents
from groundwire_mcp.definitions.content import TextContent
from groundwire_mcp.definitions.tool_context import ToolContext
from groundwire_mcp.definitions.tools import ToolError, ToolErrorKind, ToolResult

NOT_FOUND: Final = (
    "There is no passage or document of this id, or this user may not read it: use an id that rag_search returned."
)
_NAMES: Final = ("id", "page", "max_tokens")


class FetchPassage:
    """Handler of `fetch`: a passage with its neighbours, an image, or a page of a document's text."""

    def __init__(self, reader: DocumentReader, cite: CiteFunction, images: Callable[[], ImageReader]) -> None:
        self._reader = reader
        self._cite = cite
        self._images = images

    def __call__(self, call: CallContext, arguments: Mapping[str, object], _context: ToolContext) -> ToolResult:
        """Return the text of the id; missing and forbidden are one error."""
        identifier, page, max_tokens = _read_arguments(call, arguments)
        try:
            found = self._find(call, identifier, page)
        except DomainError as problem:
            raise tool_error(call, "Fetch failed", problem) from problem
        if found is None:
            raise ToolError(ToolErrorKind.ARGUMENTS, NOT_FOUND)
        if isinstance(found, TextPage):
            return self._page_result(call, found, max_tokens)
        if isinstance(found, ReadImage):
            return self._image_result(call, found)
        result = self._passage_result(call, found)
        # The passage itself is never cut; its neighbours give way.
        if found.context and result_tokens(result) > max_tokens:
            return self._passage_result(call, replace(found, context=()))
        return result

    def _find(self, call: CallContext, identifier: str, page: int | None) -> Passage | TextPage | ReadImage | None:
        if page is None:
            return (
                # Passages come first: a document may have been given an id that looks like one.
                self._reader.passage_with_context(call.caller, identifier)
                or self._images().read(call.caller, identifier)
                or self._reader.page(call.caller, identifier, 1)
            )
        named = self._reader.segment(call.caller, identifier) or self._images().find(call.caller, identifier)
        doc_id = identifier if named is None else named.document.doc_id
        found = self._reader.page(call.caller, doc_id, page)
        # The user may read the document, so that its number of pages is no secret.
        if found is None and (document := self._reader.document(call.caller, doc_id)) is not None:
            raise ToolError(ToolErrorKind.ARGUMENTS, f"page must be from 1 to {count_pages(document)} for this text.")
        return found

    def _passage_result(self, call: CallContext, passage: Passage) -> ToolResult:
        call.audit_fields["documents"] = audited_documents([passage])
        call.audit_fields["segments"] = len(passage.context) or 1
        url = cite_passage(self._cite, passage, call.caller).url
        number, pages = page_number(passage.segment), count_pages(passage.document)
        hint = (
            f"It is on page {number} of {pages} of its document's text. To read that page, fetch the same id with page."
        )
        members = {
            "id": passage.segment.uid,
            "text": passage.text,
            "headings": list(passage.segment.heading_path),
            **_members(passage.document, url, passage.pages),
            "page": number,
            "page_count": pages,
        }
        return _result(f"{format_passages([passage], {passage.document.doc_id: url})}\n\n{hint}", members)

    def _image_result(self, call: CallContext, found: ReadImage) -> ToolResult:
        image, blocks = found.image, picture_blocks(found)
        call.audit_fields.update(documents=[audit_name(image.document)], segments=0, pictures=len(blocks))
        url = self._cite(image.document, call.caller, image.page, None).url
        members: dict[str, object] = {
            "id": image.uid,
            "text": image.text,
            "headings": [],
            **_members(image.document, url, (image.page, image.page)),
            "page_count": count_pages(image.document),
        }
        result = _result(describe_image(found, url), members)
        return result._replace(content=(*result.content, *blocks))

    def _page_result(self, call: CallContext, page: TextPage, max_tokens: int) -> ToolResult:
        url = cite_page(self._cite, page, call.caller).url
        shown, result = largest_fitting(
            len(page.segments),
            lambda count: _page_answer(page, count, url),
            lambda answer: result_tokens(answer[1]),
            max_tokens,
        )
        call.audit_fields["documents"] = [audit_name(page.document)]
        call.audit_fields["segments"] = len(shown.segments)
        return result


def _page_answer(page: TextPage, count: int, url: str) -> tuple[TextPage, ToolResult]:
    """Return the page's first `count` passages, and the result with them."""
    shown = replace(page, segments=page.segments[:count])
    hint = f"Page {page.number} of {page.page_count} of this document's text."
    more = len(page.segments) - len(shown.segments)
    if more:
        # A short id costs a model fewer tokens.
        following = short_passage_id(page.segments[count].uid)
        hint += (
            f" The answer has no room for more of its passages: {more}. Fetch {following} for the next of "
            f"them, or this page with a larger max_tokens, {MAX_ANSWER_TOKENS} at most."
        )
    if page.number < page.page_count:
        hint += f" For the next page, fetch the same id with page {page.number + 1}."
    members: dict[str, object] = {
        "id": page.document.doc_id,
        "text": shown.text,
        "headings": [],
        **_members(page.document, url, shown.source_pages),
        "page": page.number,
        "page_count": page.page_count,
        **({"more": more} if more else {}),
    }
    return shown, _result(f"{format_with_boundary([page_quotation(shown, url)])}\n\n{hint}", members)


def _read_arguments(call: CallContext, arguments: Mapping[str, object]) -> tuple[str, int | None, int]:
    """Return the id, the page, and the tokens that the answer may have."""
    if unknown := sorted(set(arguments) - set(_NAMES)):
        names = ", ".join(_NAMES)
        raise ToolError(ToolErrorKind.ARGUMENTS, f"Unknown argument {unknown[0]!r}: the tool has {names}.")
    identifier = arguments.get("id")
    if not isinstance(identifier, str) or not identifier:
        raise ToolError(ToolErrorKind.ARGUMENTS, "id must be a text that rag_search returned.")
    page = read_integer("page", arguments.get("page"), 1)
    return identifier, page, read_answer_size(call, arguments.get("max_tokens"))


def _members(document: Document, url: str, source_pages: tuple[int | None, int | None]) -> dict[str, object]:
    first, last = source_pages
    return {
        "pages": [] if first is None else [first, first if last is None else last],
        "document_id": document.doc_id,
        "title": document.title or document.source_file_name,
        "file_name": document.source_file_name,
        "url": url,
    }


def _result(text: str, members: Mapping[str, object]) -> ToolResult:
    return ToolResult((TextContent(text),), {"note": FRAME_NOTE, **members})
