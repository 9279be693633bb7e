"""Batch ingestion of files, one run per tenant at a time; an unreadable file does not stop the others."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace
from typing import Final, TypeVar

from groundwire.domain.documents.collection import Collection
from groundwire.domain.documents.ids import is_doc_id
from groundwire.domain.documents.record import Document, DocumentState
from groundwire.domain.errors import Conflict, InvalidInput
from groundwire.domain.search.fusion import DEFAULT_BM25_WEIGHT
from groundwire.ports import Clock, Collections, IngestLock
from groundwire.services.documents.reconcile import Reconciler
from groundwire.services.ingest.display_names import display_name
from groundwire.services.ingest.draft import IngestDraft
from groundwire.services.ingest.file_ingestion import FileIngestion
from groundwire.services.ingest.request import CHANGED_CONCURRENTLY, IngestRequest, IngestResult, IngestStatus
from groundwire.services.ingest.rows.segments import SegmentProgress

Item = TypeVar("Item")
Result = TypeVar("Result")


def map_with_lookahead(
    items: Iterable[Item], before_each: Callable[[Item], None], work: Callable[[Item], Result]
) -> Iterator[Result]:
    """Yield `work` of each item in order, computed by a thread while the caller uses the previous result.

    At most two results exist at a time. A caller who takes no more results does not wait for running work.

    Args:
        items: taken one by one.
        before_each: called by the caller's own thread just before the item's work starts.
        work: its error is raised in place of its result.
    """
    executor = ThreadPoolExecutor(1, thread_name_prefix="ingest-ahead")
    try:
        pending: Future[Result] | None = None
        for item in items:
            before_each(item)
            submitted = executor.submit(work, item)
            if pending is not None:
                yield pending.result()
            pending = submitted
        if pending is not None:
            yield pending.result()
    finally:
        executor.shutdown(wait=False, cancel_futures=True)


_QUEUE_BATCH_SIZE: Final = 500


class IngestBatch:
    """Runner of `FileIngestion` over files under the tenant's lock."""

    def __init__(
        self,
        ingest: FileIngestion,
        reconciler: Reconciler,
        collections: Collections,
        lock: IngestLock,
        clock: Clock,
        is_in_progress: Callable[[Document], bool] = lambda _document: False,
    ) -> None:
        """Initialise.

        Args:
            ingest: ingests single files.
            reconciler: repairs what an interrupted run left.
            collections: store of collections.
            lock: ingest lock.
            clock: epoch seconds.
            is_in_progress: returns whether another process works on a stale document; not called for files of this
                batch.
        """
        self._ingest = ingest
        self._reconciler = reconciler
        self._collections = collections
        self._lock = lock
        self._clock = clock
        self._is_in_progress = is_in_progress

    def __call__(
        self, tenant: str, collection: str, requests: Sequence[IngestRequest], progress: SegmentProgress
    ) -> Iterator[IngestResult]:
        """Yield one result per file and attachment, as each is done; the next file is parsed meanwhile.

        Args:
            tenant: owner of the documents.
            collection: created with default settings when it is new.
            requests: read one after the other, so that only two files are in memory.
            progress: called with each file's segments.

        Raises:
            InvalidInput: the collection's name, or a chosen id, is not valid.
            Unavailable: a store or the parser does not respond. This ends the run, since the next files would fail as
                well; finished files stay ingested.
        """
        _check_collection(collection)
        requests = [_checked_request(request) for request in requests]
        with self._lock.hold(tenant):
            yield from self.ingest_under_lock(tenant, collection, requests, progress)

    def ingest_under_lock(
        self, tenant: str, collection: str, requests: Sequence[IngestRequest], progress: SegmentProgress
    ) -> Iterator[IngestResult]:
        """Ingest as `__call__` does, for a caller who holds the tenant's lock."""
        files = self._prepared(tenant, collection, requests)
        for start in range(0, len(files), _QUEUE_BATCH_SIZE):
            self._ingest.queue(tenant, files[start : start + _QUEUE_BATCH_SIZE])
        for draft in map_with_lookahead(files, self._ingest.start, self._ingest.read_draft):
            yield from self._ingest_one(draft, progress)

    def refuse(self, tenant: str, collection: str, request: IngestRequest, reason: str) -> None:
        """Record why the file cannot be ingested; the caller holds the tenant's lock."""
        files = self._prepared(tenant, collection, [request])
        self._ingest.queue(tenant, files)
        for file in files:
            self._ingest.refuse(file, reason)

    def _prepared(self, tenant: str, collection: str, requests: Sequence[IngestRequest]) -> list[IngestRequest]:
        _check_collection(collection)
        files = [_checked_request(request) for request in requests]
        self._reconciler.reconcile_stale(tenant, self._is_pending(collection, files))
        self._reconciler.rewrite_rows(tenant)
        language = self._collection(tenant, collection).language
        return [replace(file, language=language) for file in files]

    def _is_pending(self, collection: str, files: Sequence[IngestRequest]) -> Callable[[Document], bool]:
        """Return a predicate for stale records that stay: queued by an interrupted run and part of this one."""
        paths = {file.source_path for file in files}

        def is_pending(document: Document) -> bool:
            if document.collection != collection or document.source_path not in paths:
                return self._is_in_progress(document)
            return document.state is DocumentState.QUEUED and document.parent is None

        return is_pending

    def _collection(self, tenant: str, name: str) -> Collection:
        by_name = {each.name: each for each in self._collections.all(tenant)}
        if name not in by_name:
            by_name[name] = Collection(name, DEFAULT_BM25_WEIGHT, created_at=self._clock())
            self._collections.put(tenant, by_name[name])
        return by_name[name]

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
