"""News of a tenant's files, carried out one at a time per tenant: it may come twice, late and out of order.

What a file is now counts, not what the news said of it. So whichever comes last sees the last state, and what comes
after it has nothing left to do.
"""

from collections.abc import Callable
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from functools import partial
from typing import Final

from groundwire.domain.documents.record import PENDING_STATES, Document, DocumentState
from groundwire.domain.errors import Conflict, InvalidInput, NotFound, ResourceBusy, Unavailable
from groundwire.ports import ClaimResult, Clock, Documents, EventClaims, IngestLock, SourceObjects, WorkQueue
from groundwire.services.ingest.source_paths import SourceFileKind, SourcePath, classify_path
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
from groundwire.services.reconcile import Reconciler
from groundwire.services.uploads.ingestion import UploadIngestion

CLAIM_SECONDS: Final = 960.0
"""As long as a lease of the lock: who took a change and died holds it no longer than the tenant."""
RETRY_WINDOW_SECONDS: Final = 3 * 3_600.0
"""Messages about a document that is being read come again for so long, one after the other."""


def is_retry_pending(clock: Clock) -> Callable[[Document], bool]:
    """Whether a message about a document that was begun is still on its way, so that it is not left over."""
    return lambda document: document.state in PENDING_STATES and clock() - document.updated_at < RETRY_WINDOW_SECONDS


def is_deferred_to_sweep(clock: Clock) -> Callable[[Document], bool]:
    """The same, and whether nothing is left of a document but what its rows are to say: thousands may have to."""
    awaited = is_retry_pending(clock)

    def left(document: Document) -> bool:
        is_whole = document.state is DocumentState.INDEXED and document.started_version <= document.version
        return is_whole or awaited(document)

    return left


@dataclass(frozen=True, slots=True)
class ProcessorDependencies:
    """What arrivals are made of."""

    lock: IngestLock
    event_claims: EventClaims
    documents: Documents
    sources: SourceObjects
    object_ingestion: ObjectIngestion
    upload_ingestion: UploadIngestion
    subtree_updater: SubtreeUpdater
    embedders: CachingEmbedders
    reconciler: Reconciler
    queue: WorkQueue
    clock: Clock


class ObjectEventProcessor:
    """Carries out one task; what remains of it is sent to the queue of tasks before it counts as done."""

    def __init__(self, dependencies: ProcessorDependencies) -> None:
        self._dependencies = dependencies

    def __call__(self, task: Task, is_out_of_time: Callable[[], bool], final_failure: str | None) -> None:
        """Nothing is done for a tenant that is gone.

        Args:
            task: to carry out.
            is_out_of_time: whether the time is over; of large work the rest is then sent.
            final_failure: why, if this attempt is the last and does not come to its end; None: others follow.

        Raises:
            Conflict, Unavailable: somebody else changed the document, or a part does not answer; the same task may
                succeed later.
        """
        if isinstance(task, ObjectChanged) and classify_path(task.path).kind is SourceFileKind.IGNORED:
            return
        if isinstance(task, ReconcileStale) and task.tenant is None:
            self._send(
                [
                    FollowUp(ReconcileStale(tenant))
                    for tenant in self._dependencies.documents.tenants_with_stale_documents()
                ]
            )
            return
        with ExitStack() as held:
            try:
                held.enter_context(self._dependencies.lock.hold(task.tenant or ""))
            except ResourceBusy:
                self._send([FollowUp(task, QUICK_RETRY_SECONDS)])
            except NotFound:
                self._delete_orphaned_upload(task)
            else:
                self._process(task, is_out_of_time, final_failure)

    def _delete_orphaned_upload(self, task: Task) -> None:
        """A file that a form brought after its tenant was deleted is nobody's, and nobody would ever delete it."""
        if not isinstance(task, ObjectChanged) or classify_path(task.path).kind is not SourceFileKind.UPLOAD:
            return
        # What is no tenant's id was never in a form.
        with suppress(InvalidInput):
            while (file := self._dependencies.sources.find(task.tenant, task.path)) is not None:
                self._dependencies.sources.delete(task.tenant, task.path, file.version)

    def refuse(self, task: Task, reason: str) -> None:
        """The record of the file that the task is about says why it could not be brought in."""
        if not isinstance(task, ObjectChanged):
            return
        with ExitStack() as held:
            try:
                held.enter_context(self._dependencies.lock.hold(task.tenant))
            except NotFound:
                return
            self._refuse(task, reason)

    def _refuse(self, task: ObjectChanged, reason: str) -> None:
        place = classify_path(task.path)
        if place.kind is SourceFileKind.DOCUMENT:
            self._dependencies.object_ingestion.refuse(task.tenant, place, _put_at(task), reason)
        elif place.kind is SourceFileKind.UPLOAD:
            self._dependencies.upload_ingestion.refuse(task.tenant, place.ticket, reason)

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

    def _process_change(
        self, task: ObjectChanged, is_out_of_time: Callable[[], bool], final_failure: str | None
    ) -> None:
        if task.sequencer is None:
            self._send(self._process_object(task, is_out_of_time))
            return
        deliveries, now = self._dependencies.event_claims, self._dependencies.clock()
        heard = deliveries.claim(task.tenant, task.path, task.sequencer, now, now + CLAIM_SECONDS)
        if heard is ClaimResult.CLAIMED:
            self._process_claimed(task, task.sequencer, is_out_of_time, final_failure)
        elif heard is ClaimResult.BUSY:
            self._send([FollowUp(task, QUICK_RETRY_SECONDS)])

    def _process_claimed(
        self, task: ObjectChanged, sequencer: str, is_out_of_time: Callable[[], bool], final_failure: str | None
    ) -> None:
        done = False
        try:
            if final_failure is not None:
                # Said first: what ends a process from outside leaves no time to say it. It is tried all the same.
                with suppress(Conflict, Unavailable):
                    self._refuse(task, final_failure)
            ups = self._process_object(task, is_out_of_time)
            self._send(ups)
            done = FollowUp(task) not in ups
        finally:
            deliveries = self._dependencies.event_claims
            (deliveries.finish if done else deliveries.release)(task.tenant, task.path, sequencer)

    def _send(self, follow_ups: list[FollowUp]) -> None:
        for delay_s in sorted({up.delay_seconds for up in follow_ups}):
            self._dependencies.queue.send(
                [to_message(up.task) for up in follow_ups if up.delay_seconds == delay_s], delay_s
            )

    def _process_object(self, task: ObjectChanged, is_out_of_time: Callable[[], bool]) -> list[FollowUp]:
        """The task itself where it is to be gone on with."""
        try:
            return self._dispatch(task, classify_path(task.path), is_out_of_time)
        except OutOfTime:
            return [FollowUp(task)]

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
        """The object goes in the end: its content is kept with the document, and what has no ticket is none."""
        sources = self._dependencies.sources
        while (file := sources.find(task.tenant, task.path)) is not None:
            read = partial(sources.read, task.tenant, task.path, file.version)
            with self._dependencies.embedders.cache_for(task.tenant, task.path, is_out_of_time):
                self._dependencies.upload_ingestion.ingest_with_lock_held(
                    task.tenant, path.ticket, file.version, task.event_at, read
                )
            sources.delete(task.tenant, task.path, file.version)


def _put_at(task: ObjectChanged) -> float | None:
    """When the file itself changed; None where something that speaks of it did."""
    return None if task.sequencer is None else task.event_at
