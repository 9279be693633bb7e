"""Pictures of the pages of a document version: drawn at the first request, stored beside its original, deleted with it.

A version has a fixed number of places for pictures, so that a deletion finds all of them without a list, which two
requests could change at a time. A marker that there are pictures is stored before the first one: without it, the
deletion of a version looks at no place. All keys have a prefix of their own, since a picture of a page is a part of the
original.
"""

import json
import struct
from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Final

from groundwire.domain.documents.record import Document, DocumentState
from groundwire.domain.errors import NotFound, Unavailable
from groundwire.domain.text.json_values import is_list
from groundwire.ports import Blobs, Documents
from groundwire_readers.contents.parsed import PagePicture, WordBox

if TYPE_CHECKING:
    from collections.abc import Callable

    from groundwire.ports.ingestion import PageDrawers

KEY_PREFIX: Final = "_pages/"
"""Beginning of the keys of all pictures of pages; a document id begins with a letter or a digit."""
_PLACES: Final = 16
"""Pictures kept of a version: 10 MB at most. Two pages in one place take turns."""
_LENGTH: Final = struct.Struct(">I")


class PagePictureStore:
    """Store of the pictures of pages; who may open an original may see its pages."""

    def __init__(self, blobs: Blobs) -> None:
        self._blobs = blobs

    def find(self, tenant: str, doc_id: str, version: int, page: int) -> PagePicture | None:
        """Return the picture of a page; None where it is not stored, or in a form that this release does not read."""
        with suppress(NotFound):
            return _decoded(self._blobs.get(tenant, _picture_key(doc_id, version, page % _PLACES)), page)
        return None

    def put(self, tenant: str, doc_id: str, version: int, page: int, picture: PagePicture) -> None:
        """Store the picture of a page in the place that it has."""
        self._blobs.put(tenant, _marker_key(doc_id, version), b"1")
        content = _encoded(page, picture)
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

    def read(self, tenant: str, document: Document, page: int) -> PagePicture:
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


def _encoded(page: int, picture: PagePicture) -> bytes:
    """Return the length of the picture's facts in JSON, the facts, and the content."""
    facts = [page, picture.media_type, picture.width, picture.height, [part for word in picture.words for part in word]]
    text = json.dumps(facts, separators=(",", ":")).encode()
    return b"".join((_LENGTH.pack(len(text)), text, picture.content))


def _decoded(stored: bytes, page: int) -> PagePicture | None:
    """Return the picture of a page; None for that of another page, and for a form of another release."""
    end = _LENGTH.size + int.from_bytes(stored[: _LENGTH.size])
    try:
        facts: object = json.loads(stored[_LENGTH.size : end])
        match facts:
            case [int(number), str(media_type), int(width), int(height), object() as parts] if (
                number == page and is_list(parts)
            ):
                return PagePicture(stored[end:], media_type, width, height, tuple(_words(parts)))
            case _:
                return None
    except ValueError:
        return None


def _words(parts: Sequence[object]) -> Iterator[WordBox]:
    """Yield the words of a flat list.

    Raises:
        ValueError: it is not one of words.
    """
    for text, *places in zip(*[iter(parts)] * len(WordBox._fields), strict=True):
        left, top, right, bottom = (place for place in places if isinstance(place, int))
        if not isinstance(text, str):
            raise ValueError("not a word")  # noqa: TRY004 - as for a wrong number of places
        yield WordBox(text, left, top, right, bottom)
