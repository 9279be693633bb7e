"""The URIs of resources.

    groundwire://collections/{collection}
    groundwire://documents/{doc_id}
    groundwire://documents/{doc_id}/pages/{page}
    groundwire://segments/{segment_uid}

All that stands in a variable is unreserved by RFC 3986, so nothing is ever percent-encoded and a resource has one
URI, letter for letter. Whatever another writer would take for the same one is none.
"""

import re
from dataclasses import dataclass
from typing import Final, TypeAlias

from groundwire.domain.documents.ids import doc_id_from_uid, is_doc_id

_SCHEME: Final = "groundwire://"
_PAGE: Final = re.compile(r"[1-9][0-9]{0,6}")


@dataclass(frozen=True, slots=True)
class CollectionUri:
    """Of a collection."""

    collection: str

    def __str__(self) -> str:
        return f"groundwire://collections/{self.collection}"


@dataclass(frozen=True, slots=True)
class DocumentUri:
    """Of a document."""

    doc_id: str

    def __str__(self) -> str:
        return f"groundwire://documents/{self.doc_id}"


@dataclass(frozen=True, slots=True)
class PageUri:
    """Of a page of a document's text, from 1."""

    doc_id: str
    page: int

    def __str__(self) -> str:
        return f"groundwire://documents/{self.doc_id}/pages/{self.page}"


@dataclass(frozen=True, slots=True)
class SegmentUri:
    """Of a passage."""

    segment_uid: str

    def __str__(self) -> str:
        return f"groundwire://segments/{self.segment_uid}"


LibraryUri: TypeAlias = CollectionUri | DocumentUri | PageUri | SegmentUri


def parse_uri(text: str) -> LibraryUri | None:
    """What the URI names, be it there or not; None for anything that is not written as one of ours."""
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
