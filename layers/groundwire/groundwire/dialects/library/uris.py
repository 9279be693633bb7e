"""URIs of the library's resources.

    groundwire://collections/{collection}
    groundwire://documents/{doc_id}
    groundwire://documents/{doc_id}/pages/{page}
    groundwire://segments/{segment_uid}

Variables hold only characters that RFC 3986 leaves unreserved, so nothing is percent-encoded and each resource has
exactly one URI. Equivalent spellings, such as percent-encoded ones, are invalid.
"""

import re
from dataclasses import dataclass
from typing import Final, TypeAlias

from groundwire.domain.documents.ids import doc_id_from_uid, is_doc_id

_SCHEME: Final = "groundwire://"
_PAGE: Final = re.compile(r"[1-9][0-9]{0,6}")


@dataclass(frozen=True, slots=True)
class CollectionUri:
    """URI of a collection."""

    collection: str

    def __str__(self) -> str:
        return f"groundwire://collections/{self.collection}"


@dataclass(frozen=True, slots=True)
class DocumentUri:
    """URI of a document."""

    doc_id: str

    def __str__(self) -> str:
        return f"groundwire://documents/{self.doc_id}"


@dataclass(frozen=True, slots=True)
class PageUri:
    """URI of a page of a document's text, counted from 1."""

    doc_id: str
    page: int

    def __str__(self) -> str:
        return f"groundwire://documents/{self.doc_id}/pages/{self.page}"


@dataclass(frozen=True, slots=True)
class SegmentUri:
    """URI of a passage."""

    segment_uid: str

    def __str__(self) -> str:
        return f"groundwire://segments/{self.segment_uid}"


LibraryUri: TypeAlias = CollectionUri | DocumentUri | PageUri | SegmentUri


def parse_uri(text: str) -> LibraryUri | None:
    """Return the parsed URI, whether or not its resource exists; None for any other text."""
    if not text.startswith(_SCHEME):
        return None
    match text.removeprefix(_SCHEME).split("/"):
        case ["collections", collection] if is_doc_id(collection):
            return CollectionUri(collection)
        case ["documents", doc_id] if is_doc_id(doc_id):
            return DocumentUri(doc_id)
        case ["documents", doc_id, "pages", page] if is_doc_id(doc_id) and _PAGE.fullmatch(page):
            return PageUri(doc_id, int(page))
        case ["segments", uid] if doc_id_from_uid(uid) is not None:
            return SegmentUri(uid)
        case _:
            return None
