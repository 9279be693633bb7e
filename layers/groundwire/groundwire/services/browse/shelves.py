"""What there is: the collections and documents that a caller may read, walked by name, so many records a call.

A collection is there for a caller when it holds a document that the caller may read; its name may say more than
others should know. Nothing counts documents by reader, so this is found out in passing: a walk names a collection
right before the first readable document in it. So the list is complete, each call costs at most
`limits.MAX_RECORDS_WALKED` records, and a page may be short, or empty, and still lead on.

Closed documents are walked, too, but never said to be there: that more follows is said of readable ones alone, or of
the walk, whose length is the same for everybody.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Final, TypeAlias

from groundwire.domain.caller import Caller
from groundwire.domain.documents import Collection, Document
from groundwire.domain.limits import MAX_COMPLETIONS, MAX_LISTED, MAX_RECORDS_WALKED
from groundwire.ports import Collections, Documents
from groundwire.services.browse.rights import may_read, readable_now

_BATCH: Final = 100
"""Records per read of the registry, at most."""

Entry: TypeAlias = Collection | Document
"""What a list holds: a collection, then its documents."""


@dataclass(frozen=True, slots=True)
class Place:
    """How far a walk has come.

    Attributes:
        after: id of the document that was looked at last.
        is_named: whether its collection has been named yet.
    """

    collection: str
    after: str
    is_named: bool


@dataclass(frozen=True, slots=True)
class Listing:
    """A part of the list; `next` is None at its end."""

    entries: tuple[Entry, ...]
    next: Place | None


@dataclass(frozen=True, slots=True)
class NamedCollections:
    """Those whose names go on from what was typed; `has_more` when others were met that may be named."""

    names: tuple[str, ...]
    has_more: bool


@dataclass(frozen=True, slots=True)
class NamedDocuments:
    """Those whose ids go on from what was typed; `has_more` when another was met that may be read."""

    documents: tuple[Document, ...]
    has_more: bool


class Shelves:
    """Lists for callers."""

    def __init__(self, documents: Documents, collections: Collections) -> None:
        self._documents = documents
        self._collections = collections

    def page(self, caller: Caller, start: Place | None) -> Listing:
        """What comes behind `start`, at most `limits.MAX_LISTED` entries.

        Whoever asks on to the end is given every document once that is readable throughout, whatever others come
        and go meanwhile.
        """
        reached = self._reached(caller)
        if start is not None:
            reached = [each for each in reached if each.name >= start.collection]
        return self._listing(caller, reached, start)

    def collection(self, caller: Caller, name: str) -> Listing | None:
        """The first page of one collection; None when there is nothing to read among its first records."""
        listing = self._listing(caller, [each for each in self._reached(caller) if each.name == name], None)
        return listing if listing.entries else None

    def collections_named(self, caller: Caller, prefix: str) -> NamedCollections:
        """Those that begin like this, judged by their first records: all together no more than a page costs."""
        names = [each.name for each in self._reached(caller) if each.name.startswith(prefix)]
        # One more than is proposed: it says whether there are more.
        names = names[: MAX_COMPLETIONS + 1]
        share = _share(names)
        found = [name for name in names if self._is_named(caller, name, share)]
        return NamedCollections(tuple(found[:MAX_COMPLETIONS]), len(found) > MAX_COMPLETIONS)

    def documents_named(self, caller: Caller, prefix: str, collection: str | None) -> NamedDocuments:
        """Those whose ids begin like this, of one collection or of all, in the order of the list.

        Every collection is looked into, so each is read in pieces that all together cost no more than a page.
        """
        exact = readable_now(caller, self._documents, prefix)
        found = [exact] if exact is not None and collection in {None, exact.collection} else []
        names = [each.name for each in self._reached(caller) if collection in {None, each.name}]
        at_once = min(_BATCH, _share(names))
        looked = 0
        for name in names:
            for document in self._walk(caller, [name], prefix or None, at_once):
                if looked >= MAX_RECORDS_WALKED:
                    return NamedDocuments(tuple(found), has_more=False)
                looked += 1
                if not document.doc_id.startswith(prefix):
                    break
                if not may_read(caller, document):
                    continue
                if len(found) == MAX_COMPLETIONS:
                    return NamedDocuments(tuple(found), has_more=True)
                found.append(document)
        return NamedDocuments(tuple(found), has_more=False)

    def _is_named(self, caller: Caller, collection: str, share: int) -> bool:
        """Whether one of its first `share` documents may be read."""
        looked = islice(self._walk(caller, [collection], None, min(_BATCH, share)), share)
        return any(may_read(caller, document) for document in looked)

    def _listing(self, caller: Caller, reached: Sequence[Collection], start: Place | None) -> Listing:
        by_name = {each.name: each for each in reached}
        named = start.collection if start is not None and start.is_named else None
        entries: list[Entry] = []
        place = start
        for looked, document in enumerate(self._walk(caller, list(by_name), start, _BATCH)):
            if looked == MAX_RECORDS_WALKED:
                return Listing(tuple(entries), place)
            if may_read(caller, document):
                # Room for two: the document may bring its collection with it.
                if len(entries) > MAX_LISTED - 2:
                    return Listing(tuple(entries), place)
                if named != document.collection:
                    named = document.collection
                    entries.append(by_name[named])
                entries.append(document)
            place = Place(document.collection, document.doc_id, named == document.collection)
        return Listing(tuple(entries), None)

    def _walk(
        self, caller: Caller, names: Sequence[str], start: Place | str | None, at_once: int
    ) -> Iterator[Document]:
        """The indexed documents of the collections, by collection and id, readable or not; `at_once` to a read."""
        for name in names:
            after = _after(name, start)
            while batch := self._documents.page(caller.principal.tenant, name, after, at_once):
                yield from batch
                after = batch[-1].doc_id
                if len(batch) < at_once:
                    break

    def _reached(self, caller: Caller) -> list[Collection]:
        every = self._collections.all(caller.principal.tenant)
        return sorted((each for each in every if caller.reaches(each.name)), key=lambda each: each.name)


def _share(collections: Sequence[str]) -> int:
    """How many records of each may be read, so that all together cost what a page costs."""
    return max(1, MAX_RECORDS_WALKED // max(1, len(collections)))


def _after(collection: str, start: Place | str | None) -> str | None:
    """Behind which id a walk through the collection begins: a place lies in one collection, an id in any."""
    if isinstance(start, Place):
        return start.after if start.collection == collection else None
    return start
