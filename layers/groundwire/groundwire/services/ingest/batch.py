"""Ingest many files for a tenant: one run at a time, leftovers cleared first, a bad file never stops the others."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace
from typing import Final, TypeVar

from groundwire.domain.documents.collection import Collection
from groundwire.domain.documents.ids import is_doc_id
from groundwire.domain.documents.record import Document, DocumentState
from groundwire.domain.errors import Conflict, InvalidInput
from groundwire.domain.search.fusion import DEFAULT_BM25_WEIGHT
from groundwire.ports import Collections, IngestLock
from groundwire.services.ingest.display_names import display_name
from groundwire.services.ingest.draft import IngestDraft
from groundwire.services.ingest.file_ingestion import FileIngestion
from groundwire.services.ingest.request import CHANGED_CONCURRENTLY, IngestRequest, IngestResult, IngestStatus
from groundwire.services.ingest.segments import SegmentProgress
from groundwire.services.reconcile import Reconciler

Item = TypeVar("Item")
Result = TypeVar("Result")


def map_with_lookahead(
    items: Iterable[Item], before_each: Callable[[Item], None], work: Callable[[Item], Result]
) -> Iterator[Result]:
    """`work` of each item in order, done by a thread while the result before is being used: two at most are held.

    A caller who takes no more results does not wait for the work that is under way.

    Args:
        items: taken one by one.
        before_each: called by the caller's own thread just before the item's work starts.
        work: an error that it raises is raised when its result's turn has come.
    """
    ahead = ThreadPoolExecutor(1, thread_name_prefix="ingest-ahead")
    try:
        pending: Future[Result] | None = None
        for item in items:
            before_each(item)
            following = ahead.submit(work, item)
            if pending is not None:
                yield pending.result()
            pending = following
        if pending is not None:
            yield pending.result()
    finally:
        ahead.shutdown(wait=False, cancel_futures=True)


_QUEUE_BATCH_SIZE: Final = 500


class IngestBatch:
    """Runs `Ingest` over files under the tenant's lock."""

    def __init__(
        self,
        ingest: FileIngestion,
        reconciler: Reconciler,
        collections: Collections,
        lock: IngestLock,
        is_in_progress_elsewhere: Callable[[Document], bool] = lambda _document: False,
    ) -> None:
        """`is_in_progress_elsewhere`: whether somebody else is at what seems left over; not asked of the files that are brought in."""
        self._ingest = ingest
        self._reconciler = reconciler
        self._collections = collections
        self._lock = lock
        self._is_in_progress_elsewhere = is_in_progress_elsewhere

    def __call__(
        self, tenant: str, collection: str, requests: Sequence[IngestRequest], progress: SegmentProgress
    ) -> Iterator[IngestResult]:
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
        _check_collection(collection)
        requests = [_checked_request(request) for request in requests]
        with self._lock.hold(tenant):
            yield from self.ingest_with_lock_held(tenant, collection, requests, progress)

    def ingest_with_lock_held(
        self, tenant: str, collection: str, requests: Sequence[IngestRequest], progress: SegmentProgress
    ) -> Iterator[IngestResult]:
        """The same for a caller who holds the tenant's lock."""
        files = self._prepared(tenant, collection, requests)
        for start in range(0, len(files), _QUEUE_BATCH_SIZE):
            self._ingest.queue(tenant, files[start : start + _QUEUE_BATCH_SIZE])
        for draft in map_with_lookahead(files, self._ingest.start, self._ingest.read_draft):
            yield from self._ingest_one(draft, progress)

    def refuse(self, tenant: str, collection: str, request: IngestRequest, reason: str) -> None:
        """The file's record says why it cannot be brought in; the caller holds the tenant's lock."""
        files = self._prepared(tenant, collection, [request])
        self._ingest.queue(tenant, files)
        for file in files:
            self._ingest.refuse(file, reason)

    def _prepared(self, tenant: str, collection: str, requests: Sequence[IngestRequest]) -> list[IngestRequest]:
        _check_collection(collection)
        files = [_checked_request(request) for request in requests]
        self._reconciler.reconcile_stale(tenant, self._is_pending(collection, files))
        language = self._collection(tenant, collection).language
        return [replace(file, language=language) for file in files]

    def _is_pending(self, collection: str, files: Sequence[IngestRequest]) -> Callable[[Document], bool]:
        """What an interrupted run had queued and this one will read goes on waiting."""
        paths = {file.source_path for file in files}

        def awaited(document: Document) -> bool:
            if document.collection != collection or document.source_path not in paths:
                return self._is_in_progress_elsewhere(document)
            return document.state is DocumentState.QUEUED and document.parent is None

        return awaited

    def _collection(self, tenant: str, name: str) -> Collection:
        known = {each.name: each for each in self._collections.all(tenant)}
        if name not in known:
            known[name] = Collection(name, DEFAULT_BM25_WEIGHT)
            self._collections.put(tenant, known[name])
        return known[name]

    def _ingest_one(self, draft: IngestDraft, progress: SegmentProgress) -> list[IngestResult]:
        try:
            return self._ingest(draft, progress)
        except Conflict:
            return [IngestResult(IngestStatus.REFUSED, draft.request.file_name, None, CHANGED_CONCURRENTLY)]


def _check_collection(collection: str) -> None:
    if not is_doc_id(collection):
        raise InvalidInput(f"{collection!r} cannot be a collection: use letters, digits, '.', '_' and '-'.")


def _checked_request(request: IngestRequest) -> IngestRequest:
    if request.doc_id is not None and not is_doc_id(request.doc_id):
        raise InvalidInput(
            f"{request.doc_id!r} cannot be a document id: use letters, digits, '.', '_', '-'; 120 at most."
        )
    return replace(request, file_name=display_name(request.file_name, request.doc_id))
