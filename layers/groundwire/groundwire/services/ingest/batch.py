"""Ingest many files for a tenant: one run at a time, leftovers cleared first, a bad file never stops the others."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Final

from groundwire.domain.documents import Collection, Document, DocumentState
from groundwire.domain.errors import Conflict, Invalid
from groundwire.domain.fusion import DEFAULT_BM25_WEIGHT
from groundwire.domain.references import is_doc_id
from groundwire.ports import Collections, IngestLock
from groundwire.services.ingest.draft import Draft
from groundwire.services.ingest.ingest import CHANGED_MEANWHILE, Ingest
from groundwire.services.ingest.lookahead import one_ahead
from groundwire.services.ingest.naming import shown_name
from groundwire.services.ingest.passages import Progress
from groundwire.services.ingest.request import IngestOutcome, IngestRequest, IngestStatus
from groundwire.services.settle import Settle

_QUEUED_AT_ONCE: Final = 500


class IngestBatch:
    """Runs `Ingest` over files under the tenant's lock."""

    def __init__(
        self,
        ingest: Ingest,
        settle: Settle,
        collections: Collections,
        lock: IngestLock,
        others: Callable[[Document], bool] = lambda _document: False,
    ) -> None:
        """`others`: whether somebody else is at what seems left over; not asked of the files that are brought in."""
        self._ingest = ingest
        self._settle = settle
        self._collections = collections
        self._lock = lock
        self._others = others

    def __call__(
        self, tenant: str, collection: str, requests: Sequence[IngestRequest], progress: Progress
    ) -> Iterator[IngestOutcome]:
        """One outcome per file and attachment, as each is done; the next file is read meanwhile.

        Args:
            tenant: whose documents these are.
            collection: made with default settings when it is new.
            requests: each is read when its turn has come, so that only two files are in memory.
            progress: told of each file's segments.

        Raises:
            Invalid: the collection's name, or a chosen id, cannot be one.
            Unavailable: a store or the parser does not answer. That ends the run: the files after it would fare
                no better, and what was done before stands.
        """
        _check(collection)
        requests = [_checked(request) for request in requests]
        with self._lock.hold(tenant):
            yield from self.within(tenant, collection, requests, progress)

    def within(
        self, tenant: str, collection: str, requests: Sequence[IngestRequest], progress: Progress
    ) -> Iterator[IngestOutcome]:
        """The same for a caller who holds the tenant's lock."""
        files = self._prepared(tenant, collection, requests)
        for start in range(0, len(files), _QUEUED_AT_ONCE):
            self._ingest.queue(tenant, files[start : start + _QUEUED_AT_ONCE])
        for draft in one_ahead(files, self._ingest.begin, self._ingest.draft):
            yield from self._one(draft, progress)

    def refuse(self, tenant: str, collection: str, request: IngestRequest, reason: str) -> None:
        """The file's record says why it cannot be brought in; the caller holds the tenant's lock."""
        files = self._prepared(tenant, collection, [request])
        self._ingest.queue(tenant, files)
        for file in files:
            self._ingest.refuse(file, reason)

    def _prepared(self, tenant: str, collection: str, requests: Sequence[IngestRequest]) -> list[IngestRequest]:
        _check(collection)
        files = [_checked(request) for request in requests]
        self._settle.all_stale(tenant, self._awaited(collection, files))
        language = self._collection(tenant, collection).language
        return [replace(file, language=language) for file in files]

    def _awaited(self, collection: str, files: Sequence[IngestRequest]) -> Callable[[Document], bool]:
        """What an interrupted run had queued and this one will read goes on waiting."""
        paths = {file.source_path for file in files}

        def awaited(document: Document) -> bool:
            if document.collection != collection or document.source_path not in paths:
                return self._others(document)
            return document.state is DocumentState.QUEUED and document.parent is None

        return awaited

    def _collection(self, tenant: str, name: str) -> Collection:
        known = {each.name: each for each in self._collections.all(tenant)}
        if name not in known:
            known[name] = Collection(name, DEFAULT_BM25_WEIGHT)
            self._collections.put(tenant, known[name])
        return known[name]

    def _one(self, draft: Draft, progress: Progress) -> list[IngestOutcome]:
        try:
            return self._ingest(draft, progress)
        except Conflict:
            return [IngestOutcome(IngestStatus.REFUSED, draft.request.file_name, None, CHANGED_MEANWHILE)]


def _check(collection: str) -> None:
    if not is_doc_id(collection):
        raise Invalid(f"{collection!r} cannot be a collection: use letters, digits, '.', '_' and '-'.")


def _checked(request: IngestRequest) -> IngestRequest:
    if request.doc_id is not None and not is_doc_id(request.doc_id):
        raise Invalid(f"{request.doc_id!r} cannot be a document id: use letters, digits, '.', '_', '-'; 120 at most.")
    return replace(request, file_name=shown_name(request.file_name, request.doc_id))
