"""Bugs in what is listed, completed and read."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Final

import pytest

from groundwire.adapters.local.index.index import EmbeddedIndex
from groundwire.domain.access.policy import decide
from groundwire.domain.documents.record import Document, DocumentState
from groundwire.domain.documents.segment import Segment
from groundwire.domain.keys.caller import Caller
from groundwire.domain.keys.grants import ALL_COLLECTIONS
from groundwire.ports import Documents, DocumentVersion, Span
from groundwire.services.documents.browse import read_access
from tests.support.isolation.leaks.layers import always, index_left_behind


def lists_unchecked(patch: pytest.MonkeyPatch) -> None:
    """Whatever lies in the key's collections is listed."""
    patch.setattr("groundwire.services.documents.browse.catalog.may_read", always(answer=True))


def reading_unchecked(patch: pytest.MonkeyPatch) -> None:
    """Who knows an id may read."""

    def readable(caller: Caller, documents: Documents, doc_id: str) -> Document | None:
        found = documents.read(caller.principal.tenant, [doc_id]).get(doc_id)
        return found if found is not None and found.state is DocumentState.INDEXED else None

    patch.setattr("groundwire.services.documents.browse.reader.find_readable", readable)


def reading_beyond_the_key(patch: pytest.MonkeyPatch) -> None:
    """What the user may read is read by every key that speaks for the user."""
    readable_now = read_access.find_readable

    def readable(caller: Caller, documents: Documents, doc_id: str) -> Document | None:
        return readable_now(replace(caller, collections=ALL_COLLECTIONS), documents, doc_id)

    patch.setattr("groundwire.services.documents.browse.reader.find_readable", readable)


def deleted_documents_are_read(patch: pytest.MonkeyPatch) -> None:
    """A tombstone is read like a document as long as the index has its rows."""

    def may_read(caller: Caller, document: Document) -> bool:
        return caller.allows_collection(document.collection) and bool(decide(caller.principal, document.readers))

    patch.setattr(read_access, "may_read", may_read)
    index_left_behind(patch)


def passages_of_any_version(patch: pytest.MonkeyPatch) -> None:
    """A passage that was redacted is read as long as the index has it."""
    find = EmbeddedIndex.find

    def any_version(index: EmbeddedIndex, document: DocumentVersion, uid: str) -> Segment | None:
        versions = (replace(document, version=number) for number in range(1, document.version + 1))
        return next((found for each in versions if (found := find(index, each, uid)) is not None), None)

    patch.setattr(EmbeddedIndex, "find", any_version)
    index_left_behind(patch)


def pages_of_an_old_version(patch: pytest.MonkeyPatch) -> None:
    """A text is read as it was first, as long as the index has it."""
    around = EmbeddedIndex.read_spans

    def first(index: EmbeddedIndex, spans: Sequence[Span]) -> list[list[Segment]]:
        old = around(index, [replace(span, document=replace(span.document, version=1)) for span in spans])
        return [before or now for before, now in zip(old, around(index, spans), strict=True)]

    patch.setattr(EmbeddedIndex, "read_spans", first)
    index_left_behind(patch)


BROWSING_LEAKS: Final[Mapping[str, Callable[[pytest.MonkeyPatch], None]]] = {
    "lists and completions are unchecked": lists_unchecked,
    "who knows an id may read": reading_unchecked,
    "reading reaches beyond the key": reading_beyond_the_key,
    "deleted documents are read while the index is behind": deleted_documents_are_read,
    "redacted passages are read while the index is behind": passages_of_any_version,
    "old texts are read while the index is behind": pages_of_an_old_version,
}
"""By what is wrong with the product, as in `LEAKS`; found by the browsing machine."""
