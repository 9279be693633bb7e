"""Pictures of the pages of a document version: drawn at the first request, stored beside its original, deleted with it.

A version has a fixed number of places for pictures, so that a deletion finds all of them without a list, which two
requests could change at a time. A marker that there are pictures is stored before the first one: without it, the
deletion of a version looks at no place. All keys have a prefix of their own, since a picture of a page is a part of the
original.
"""

from contextlib import suppress
from typing import TYPE_CHECKING, Final

from groundwire.domain.documents.record import Document, DocumentState
from groundwire.domain.errors import NotFound, Unavailable
from groundwire.ports import Blobs, Documents

if TYPE_CHECKING:
    from collections.abc import Callable

    from groundwire.ports.ingestion import PageDrawers
    from groundwire_readers.contents.parsed import PagePicture

KEY_PREFIX: Final = "_pages/"
"""Beginning of the keys of all pictures of pages; a document id begins with a letter or a digit."""
_PLACES: Final = 16
"""Pictures kept of a version: 10 MB at most. Two pages in one place take turns."""
_MAX_PARTS: Final = 20_000
"""Strings of a stored picture: a word is one."""


class PagePictureStore:
    """Store of the pictures of pages; who may open an original may see its pages."""

    def __init__(self, blobs: Blobs) -> None:
        self._blobs = blobs

    def find(self, tenant: str, doc_id: str, version: int, page: int) -> "PagePicture | None":
        """Return the picture of a page; None where it is not stored, or in a form that this release does not read."""
        # Here and below: every function that deletes a document imports this module, and few open a picture.
        from groundwire_readers.errors import UnreadableDocument
        from groundwire_readers.sandbox.picture_wire import picture_from_json
        from groundwire_readers.sandbox.wire import attached_files, decode

        with suppress(NotFound, UnreadableDocument):
            message = decode(self._blobs.get(tenant, _picture_key(doc_id, version, page % _PLACES)), _MAX_PARTS)
            if message.get("page") == page:
                return picture_from_json(message, attached_files(message))
        return None

    def put(self, tenant: str, doc_id: str, version: int, page: int, picture: "PagePicture") -> None:
        """Store the picture of a page in the place that it has."""
        from groundwire_readers.sandbox.picture_wire import picture_to_json
        from groundwire_readers.sandbox.wire import encode

        self._blobs.put(tenant, _marker_key(doc_id, version), b"1")
        content = encode({**picture_to_json(picture), "page": page}, [picture.content])
        self._blobs.put(tenant, _picture_key(doc_id, version, page % _PLACES), content)

    def delete(self, tenant: str, doc_id: str, version: int) -> None:
        """Delete the pictures of a version, the marker of them last; no error without any."""
        try:
            self._blobs.get(tenant, _marker_key(doc_id, version))
        except NotFound:
            return
        self.delete_places(tenant, doc_id, version)

    def delete_places(self, tenant: str, doc_id: str, version: int) -> None:
        """Delete the pictures of a version, also without the marker of them."""
        for place in range(_PLACES):
            self._blobs.delete(tenant, _picture_key(doc_id, version, place))
        self._blobs.delete(tenant, _marker_key(doc_id, version))


class PagePictures:
    """Pictures of the pages of PDF files, each drawn once; who may see one has been decided before.

    Args:
        documents: stored records.
        blobs: stored originals.
        drawers: draw pages, behind a function, as most requests find a picture.
    """

    def __init__(self, documents: Documents, blobs: Blobs, drawers: "Callable[[], PageDrawers]") -> None:
        self._documents = documents
        self._blobs = blobs
        self._store = PagePictureStore(blobs)
        self._drawers = drawers

    def read(self, tenant: str, document: Document, page: int) -> "PagePicture":
        """Return the picture of a page of a document that has an original.

        Raises:
            NotFound: the store has lost the original, or the document has none.
            DocumentRefused: the page cannot be drawn.
            Unavailable: nothing draws it at this moment.
        """
        doc_id, version = document.doc_id, document.version
        kept = self._store.find(tenant, doc_id, version, page)
        if kept is not None:
            return kept
        if document.blob is None:
            raise NotFound("The document has no original.")
        content = self._blobs.get(tenant, document.blob)
        picture = self._drawers().for_tenant(tenant).draw_page(content, page)
        # A picture that cannot be kept, for example on a full disk, is drawn again.
        with suppress(Unavailable):
            self._store.put(tenant, doc_id, version, page, picture)
        # Whoever deleted or replaced the version meanwhile has looked for pictures before this one was stored.
        current = self._documents.read(tenant, [doc_id]).get(doc_id)
        if current is None or (current.version, current.state) != (version, DocumentState.INDEXED):
            self._store.delete_places(tenant, doc_id, version)
            raise NotFound("The version was replaced or deleted.")
        return picture


def _marker_key(doc_id: str, version: int) -> str:
    return f"{KEY_PREFIX}{doc_id}/{version}"


def _picture_key(doc_id: str, version: int, place: int) -> str:
    return f"{KEY_PREFIX}{doc_id}/{version}/{place}"
