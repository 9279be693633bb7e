"""Batch ingestion of files, one file per tenant at a time; an unreadable file does not stop the others."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import AbstractContextManager, suppress
from dataclasses import replace
from typing import Final, TypeVar

from groundwire.domain.access.policy import NO_READERS
from groundwire.domain.access.policy_source import DeclaredPolicy
from groundwire.domain.documents.collection import Collection
from groundwire.domain.documents.ids import is_doc_id
from groundwire.domain.documents.record import Document, Refusal, RefusalCause
from groundwire.domain.errors import Conflict, InvalidInput, ParserBroken, ParserBusy
from groundwire.domain.search.fusion import DEFAULT_BM25_WEIGHT
from groundwire.ports import Clock, Collections, IngestLock
from groundwire.services.documents.reconcile import Reconciler
from groundwire.services.ingest.document_match import FileMatch
from groundwire.services.ingest.draft import IngestDraft
from groundwire.services.ingest.file_ingestion import FileIngestion
from groundwire.services.ingest.request import IngestRequest, IngestResult, conflict_result, present_policy
from groundwire.services.ingest.rows.segments import SegmentProgress
from groundwire.services.ingest.source_objects.display_names import display_name
from groundwire.services.ingest.source_objects.sidecars import PolicyFileRefused

_MEND: Final = "The operator of the service can find the cause, and then have the file read again."

Item = TypeVar("Item")
Result = TypeVar("Result")


def map_with_lookahead(items: Iterable[Item], work: Callable[[Item], Result]) -> Iterator[Result]:
    """Yield `work` of each item in order, computed by a thread while the caller uses the previous result.

    At most two results exist at a time. A caller who takes no more results does not wait for running work. An error of
    `work` is raised in place of its result.
    """
    executor = ThreadPoolExecutor(1, thread_name_prefix="ingest-ahead")
    try:
        pending: Future[Result] | None = None
        for item in items:
            submitted = executor.submit(work, item)
            if pending is not None:
                yield pending.result()
            pending = submitted
        if pending is not None:
            yield pending.result()
    finally:
        executor.shutdown(wait=False, cancel_futures=True)


_QUEUE_BATCH_SIZE: Final = 500

HoldRun = Callable[[str], AbstractContextManager[None]]
"""Function that holds off other runs over a tenant's files for the block."""


class IngestBatch:
    """Runner of `FileIngestion` over files under the tenant's lock."""

    def __init__(
        self,
        ingest: FileIngestion,
        reconciler: Reconciler,
        collections: Collections,
        lock: IngestLock,
        clock: Clock,
        hold_run: HoldRun,
        is_in_progress: Callable[[Document], bool] = lambda _document: False,
        forget_queued: Callable[[str], None] = lambda _tenant: None,
    ) -> None:
        """Initialise.

        Args:
            ingest: ingests single files.
            reconciler: repairs what an interrupted run left.
            collections: store of collections.
            lock: ingest lock.
            clock: epoch seconds.
            hold_run: holds off other runs over the tenant's files, so that runs follow each other.
            is_in_progress: returns whether another process works on a stale document.
            forget_queued: removes the files that an earlier run announced and never read; by default, they stay.
        """
        self._ingest = ingest
        self._reconciler = reconciler
        self._collections = collections
        self._lock = lock
        self._clock = clock
        self._hold_run = hold_run
        self._is_in_progress = is_in_progress
        self._forget_queued = forget_queued

    def __call__(
        self, tenant: str, collection: str, requests: Sequence[IngestRequest], progress: SegmentProgress
    ) -> Iterator[IngestResult]:
        """Yield one result per file and attachment, as each is done; the next file is parsed meanwhile.

        The lock is held for one file at a time, so that an upload comes in during a long run. Runs follow each other:
        the one that began later has the last word on content and policies.

        Args:
            tenant: owner of the documents.
            collection: created with default settings when it is new.
            requests: read one after the other, so that only two files are in memory.
            progress: called with each file's segments.

        Raises:
            InvalidInput: the collection's name, or a chosen id, is not valid.
            ParserBusy, ParserBroken: the parser does not run; the record of its file says so. This ends the run, since
                the next files would fail as well; finished files stay ingested.
            Unavailable: a store does not respond; the run ends in the same way.
        """
        with self.hold_run(tenant):
            yield from self.ingest_within_run(tenant, collection, requests, progress)

    def hold_run(self, tenant: str) -> AbstractContextManager[None]:
        """Hold off other runs over the tenant's files for the block."""
        return self._hold_run(tenant)

    def ingest_within_run(
        self, tenant: str, collection: str, requests: Sequence[IngestRequest], progress: SegmentProgress
    ) -> Iterator[IngestResult]:
        """Ingest the files for a caller who holds the run; arguments and errors are those of `__call__`."""
        files = checked_requests(collection, requests)
        with self._lock.hold(tenant):
            self._forget_queued(tenant)
            self._lift_deletions(files)
            files = self._prepared(tenant, collection, files)
            self._ingest.queue(tenant, files[:_QUEUE_BATCH_SIZE])
        # The lock is free between the batches, so that an upload comes in meanwhile.
        for start in range(_QUEUE_BATCH_SIZE, len(files), _QUEUE_BATCH_SIZE):
            with self._lock.hold(tenant):
                self._ingest.queue(tenant, files[start : start + _QUEUE_BATCH_SIZE])
        drafts = map_with_lookahead(files, self._ingest.read_draft)
        for file in files:
            try:
                draft = next(drafts)
            except (ParserBusy, ParserBroken) as error:
                with self._lock.hold(tenant):
                    self._record_unread(file, error)
                raise
            with self._lock.hold(tenant):
                results = self._ingest_one(draft, progress)
            yield from results

    def find(self, request: IngestRequest) -> FileMatch:
        """Look up the records of a file; the caller holds the tenant's lock."""
        return self._ingest.find(request)

    def ingest_under_lock(
        self, request: IngestRequest, match: FileMatch | None, progress: SegmentProgress
    ) -> list[IngestResult]:
        """Ingest one file for a caller who holds the tenant's lock; errors are those of `__call__`.

        Args:
            request: the file.
            match: records that `find` returned for it; None: they are looked up.
            progress: called with its segments.
        """
        files = checked_requests(request.collection, [request])
        self._lift_deletions(files)
        [file] = self._prepared(request.tenant, request.collection, files)
        # After a restoration the records are other ones.
        match = self._ingest.start(file, self._ingest.find(file) if match is None or file.restores else match)
        try:
            draft = self._ingest.read_draft(file, match)
        except (ParserBusy, ParserBroken) as error:
            self._record_unread(file, error)
            raise
        return self._ingest_one(draft, progress)

    def refuse(self, request: IngestRequest, refusal: Refusal) -> None:
        """Record why the file cannot be ingested; the caller holds the tenant's lock."""
        files = checked_requests(request.collection, [request])
        [file] = self._prepared(request.tenant, request.collection, files)
        self._ingest.refuse(file, refusal)

    def _lift_deletions(self, files: Sequence[IngestRequest]) -> None:
        for file in files:
            if file.restores:
                self._ingest.lift_deletions(file)

    def _prepared(self, tenant: str, collection: str, files: Sequence[IngestRequest]) -> list[IngestRequest]:
        self._reconciler.reconcile_stale(tenant, self._is_in_progress)
        self._reconciler.rewrite_rows(tenant)
        language = self._collection(tenant, collection).language
        return [replace(file, language=language) for file in files]

    def _collection(self, tenant: str, name: str) -> Collection:
        by_name = {each.name: each for each in self._collections.all(tenant)}
        if name in by_name:
            self._ingest.deletions.collection_exists(tenant, name)
            return by_name[name]
        former = self._ingest.deletions.read(tenant, name).former
        new = Collection(
            name,
            DEFAULT_BM25_WEIGHT,
            created_at=self._clock(),
            policy_authority=former.settings.policy_authority,
            no_originals=former.settings.no_originals,
        )
        # A collection that a person deleted is not created by a run that brings its files again.
        if former.deletion is None and not self._collections.add(tenant, new):
            # Meanwhile a person has created it with settings of its own.
            return self._collection(tenant, name)
        return new

    def _under_present_policy(self, draft: IngestDraft) -> IngestDraft:
        """Return the draft under the policy files as they are now; refused where they are not valid.

        A policy file that cannot be parsed changes nobody's readers. Otherwise they are unknown, and nobody may read.
        """
        request = draft.request
        try:
            return replace(draft, request=request.with_present_policy())
        except PolicyFileRefused as error:
            request = replace(request, policy=present_policy(self._ingest.find(request).current))
            refusal = Refusal(RefusalCause.SIDECAR_FILE, str(error))
        except InvalidInput as error:
            request = replace(request, policy=DeclaredPolicy(None, NO_READERS))
            refusal = Refusal(RefusalCause.SIDECAR_FILE, str(error))
        return replace(draft, request=request, content=None, refusal=refusal)

    def _ingest_one(self, draft: IngestDraft, progress: SegmentProgress) -> list[IngestResult]:
        try:
            return self._ingest(self._under_present_policy(draft), progress)
        except (ParserBusy, ParserBroken) as error:
            self._record_unread(draft.request, error)
            raise
        except Conflict:
            return [conflict_result(draft.request)]

    def _record_unread(self, file: IngestRequest, error: ParserBusy | ParserBroken) -> None:
        """Record at once why the file is not read; somebody else's change of the document has precedence."""
        with suppress(Conflict):
            self._ingest.refuse(file, _refusal_by_parser(error))


def _refusal_by_parser(error: ParserBusy | ParserBroken) -> Refusal:
    if isinstance(error, ParserBusy):
        return Refusal(RefusalCause.PARSER_BUSY, str(error))
    return Refusal(RefusalCause.PARSER_BROKEN, f"{error} {_MEND}")


def checked_requests(collection: str, requests: Sequence[IngestRequest]) -> list[IngestRequest]:
    """Return the requests with display names.

    Raises:
        InvalidInput: the collection's name, or a chosen id, is not valid.
    """
    if not is_doc_id(collection):
        raise InvalidInput(f"{collection!r} cannot be a collection: use letters, digits, '.', '_' and '-'.")
    return [_checked_request(request) for request in requests]


def _checked_request(request: IngestRequest) -> IngestRequest:
    if request.doc_id is not None and not is_doc_id(request.doc_id):
        raise InvalidInput(
            f"{request.doc_id!r} cannot be a document id: use letters, digits, '.', '_', '-'; 120 at most."
        )
    return replace(request, file_name=display_name(request.file_name, request.doc_id))
