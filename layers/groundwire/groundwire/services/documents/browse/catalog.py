"""What there is: the collections and documents that a caller may read, walked by name, so many records a call.

A collection is there for a caller when it holds a document that the caller may read; its name may say more than
others should know. Nothing counts documents by reader, so this is found out in passing: a walk names a collection
right before the first readable document in it. So the list is complete, each call costs at most
`limits.MAX_RECORDS_SCANNED` records, and a page may be short, or empty, and still lead on.

Closed documents are walked, too, but never said to be there: that more follows is said of readable ones alone, or of
the walk, whose length is the same for everybody.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Final, TypeAlias

from groundwire.domain.documents.collection import Collection
from groundwire.domain.documents.record import Document
from groundwire.domain.keys.caller import Caller
from groundwire.domain.limits import MAX_COMPLETIONS, MAX_RECORDS_SCANNED, RESOURCE_PAGE_ITEMS
from groundwire.ports import Collections, Documents
from groundwire.services.documents.browse.read_access import find_readable, may_read

_BATCH: Final = 100
"""Records per read of the registry, at most."""

CatalogEntry: TypeAlias = Collection | Document
"""What a list holds: a collection, then its documents."""


@dataclass(frozen=True, slots=True)
class CatalogPosition:
    """How far a walk has come.

    Attributes:
        after: id of the document that was looked at last.
        is_collection_listed: whether its collection has been named yet.
    """

    collection: str
    after: str
    is_collection_listed: bool


@dataclass(frozen=True, slots=True)
class CatalogPage:
    """A part of the list; `next_position` is None at its end."""

    entries: tuple[CatalogEntry, ...]
    next_position: CatalogPosition | None


@dataclass(frozen=True, slots=True)
class CollectionMatches:
    """Those whose names go on from what was typed; `has_more` when others were met that may be named."""

    names: tuple[str, ...]
    has_more: bool


@dataclass(frozen=True, slots=True)
class DocumentMatches:
    """Those whose ids go on from what was typed; `has_more` when another was met that may be read."""

    documents: tuple[Document, ...]
    has_more: bool


class DocumentCatalog:
    """Lists for callers."""

    def __init__(self, documents: Documents, collections: Collections) -> None:
        self._documents = documents
        self._collections = collections

    def page(self, caller: Caller, start: CatalogPosition | None) -> CatalogPage:
        """What comes behind `start`, at most `limits.RESOURCE_PAGE_ITEMS` entries.

        Whoever asks on to the end is given every document once that is readable throughout, whatever others come
        and go meanwhile.
        """
        reached = self._granted_collections(caller)
        if start is not None:
            reached = [each for each in reached if each.name >= start.collection]
        return self._list(caller, reached, start)

    def first_page_of(self, caller: Caller, name: str) -> CatalogPage | None:
        """The first page of one collection; None when there is nothing to read among its first records."""
        listing = self._list(caller, [each for each in self._granted_collections(caller) if each.name == name], None)
        return listing if listing.entries else None

    def find_collections(self, caller: Caller, prefix: str) -> CollectionMatches:
        """Those that begin like this, judged by their first records: all together no more than a page costs."""
        names = [each.name for each in self._granted_collections(caller) if each.name.startswith(prefix)]
        # One more than is proposed: it says whether there are more.
        names = names[: MAX_COMPLETIONS + 1]
        share = _records_per_collection(names)
        found = [name for name in names if self._has_readable_document(caller, name, share)]
        return CollectionMatches(tuple(found[:MAX_COMPLETIONS]), len(found) > MAX_COMPLETIONS)

    def find_documents(self, caller: Caller, prefix: str, collection: str | None) -> DocumentMatches:
        """Those whose ids begin like this, of one collection or of all, in the order of the list.

        Every collection is looked into, so each is read in pieces that all together cost no more than a page.
        """
        exact = find_readable(caller, self._documents, prefix)
        found = [exact] if exact is not None and collection in {None, exact.collection} else []
        names = [each.name for each in self._granted_collections(caller) if collection in {None, each.name}]
        at_once = min(_BATCH, _records_per_collection(names))
        looked = 0
        for name in names:
            for document in self._walk(caller, [name], prefix or None, at_once):
                if looked >= MAX_RECORDS_SCANNED:
                    return DocumentMatches(tuple(found), has_more=False)
                looked += 1
                if not document.doc_id.startswith(prefix):
                    break
                if not may_read(caller, document):
                    continue
                if len(found) == MAX_COMPLETIONS:
                    return DocumentMatches(tuple(found), has_more=True)
                found.append(document)
        return DocumentMatches(tuple(found), has_more=False)

    def _has_readable_document(self, caller: Caller, collection: str, max_records: int) -> bool:
        """Whether one of its first `max_records` documents may be read."""
        looked = islice(self._walk(caller, [collection], None, min(_BATCH, max_records)), max_records)
        return any(may_read(caller, document) for document in looked)

    def _list(self, caller: Caller, collections: Sequence[Collection], start: CatalogPosition | None) -> CatalogPage:
        by_name = {each.name: each for each in collections}
        named = start.collection if start is not None and start.is_collection_listed else None
        entries: list[CatalogEntry] = []
        place = start
        for looked, document in enumerate(self._walk(caller, list(by_name), start, _BATCH)):
            if looked == MAX_RECORDS_SCANNED:
                return CatalogPage(tuple(entries), place)
            if may_read(caller, document):
                # Room for two: the document may bring its collection with it.
                if len(entries) > RESOURCE_PAGE_ITEMS - 2:
                    return CatalogPage(tuple(entries), place)
                if named != document.collection:
                    named = document.collection
                    entries.append(by_name[named])
                entries.append(document)
            place = CatalogPosition(document.collection, document.doc_id, named == document.collection)
        return CatalogPage(tuple(entries), None)

    def _walk(
        self, caller: Caller, names: Sequence[str], start: CatalogPosition | str | None, batch_size: int
    ) -> Iterator[Document]:
        """The indexed documents of the collections, by collection and id, readable or not; `batch_size` to a read."""
        for name in names:
            after = _first_id_after(name, start)
            while batch := self._documents.page_indexed(caller.principal.tenant, name, after, batch_size):
                yield from batch
                after = batch[-1].doc_id
                if len(batch) < batch_size:
                    break

    def _granted_collections(self, caller: Caller) -> list[Collection]:
        every = self._collections.all(caller.principal.tenant)
        return sorted((each for each in every if caller.allows_collection(each.name)), key=lambda each: each.name)


def _records_per_collection(collections: Sequence[str]) -> int:
    """How many records of each may be read, so that all together cost what a page costs."""
    return max(1, MAX_RECORDS_SCANNED // max(1, len(collections)))


def _first_id_after(collection: str, start: CatalogPosition | str | None) -> str | None:
    """Behind which id a walk through the collection begins: a place lies in one collection, an id in any."""
    if isinstance(start, CatalogPosition):
        return start.after if start.collection == collection else None
    return start
