"""Collections, documents and passages as resources: what the current user may read, listed and quoted.

Texts come framed as `rag_search` frames its passages. What leads on to other pages stands outside the frame, where no
document can write.
"""

from collections.abc import Sequence
from typing import Final

from groundwire.dialects.faults import fault
from groundwire.dialects.library.described import MIME_TYPE, described
from groundwire.dialects.library.uris import (
    CollectionUri,
    DocumentUri,
    LibraryUri,
    PageUri,
    SegmentUri,
    parse,
)
from groundwire.dialects.quoting import framed, framed_passages, named, quotation_of_page
from groundwire.domain.documents import Document
from groundwire.domain.errors import Problem
from groundwire.domain.framing import Quotation
from groundwire.domain.references import MAX_ID_CHARACTERS
from groundwire.protocol.content import ResourceContents
from groundwire.protocol.resources import ResourcePage
from groundwire.protocol.tools import FaultKind, ToolFault
from groundwire.services.browse import Listing, Place, Reading, Shelves, TextPage
from groundwire.services.call import Call
from groundwire.services.links import LinkTo
from groundwire.services.search import named_documents

_SHOWN_TITLE_CHARACTERS: Final = 200
_POSITION_CHARACTERS: Final = 2 * MAX_ID_CHARACTERS + 16
"""Room for two names: a sealed cursor shows how long it is, and a document that it stands behind may be closed."""


class Library:
    """Implements `protocol.resources.ResourceSource`."""

    def __init__(self, shelves: Shelves, reading: Reading, link_to: LinkTo) -> None:
        self._shelves = shelves
        self._reading = reading
        self._link_to = link_to

    def page(self, caller: Call, start: str | None) -> ResourcePage:
        """Each collection with a document that the caller may read, followed by those documents."""
        place = None if start is None else _place(start)
        try:
            listing = self._shelves.page(caller.caller, place)
        except Problem as problem:
            raise fault(caller, "Listing failed", problem) from problem
        caller.facts["documents"] = [named(document) for document in _documents(listing)]
        resources = tuple(described(entry) for entry in listing.entries)
        return ResourcePage(resources, None if listing.next is None else _position(listing.next))

    def read(self, caller: Call, uri: str) -> Sequence[ResourceContents] | None:
        """The text in one part."""
        address = parse(uri)
        if address is None:
            return None
        try:
            text = self._text(caller, address)
        except Problem as problem:
            raise fault(caller, "Reading failed", problem) from problem
        return None if text is None else (ResourceContents(uri, text, MIME_TYPE),)

    def _text(self, call: Call, address: LibraryUri) -> str | None:
        match address:
            case CollectionUri(name):
                return self._collection(call, name)
            case DocumentUri(doc_id):
                return self._page(call, doc_id, 1)
            case PageUri(doc_id, number):
                return self._page(call, doc_id, number)
            case SegmentUri(uid):
                return self._passage(call, uid)

    def _collection(self, call: Call, name: str) -> str | None:
        listing = self._shelves.collection(call.caller, name)
        if listing is None:
            return None
        documents = _documents(listing)
        call.facts["documents"] = [named(document) for document in documents]
        uri = str(CollectionUri(name))
        lines = "\n".join(f"{DocumentUri(document.doc_id)}  {_title(document)}" for document in documents)
        text = framed([Quotation(name, f"Documents of the collection {name}", (), None, None, uri, lines)])
        more = "" if listing.next is None else "\n\nThere may be more documents: resources/list names all of them."
        return text + more

    def _page(self, call: Call, doc_id: str, number: int) -> str | None:
        page = self._reading.page(call.caller, doc_id, number)
        if page is None:
            return None
        call.facts["documents"] = [named(page.document)]
        call.facts["segments"] = len(page.segments)
        url = self._link_to(page.document, call.caller)
        return f"{framed([quotation_of_page(page, url)])}\n\n{_where(page)}"

    def _passage(self, call: Call, uid: str) -> str | None:
        passage = self._reading.passage(call.caller, uid)
        if passage is None:
            return None
        call.facts["documents"] = named_documents([passage])
        call.facts["segments"] = len(passage.context) or 1
        url = self._link_to(passage.document, call.caller)
        whole = f"The whole document: {DocumentUri(passage.document.doc_id)}"
        return f"{framed_passages([passage], {passage.document.doc_id: url})}\n\n{whole}"


def _where(page: TextPage) -> str:
    """Which part of the document this is, and where it goes on."""
    here = f"Page {page.number} of {page.pages} of this document."
    if page.number == page.pages:
        return here
    return f"{here} The next: {PageUri(page.document.doc_id, page.number + 1)}"


def _title(document: Document) -> str:
    return " ".join((document.title or document.source_file_name).split())[:_SHOWN_TITLE_CHARACTERS]


def _documents(listing: Listing) -> list[Document]:
    return [entry for entry in listing.entries if isinstance(entry, Document)]


def _position(place: Place) -> str:
    position = f"{place.collection}/{place.after}/{'named' if place.is_named else 'unnamed'}"
    return position.ljust(_POSITION_CHARACTERS)


def _place(position: str) -> Place:
    match position.rstrip().split("/"):
        case [collection, after, "named" | "unnamed" as name]:
            return Place(collection, after, name == "named")
        case _:
            raise ToolFault(FaultKind.ARGUMENTS, "Unknown cursor: ask for the first page without one.")
