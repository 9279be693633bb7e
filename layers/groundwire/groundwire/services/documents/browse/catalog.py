"""Catalog of the collections and documents that a caller may read, walked by name with bounded work.

A caller sees a collection when it may read a document in it; the mere name may disclose too much to others. No counter
of documents by reader exists, so the walk determines this: it lists a collection directly before the first readable
document in it. The list is complete, each call costs at most `limits.MAX_RECORDS_SCANNED` records, and a page may be
short, or empty, with more to come. The list of one collection's documents is bounded by time instead.

The walk includes unreadable documents but never discloses them. `has_more` depends on readable documents only, and the
length of the walk is the same for all callers.
"""

import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Final, TypeAlias, TypeVar

from groundwire.domain.documents.collection import Collection
from groundwire.domain.documents.record import Document
from groundwire.domain.keys.caller import Caller
from groundwire.domain.limits import FILE_PAGE_SECONDS, MAX_RECORDS_SCANNED, RESOURCE_PAGE_ITEMS
from groundwire.domain.text.fuzzy_match import FuzzyPattern, MatchRank
from groundwire.ports import Collections, Documents
from groundwire.services.documents.browse.read_access import find_readable, may_read
from groundwire_mcp.limits import MAX_COMPLETIONS

NameT = TypeVar("NameT")

_BATCH: Final = 100
"""Maximum of records per read of the registry."""

CatalogEntry: TypeAlias = Collection | Document
"""Entry of a list: a collection, or one of its documents."""


@dataclass(frozen=True, slots=True)
class CatalogPosition:
    """Position of a walk.

    Attributes:
        after: id of the last scanned document.
        is_collection_listed: whether its collection has been listed yet.
    """

    collection: str
    after: str
    is_collection_listed: bool


@dataclass(frozen=True, slots=True)
class CatalogPage:
    """Page of the list; `next_position` is None at the end."""

    entries: tuple[CatalogEntry, ...]
    next_position: CatalogPosition | None


@dataclass(frozen=True, slots=True)
class CollectionMatches:
    """Collections whose names match a typed text, best first; `has_more` when further readable ones were found."""

    names: tuple[str, ...]
    has_more: bool


@dataclass(frozen=True, slots=True)
class DocumentMatches:
    """Documents that match a typed text, best first; `has_more` when a further readable one was found."""

    documents: tuple[Document, ...]
    has_more: bool


@dataclass(frozen=True, slots=True)
class DocumentPage:
    """Page of one collection's readable documents, by id.

    Attributes:
        next_after: id after which the next page begins: that of the last document of a full page, perhaps that of a
            hidden document where the time ran out before; None at the end.
    """

    documents: tuple[Document, ...]
    next_after: str | None


class DocumentCatalog:
    """Lists and completions of collections and documents for a caller."""

    def __init__(self, documents: Documents, collections: Collections) -> None:
        self._documents = documents
        self._collections = collections

    def page(self, caller: Caller, start: CatalogPosition | None) -> CatalogPage:
        """Return the entries after `start`, at most `limits.RESOURCE_PAGE_ITEMS`.

        A caller who reads all pages gets each document once that is readable throughout, whatever documents are added
        or deleted meanwhile.
        """
        collections = self._granted_collections(caller)
        if start is not None:
            collections = [each for each in collections if each.name >= start.collection]
        return self._list(caller, collections, start)

    def first_page_of(self, caller: Caller, name: str) -> CatalogPage | None:
        """Return the first page of one collection; None when none of its first records is readable."""
        listing = self._list(caller, [each for each in self._granted_collections(caller) if each.name == name], None)
        return listing if listing.entries else None

    def documents_of(self, caller: Caller, collection: str, after: str | None, most: int) -> DocumentPage:
        """Return the readable documents of a collection after an id, `most` of them unless fewer are left.

        Closed documents do not count, so that no page tells of them. The walk ends early only after
        `limits.FILE_PAGE_SECONDS`: such a page may be short, or empty, with more to come.
        """
        names = [collection] if caller.allows_collection(collection) else []
        documents: list[Document] = []
        # No `time_limit`: it would end a read of the registry as an outage, instead of the page with what there is.
        deadline = time.monotonic() + FILE_PAGE_SECONDS
        for document in self._walk(caller, names, after, _BATCH):
            if may_read(caller, document):
                if len(documents) == most:
                    return DocumentPage(tuple(documents), documents[-1].doc_id)
                documents.append(document)
            if time.monotonic() >= deadline:
                last = documents[-1] if len(documents) == most else document
                return DocumentPage(tuple(documents), last.doc_id)
        return DocumentPage(tuple(documents), None)

    def find_collections(self, caller: Caller, typed: str) -> CollectionMatches:
        """Return the collections whose names match `typed` and whose first records include a readable one, best first.

        The scan of all collections costs no more than a page. It does not depend on `typed`: the name of a closed
        collection changes neither which others are found nor how many records of them are read.
        """
        # Each collection costs one record at least.
        granted = [each.name for each in self._granted_collections(caller)][:MAX_RECORDS_SCANNED]
        max_records = _records_per_collection(granted)
        readable = [name for name in granted if self._has_readable_document(caller, name, max_records)]
        pattern = FuzzyPattern(typed)
        found = _best_first((name, pattern.rank(name)) for name in readable)
        return CollectionMatches(tuple(found[:MAX_COMPLETIONS]), len(found) > MAX_COMPLETIONS)

    def find_documents(self, caller: Caller, typed: str, collection: str | None) -> DocumentMatches:
        """Return the documents whose id, title or file name matches `typed`, of one collection or of all, best first.

        Ids that begin with `typed` are looked up by it. The others are found among the first records of the list. All
        collections are scanned in batches; together they cost no more than a page.
        """
        names = [each.name for each in self._granted_collections(caller) if collection in {None, each.name}]
        exact = find_readable(caller, self._documents, typed)
        found = {} if exact is None or exact.collection not in names else {exact.doc_id: exact}
        for document in self._scan(caller, names, typed):
            found[document.doc_id] = document
            if len(found) > MAX_COMPLETIONS:
                break
        else:
            found |= self._fuzzy_matches(caller, names, typed) if typed else {}
        pattern = FuzzyPattern(typed)
        documents = _best_first((each, _document_rank(pattern, each)) for each in found.values())
        return DocumentMatches(tuple(documents[:MAX_COMPLETIONS]), len(documents) > MAX_COMPLETIONS)

    def _scan(self, caller: Caller, names: Sequence[str], prefix: str) -> Iterator[Document]:
        """Iterate over the readable documents whose ids begin with `prefix`.

        It costs half a page, as the fuzzy search does; an empty prefix matches all, so that it needs no fuzzy search.
        """
        share = 2 if prefix else 1
        batch_size = min(_BATCH, max(1, _records_per_collection(names) // share))
        scanned = 0
        for name in names:
            for document in self._walk(caller, [name], prefix or None, batch_size):
                if scanned >= MAX_RECORDS_SCANNED // share:
                    return
                if not document.doc_id.startswith(prefix):
                    break
                scanned += 1
                if may_read(caller, document):
                    yield document

    def _fuzzy_matches(self, caller: Caller, names: Sequence[str], typed: str) -> dict[str, Document]:
        """Return the readable ones that match of the first records, at the cost of half a page."""
        pattern = FuzzyPattern(typed)
        max_records = max(1, _records_per_collection(names) // 2)
        scanned = (
            document
            for name in names
            for document in islice(self._walk(caller, [name], None, min(_BATCH, max_records)), max_records)
        )
        # Read access is decided first, so that the time does not reveal which hidden documents match.
        readable = (document for document in scanned if may_read(caller, document))
        return {each.doc_id: each for each in readable if _document_rank(pattern, each) is not None}

    def _has_readable_document(self, caller: Caller, collection: str, max_records: int) -> bool:
        """Return whether one of the collection's first `max_records` documents is readable."""
        scanned = islice(self._walk(caller, [collection], None, min(_BATCH, max_records)), max_records)
        return any(may_read(caller, document) for document in scanned)

    def _list(self, caller: Caller, collections: Sequence[Collection], start: CatalogPosition | None) -> CatalogPage:
        by_name = {each.name: each for each in collections}
        listed_collection = start.collection if start is not None and start.is_collection_listed else None
        entries: list[CatalogEntry] = []
        position = start
        for scanned, document in enumerate(self._walk(caller, list(by_name), start, _BATCH)):
            if scanned == MAX_RECORDS_SCANNED:
                return CatalogPage(tuple(entries), position)
            if may_read(caller, document):
                # Room for two: the document may be preceded by its collection.
                if len(entries) > RESOURCE_PAGE_ITEMS - 2:
                    return CatalogPage(tuple(entries), position)
                if listed_collection != document.collection:
                    listed_collection = document.collection
                    entries.append(by_name[listed_collection])
                entries.append(document)
            position = CatalogPosition(document.collection, document.doc_id, listed_collection == document.collection)
        return CatalogPage(tuple(entries), None)

    def _walk(
        self, caller: Caller, names: Sequence[str], start: CatalogPosition | str | None, batch_size: int
    ) -> Iterator[Document]:
        """Iterate over the indexed documents of the collections, by collection and id, readable or not.

        Each read returns `batch_size` records.
        """
        for name in names:
            after = _first_id_after(name, start)
            while batch := self._documents.page_indexed(caller.principal.tenant, name, after, batch_size):
                yield from batch
                after = batch[-1].doc_id
                if len(batch) < batch_size:
                    break

    def _granted_collections(self, caller: Caller) -> list[Collection]:
        collections = self._collections.all(caller.principal.tenant)
        return sorted((each for each in collections if caller.allows_collection(each.name)), key=lambda each: each.name)


def _document_rank(pattern: FuzzyPattern, document: Document) -> MatchRank | None:
    """Return the best rank of the document's names; its id, which is what a completion inserts, among them."""
    names = (document.doc_id, document.title, document.source_file_name)
    return min((rank for name in names if name and (rank := pattern.rank(name)) is not None), default=None)


def _best_first(ranked: Iterable[tuple[NameT, MatchRank | None]]) -> list[NameT]:
    """Return what has a rank, best first; the order of equal ranks stays."""
    fitting = [(rank, each) for each, rank in ranked if rank is not None]
    return [each for _, each in sorted(fitting, key=lambda pair: pair[0])]


def _records_per_collection(collections: Sequence[str]) -> int:
    """Return the number of records per collection so that all collections cost as much as one page."""
    return max(1, MAX_RECORDS_SCANNED // max(1, len(collections)))


def _first_id_after(collection: str, start: CatalogPosition | str | None) -> str | None:
    """Return the id after which the walk of the collection starts: a position has one collection, an id any."""
    if isinstance(start, CatalogPosition):
        return start.after if start.collection == collection else None
    return start
