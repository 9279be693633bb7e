"""Library resources: readable collections, documents and passages, listed and quoted.

Texts have the same boundary lines as the passages of `rag_search`. Links to further pages are outside of the boundary,
where no document can write.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from groundwire.dialects.library.uris import CollectionUri, DocumentUri, LibraryUri, PageUri, SegmentUri, parse_uri
from groundwire.dialects.shared.answer_size import largest_fitting
from groundwire.dialects.shared.quotations import (
    audit_name,
    cite_page,
    cite_passage,
    format_passages,
    format_with_boundary,
    page_quotation,
)
from groundwire.dialects.shared.tool_errors import tool_error
from groundwire.domain.documents.collection import Collection
from groundwire.domain.documents.ids import MAX_ID_CHARACTERS
from groundwire.domain.documents.record import Document
from groundwire.domain.errors import DomainError
from groundwire.domain.search.quotations import Quotation
from groundwire.domain.text.timestamps import utc_datetime
from groundwire.domain.text.token_estimate import estimate_tokens
from groundwire.services.call_context import CallContext
from groundwire.services.documents.browse import (
    CatalogEntry,
    CatalogPage,
    CatalogPosition,
    DocumentCatalog,
    DocumentReader,
    TextPage,
)
from groundwire.services.documents.links.source_links import CiteFunction
from groundwire.services.search import Passage, audited_documents
from groundwire_mcp.definitions.content import Annotations, Resource, ResourceContents
from groundwire_mcp.definitions.resources import ResourcePage
from groundwire_mcp.definitions.tools import ToolError, ToolErrorKind

MIME_TYPE: Final = "text/plain"
"""Media type of every resource: the text extracted from a file."""


def resource_from_entry(entry: CatalogEntry) -> Resource:
    """Return the resource for a catalog entry."""
    return _collection_resource(entry) if isinstance(entry, Collection) else _document_resource(entry)


def _collection_resource(collection: Collection) -> Resource:
    return Resource(
        uri=str(CollectionUri(collection.name)),
        name=collection.name,
        title=f"Collection {collection.name}",
        description="The documents of this collection that the current user may read.",
        mime_type=MIME_TYPE,
    )


def _document_resource(document: Document) -> Resource:
    """Return the resource of a document, without a size: what is read is its text, in pages, with the links of a call.

    MCP's `size` is that of the content that is read; that of the file would mislead whoever plans with it.
    """
    return Resource(
        uri=str(DocumentUri(document.doc_id)),
        name=document.source_file_name,
        title=document.title or document.source_file_name,
        description=f"In the collection {document.collection}.",
        mime_type=MIME_TYPE,
        annotations=_annotations(document),
    )


def _annotations(document: Document) -> Annotations:
    changed = utc_datetime(document.updated_at)
    return Annotations(last_modified=None if changed is None else changed.isoformat())


_MAX_TITLE_CHARACTERS: Final = 200
_POSITION_CHARACTERS: Final = 2 * MAX_ID_CHARACTERS + 16
"""Length of every position, with room for two names: a sealed cursor's length must not reveal a hidden document."""


class LibraryResources:
    """The readable collections and documents as a `groundwire_mcp.definitions.resources.ResourceSource`."""

    def __init__(self, catalog: DocumentCatalog, reader: DocumentReader, cite: CiteFunction) -> None:
        self._catalog = catalog
        self._reader = reader
        self._cite = cite

    def page(self, caller: CallContext, start: str | None) -> ResourcePage:
        """Return a page of collections with a readable document, each followed by these documents.

        Raises:
            ToolError: the position is invalid, or the registry fails.
        """
        position = None if start is None else _decode_position(start)
        try:
            listing = self._catalog.page(caller.caller, position)
        except DomainError as error:
            raise tool_error(caller, "Listing failed", error) from error
        caller.audit_fields["documents"] = [audit_name(document) for document in _listed_documents(listing)]
        resources = tuple(resource_from_entry(entry) for entry in listing.entries)
        return ResourcePage(
            resources, None if listing.next_position is None else _encode_position(listing.next_position)
        )

    def read(self, caller: CallContext, uri: str, max_tokens: int | None = None) -> Sequence[ResourceContents] | None:
        """Return the resource's text in one part; None if it is missing or not readable.

        Args:
            caller: the call.
            uri: any text.
            max_tokens: tokens of the text at most; None: those of the key.

        Raises:
            ToolError: registry or index fails.
        """
        parsed_uri = parse_uri(uri)
        if parsed_uri is None:
            return None
        try:
            text = self._read_text(
                caller, parsed_uri, caller.caller.options.max_tokens if max_tokens is None else max_tokens
            )
        except DomainError as error:
            raise tool_error(caller, "Reading failed", error) from error
        return None if text is None else (ResourceContents(uri, text, MIME_TYPE),)

    def _read_text(self, call: CallContext, parsed_uri: LibraryUri, max_tokens: int) -> str | None:
        match parsed_uri:
            case CollectionUri(name):
                return self._collection_text(call, name, max_tokens)
            case DocumentUri(doc_id):
                return self._page_text(call, doc_id, 1, max_tokens)
            case PageUri(doc_id, number):
                return self._page_text(call, doc_id, number, max_tokens)
            case SegmentUri(uid):
                return self._passage_text(call, uid, max_tokens)

    def _collection_text(self, call: CallContext, name: str, max_tokens: int) -> str | None:
        listing = self._catalog.first_page_of(call.caller, name)
        if listing is None:
            return None
        documents, ends_here = _listed_documents(listing), listing.next_position is None
        shown, text = largest_fitting(
            len(documents),
            lambda count: (
                count,
                _quoted_list(name, documents[:count], is_complete=ends_here and count >= len(documents)),
            ),
            lambda answer: estimate_tokens(answer[1]),
            max_tokens,
        )
        call.audit_fields["documents"] = [audit_name(document) for document in documents[:shown]]
        return text

    def _page_text(self, call: CallContext, doc_id: str, number: int, max_tokens: int) -> str | None:
        page = self._reader.page(call.caller, doc_id, number)
        if page is None:
            return None
        url = cite_page(self._cite, page, call.caller).url
        shown, text = largest_fitting(
            len(page.segments),
            lambda count: (count, _quoted_page(page, count, url)),
            lambda answer: estimate_tokens(answer[1]),
            max_tokens,
        )
        call.audit_fields["documents"] = [audit_name(page.document)]
        call.audit_fields["segments"] = shown
        return text

    def _passage_text(self, call: CallContext, uid: str, max_tokens: int) -> str | None:
        passage = self._reader.passage_with_context(call.caller, uid)
        if passage is None:
            return None
        url = cite_passage(self._cite, passage, call.caller).url
        text = _quoted_passage(passage, url)
        # The passage itself is never cut; its neighbours give way.
        if passage.context and estimate_tokens(text) > max_tokens:
            passage = replace(passage, context=())
            text = _quoted_passage(passage, url)
        call.audit_fields["documents"] = audited_documents([passage])
        call.audit_fields["segments"] = len(passage.context) or 1
        return text


def _quoted_list(collection: str, documents: Sequence[Document], *, is_complete: bool) -> str:
    uri = str(CollectionUri(collection))
    # Authors of documents write their titles, which are quoted like their texts.
    lines = "\n".join(f"{DocumentUri(document.doc_id)}  {_short_title(document)}" for document in documents)
    title = f"Documents of the collection {collection}"
    text = format_with_boundary([Quotation(collection, collection, title, (), None, None, uri, lines)])
    return text if is_complete else f"{text}\n\nThere may be more documents: resources/list names all of them."


def _quoted_passage(passage: Passage, url: str) -> str:
    document_note = f"The whole document: {DocumentUri(passage.document.doc_id)}"
    return f"{format_passages([passage], {passage.document.doc_id: url})}\n\n{document_note}"


def _quoted_page(page: TextPage, count: int, url: str) -> str:
    """Return the page's first `count` passages, and where the text goes on."""
    shown = replace(page, segments=page.segments[:count])
    note = _page_note(page)
    if count < len(page.segments):
        following = SegmentUri(page.segments[count].uid)
        note += (
            f" The page is cut: it has no room for {len(page.segments) - count} of its passages, from {following} on."
        )
    return f"{format_with_boundary([page_quotation(shown, url)])}\n\n{note}"


def _page_note(page: TextPage) -> str:
    """Return a note on the page's number and the URI of the next page."""
    page_text = f"Page {page.number} of {page.page_count} of this document."
    if page.number == page.page_count:
        return page_text
    return f"{page_text} The next page: {PageUri(page.document.doc_id, page.number + 1)}"


def _short_title(document: Document) -> str:
    return " ".join((document.title or document.source_file_name).split())[:_MAX_TITLE_CHARACTERS]


def _listed_documents(listing: CatalogPage) -> list[Document]:
    return [entry for entry in listing.entries if isinstance(entry, Document)]


def _encode_position(position: CatalogPosition) -> str:
    state = "named" if position.is_collection_listed else "unnamed"
    return f"{position.collection}/{position.after}/{state}".ljust(_POSITION_CHARACTERS)


def _decode_position(position: str) -> CatalogPosition:
    # Names have no slash, so that a position needs no escapes.
    match position.rstrip().split("/"):
        case [collection, after, "named" | "unnamed" as state]:
            return CatalogPosition(collection, after, state == "named")
        case _:
            raise ToolError(ToolErrorKind.ARGUMENTS, "Unknown cursor: request the first page without one.")
