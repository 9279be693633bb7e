"""Processor of object events, one at a time per tenant; events may come twice, delayed and out of order.

The current state of a file counts, not the state in the event. The event processed last therefore sees the last state,
and later ones find nothing left to do.
"""

import logging
from collections.abc import Callable, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from functools import partial
from typing import Final

from groundwire.domain.documents.record import PENDING_STATES, Document, DocumentState, Refusal, RefusalCause
from groundwire.domain.errors import Conflict, InvalidInput, NotFound, ParserBroken, ResourceBusy, Unavailable
from groundwire.ports import (
    ClaimResult,
    Clock,
    DeletableObjects,
    Documents,
    EventClaims,
    IngestLock,
    WakeableIndexes,
    WorkQueue,
)
from groundwire.services.documents.reconcile import Reconciler
from groundwire.services.ingest.source_objects.source_paths import SourceFileKind, SourcePath, classify_path
from groundwire.services.object_events.embedding_cache import CachingEmbedders, OutOfTime
from groundwire.services.object_events.object_ingestion import ObjectIngestion
from groundwire.services.object_events.subtree import SubtreeUpdater
from groundwire.services.object_events.tasks import (
    QUICK_RETRY_SECONDS,
    FollowUp,
    ObjectChanged,
    ReconcileStale,
    SidecarChange,
    Task,
    UpdateSubtree,
    to_message,
)
from groundwire.services.uploads.ingestion import UploadIngestion, UploadResult

_LOG: Final = logging.getLogger(__name__)
CLAIM_SECONDS: Final = 960.0
"""Duration of a claim, equal to a lease of the lock: a process that dies blocks an event no longer than its tenant."""
RETRY_WINDOW_SECONDS: Final = 3 * 3_600.0
"""Time for which messages about a document in progress are redelivered."""


def is_retry_pending(clock: Clock) -> Callable[[Document], bool]:
    """Return a predicate for documents in progress with a message still to come, which are not leftovers."""
    return lambda document: document.state in PENDING_STATES and clock() - document.updated_at < RETRY_WINDOW_SECONDS


def is_deferred_to_sweep(clock: Clock) -> Callable[[Document], bool]:
    """Return a predicate for documents that a batch leaves to the sweep.

    These are documents with a pending retry, and complete ones whose rows only need another policy: there may be
    thousands.
    """
    is_retried = is_retry_pending(clock)

    def is_deferred(document: Document) -> bool:
        is_whole = document.state is DocumentState.INDEXED and document.ingestion.started_version <= document.version
        return is_whole or is_retried(document)

    return is_deferred


@dataclass(frozen=True, slots=True)
class ProcessorDependencies:
    """Dependencies of the processor."""

    lock: IngestLock
    event_claims: EventClaims
    documents: Documents
    sources: DeletableObjects
    object_ingestion: ObjectIngestion
    upload_ingestion: UploadIngestion
    subtree_updater: SubtreeUpdater
    embedders: CachingEmbedders
    reconciler: Reconciler
    indexes: Sequence[WakeableIndexes]
    queue: WorkQueue
    clock: Clock


class ObjectEventProcessor:
    """Processor of one task at a time; follow-up tasks are sent to the queue before the task counts as done."""

    def __init__(self, dependencies: ProcessorDependencies) -> None:
        self._dependencies = dependencies

    def __call__(self, task: Task, is_out_of_time: Callable[[], bool], final_failure: str | None) -> None:
        """Process a task; a task of a deleted tenant does nothing.

        Args:
            task: the task.
            is_out_of_time: returns whether the time is over; the rest of a large task is then sent as a follow-up.
            final_failure: reason to record, if this is the last attempt and it fails; None: more attempts follow.

        Raises:
            Conflict, Unavailable: somebody else changed the document, or a service does not respond; the same task may
                succeed later.
        """
        if isinstance(task, ObjectChanged) and classify_path(task.path).kind is SourceFileKind.IGNORED:
            return
        if isinstance(task, ReconcileStale) and task.tenant is None:
            self._start_sweeps()
            return
        with ExitStack() as stack:
            try:
                stack.enter_context(self._dependencies.lock.hold(task.tenant or ""))
            except ResourceBusy:
                self._send([FollowUp(task, QUICK_RETRY_SECONDS)])
            except NotFound:
                self._delete_orphaned_upload(task)
            else:
                self._process(task, is_out_of_time, final_failure)

    def _start_sweeps(self) -> None:
        """Send a task for each tenant with stale documents or with rows of an earlier form."""
        stale = self._dependencies.documents.tenants_with_stale_documents()
        self._send([FollowUp(ReconcileStale(tenant)) for tenant in stale])
        # Afterwards: no stale document waits for the index. Where it does not respond, the next sweep looks again.
        with suppress(Unavailable):
            # An engine that sleeps is woken by the tasks of stale documents anyway, and for nothing else.
            found = [each.outdated_tenants(may_wake=bool(stale)) for each in self._dependencies.indexes]
            outdated = {tenant for tenants in found for tenant in tenants}
            self._send([FollowUp(ReconcileStale(tenant)) for tenant in sorted(outdated.difference(stale))])

    def _delete_orphaned_upload(self, task: Task) -> None:
        """Delete a file that was uploaded after the deletion of its tenant, since no other process would."""
        if not isinstance(task, ObjectChanged) or classify_path(task.path).kind is not SourceFileKind.UPLOAD:
            return
        # An invalid tenant id was never in a form.
        with suppress(InvalidInput):
            while (file := self._dependencies.sources.find(task.tenant, task.path)) is not None:
                self._dependencies.sources.delete(task.tenant, task.path, file.version)

    def refuse(self, task: Task, refusal: Refusal) -> None:
        """Record why the task's file was not ingested."""
        if not isinstance(task, ObjectChanged):
            return
        with ExitStack() as stack:
            try:
                stack.enter_context(self._dependencies.lock.hold(task.tenant))
            except NotFound:
                return
            self._refuse(task, refusal)

    def _refuse(self, task: ObjectChanged, refusal: Refusal) -> None:
        path = classify_path(task.path)
        if path.kind is SourceFileKind.DOCUMENT:
            self._dependencies.object_ingestion.refuse(task.tenant, path, _put_at(task), refusal)
        elif path.kind is SourceFileKind.UPLOAD:
            self._dependencies.upload_ingestion.refuse(task.tenant, path.ticket, refusal)

    def _process(self, task: Task, is_out_of_time: Callable[[], bool], final_failure: str | None) -> None:
        match task:
            case ObjectChanged():
                self._process_change(task, is_out_of_time, final_failure)
            case UpdateSubtree():
                self._send(self._dependencies.subtree_updater(task, is_out_of_time))
            case ReconcileStale():
                if not self._dependencies.reconciler.reconcile_stale(
                    task.tenant or "", is_retry_pending(self._dependencies.clock), is_out_of_time
                ):
                    self._send([FollowUp(task)])
                else:
                    self._dependencies.reconciler.rewrite_rows(task.tenant or "")

    def _process_change(
        self, task: ObjectChanged, is_out_of_time: Callable[[], bool], final_failure: str | None
    ) -> None:
        if task.sequencer is None:
            self._send(self._process_object(task, is_out_of_time))
            return
        claims, now = self._dependencies.event_claims, self._dependencies.clock()
        result = claims.claim(task.tenant, task.path, task.sequencer, now, now + CLAIM_SECONDS)
        if result is ClaimResult.CLAIMED:
            self._process_claimed(task, task.sequencer, is_out_of_time, final_failure)
        elif result is ClaimResult.BUSY:
            self._send([FollowUp(task, QUICK_RETRY_SECONDS)])

    def _process_claimed(
        self, task: ObjectChanged, sequencer: str, is_out_of_time: Callable[[], bool], final_failure: str | None
    ) -> None:
        done = False
        try:
            if final_failure is not None:
                # Recorded first: a killed process has no time for it. The task is tried anyway.
                with suppress(Conflict, Unavailable):
                    self._refuse(task, Refusal(RefusalCause.CONTENT, final_failure))
            follow_ups = self._process_object(task, is_out_of_time)
            self._send(follow_ups)
            done = FollowUp(task) not in follow_ups
        finally:
            claims = self._dependencies.event_claims
            (claims.finish if done else claims.release)(task.tenant, task.path, sequencer)

    def _send(self, follow_ups: list[FollowUp]) -> None:
        for delay_s in sorted({follow_up.delay_seconds for follow_up in follow_ups}):
            self._dependencies.queue.send(
                [to_message(follow_up.task) for follow_up in follow_ups if follow_up.delay_seconds == delay_s], delay_s
            )

    def _process_object(self, task: ObjectChanged, is_out_of_time: Callable[[], bool]) -> list[FollowUp]:
        """Process the object; return the task itself as a follow-up where it ran out of time.

        A parser that cannot start ends the task: the record has the reason, and the operator rebuilds the tenant.
        """
        try:
            return self._dispatch(task, classify_path(task.path), is_out_of_time)
        except OutOfTime:
            return [FollowUp(task)]
        except ParserBroken:
            _LOG.exception("the parser cannot start: mend it, then run `rebuild` for the tenant")
            return []

    def _dispatch(self, task: ObjectChanged, path: SourcePath, is_out_of_time: Callable[[], bool]) -> list[FollowUp]:
        match path.kind:
            case SourceFileKind.DOCUMENT:
                self._dependencies.object_ingestion.ingest(task.tenant, path, _put_at(task), is_out_of_time)
            case SourceFileKind.OWN_METADATA:
                self._dependencies.object_ingestion.ingest(
                    task.tenant, classify_path(path.described_path), None, is_out_of_time
                )
            case SourceFileKind.UPLOAD:
                self._ingest_upload(task, path, is_out_of_time)
            case SourceFileKind.POLICY:
                return self._dependencies.subtree_updater(
                    UpdateSubtree(task.tenant, path.folder, SidecarChange.POLICY, ""), is_out_of_time
                )
            case SourceFileKind.METADATA:
                return self._dependencies.subtree_updater(
                    UpdateSubtree(task.tenant, path.folder, SidecarChange.METADATA, ""), is_out_of_time
                )
            case SourceFileKind.IGNORED:
                pass
        return []

    def _ingest_upload(self, task: ObjectChanged, path: SourcePath, is_out_of_time: Callable[[], bool]) -> None:
        """Ingest each version of the uploaded object, then delete it: its content is stored with the document.

        A version without a ticket is deleted as well. One that the parser did not read stays for a rebuild.
        """
        sources = self._dependencies.sources
        while (file := sources.find(task.tenant, task.path)) is not None:
            read = partial(sources.read, task.tenant, task.path, file.version)
            with self._dependencies.embedders.cache_for(task.tenant, task.path, is_out_of_time):
                result = self._dependencies.upload_ingestion.ingest_under_lock(
                    task.tenant, path.ticket, file.version, task.event_at, read
                )
            if result is UploadResult.UNREAD:
                return
            sources.delete(task.tenant, task.path, file.version)


def _put_at(task: ObjectChanged) -> float | None:
    """Return when the file itself was put; None where a sidecar file changed."""
    return None if task.sequencer is None else task.event_at
