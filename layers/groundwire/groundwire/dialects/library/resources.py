"""Collections, documents and passages as resources: what the current user may read, listed and quoted.

Texts come framed as `rag_search` frames its passages. What leads on to other pages stands outside the frame, where no
document can write.
"""

from collections.abc import Sequence
from typing import Final

from groundwire.dialects.library.uris import CollectionUri, DocumentUri, LibraryUri, PageUri, SegmentUri, parse_uri
from groundwire.dialects.quotations import audit_name, format_passages, format_with_boundary, page_quotation
from groundwire.dialects.tool_errors import tool_error
from groundwire.domain.documents.collection import Collection
from groundwire.domain.documents.ids import MAX_ID_CHARACTERS
from groundwire.domain.documents.record import Document
from groundwire.domain.errors import DomainError
from groundwire.domain.search.quotations import Quotation
from groundwire.domain.text.timestamps import utc_datetime
from groundwire.protocol.definitions.content import Annotations, Resource, ResourceContents
from groundwire.protocol.definitions.resources import ResourcePage
from groundwire.protocol.definitions.tools import ToolError, ToolErrorKind
from groundwire.services.call_context import CallContext
from groundwire.services.documents.browse import (
    CatalogEntry,
    CatalogPage,
    CatalogPosition,
    DocumentCatalog,
    DocumentReader,
    TextPage,
)
from groundwire.services.documents.source_links import LinkFunction
from groundwire.services.search import audited_documents

MIME_TYPE: Final = "text/plain"
"""Of what is served: text taken out of the file, whatever the file is."""


def resource_from_entry(entry: CatalogEntry) -> Resource:
    """The entry of a list."""
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
    """The size is that of the file, as people know it; its text is mostly smaller, and comes in pages."""
    return Resource(
        uri=str(DocumentUri(document.doc_id)),
        name=document.source_file_name,
        title=document.title or document.source_file_name,
        description=f"In the collection {document.collection}.",
        mime_type=MIME_TYPE,
        size=document.size_bytes,
        annotations=_annotations(document),
    )


def _annotations(document: Document) -> Annotations:
    changed = utc_datetime(document.updated_at)
    return Annotations(last_modified=None if changed is None else changed.isoformat())


_MAX_TITLE_CHARACTERS: Final = 200
_POSITION_CHARACTERS: Final = 2 * MAX_ID_CHARACTERS + 16
"""Room for two names: a sealed cursor shows how long it is, and a document that it stands behind may be closed."""


class LibraryResources:
    """Implements `protocol.definitions.resources.ResourceSource`."""

    def __init__(self, catalog: DocumentCatalog, reader: DocumentReader, link_to: LinkFunction) -> None:
        self._catalog = catalog
        self._reader = reader
        self._link_to = link_to

    def page(self, caller: CallContext, start: str | None) -> ResourcePage:
        """Each collection with a document that the caller may read, followed by those documents."""
        place = None if start is None else _decode_position(start)
        try:
            listing = self._catalog.page(caller.caller, place)
        except DomainError as problem:
            raise tool_error(caller, "Listing failed", problem) from problem
        caller.audit_fields["documents"] = [audit_name(document) for document in _listed_documents(listing)]
        resources = tuple(resource_from_entry(entry) for entry in listing.entries)
        return ResourcePage(
            resources, None if listing.next_position is None else _encode_position(listing.next_position)
        )

    def read(self, caller: CallContext, uri: str) -> Sequence[ResourceContents] | None:
        """The text in one part."""
        address = parse_uri(uri)
        if address is None:
            return None
        try:
            text = self._read_text(caller, address)
        except DomainError as problem:
            raise tool_error(caller, "Reading failed", problem) from problem
        return None if text is None else (ResourceContents(uri, text, MIME_TYPE),)

    def _read_text(self, call: CallContext, address: LibraryUri) -> str | None:
        match address:
            case CollectionUri(name):
                return self._collection_text(call, name)
            case DocumentUri(doc_id):
                return self._page_text(call, doc_id, 1)
            case PageUri(doc_id, number):
                return self._page_text(call, doc_id, number)
            case SegmentUri(uid):
                return self._passage_text(call, uid)

    def _collection_text(self, call: CallContext, name: str) -> str | None:
        listing = self._catalog.first_page_of(call.caller, name)
        if listing is None:
            return None
        documents = _listed_documents(listing)
        call.audit_fields["documents"] = [audit_name(document) for document in documents]
        uri = str(CollectionUri(name))
        lines = "\n".join(f"{DocumentUri(document.doc_id)}  {_short_title(document)}" for document in documents)
        text = format_with_boundary(
            [Quotation(name, f"Documents of the collection {name}", (), None, None, uri, lines)]
        )
        more = (
            ""
            if listing.next_position is None
            else "\n\nThere may be more documents: resources/list names all of them."
        )
        return text + more

    def _page_text(self, call: CallContext, doc_id: str, number: int) -> str | None:
        page = self._reader.page(call.caller, doc_id, number)
        if page is None:
            return None
        call.audit_fields["documents"] = [audit_name(page.document)]
        call.audit_fields["segments"] = len(page.segments)
        url = self._link_to(page.document, call.caller)
        return f"{format_with_boundary([page_quotation(page, url)])}\n\n{_page_note(page)}"

    def _passage_text(self, call: CallContext, uid: str) -> str | None:
        passage = self._reader.passage_with_context(call.caller, uid)
        if passage is None:
            return None
        call.audit_fields["documents"] = audited_documents([passage])
        call.audit_fields["segments"] = len(passage.context) or 1
        url = self._link_to(passage.document, call.caller)
        whole = f"The whole document: {DocumentUri(passage.document.doc_id)}"
        return f"{format_passages([passage], {passage.document.doc_id: url})}\n\n{whole}"


def _page_note(page: TextPage) -> str:
    """Which part of the document this is, and where it goes on."""
    here = f"Page {page.number} of {page.page_count} of this document."
    if page.number == page.page_count:
        return here
    return f"{here} The next: {PageUri(page.document.doc_id, page.number + 1)}"


def _short_title(document: Document) -> str:
    return " ".join((document.title or document.source_file_name).split())[:_MAX_TITLE_CHARACTERS]


def _listed_documents(listing: CatalogPage) -> list[Document]:
    return [entry for entry in listing.entries if isinstance(entry, Document)]


def _encode_position(list_position: CatalogPosition) -> str:
    position = f"{list_position.collection}/{list_position.after}/{'named' if list_position.is_collection_listed else 'unnamed'}"
    return position.ljust(_POSITION_CHARACTERS)


def _decode_position(position: str) -> CatalogPosition:
    match position.rstrip().split("/"):
        case [collection, after, "named" | "unnamed" as name]:
            return CatalogPosition(collection, after, name == "named")
        case _:
            raise ToolError(ToolErrorKind.ARGUMENTS, "Unknown cursor: ask for the first page without one.")
