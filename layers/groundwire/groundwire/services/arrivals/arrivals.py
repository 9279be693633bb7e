"""News of a tenant's files, carried out one at a time per tenant: it may come twice, late and out of order.

What a file is now counts, not what the news said of it. So whichever comes last sees the last state, and what comes
after it has nothing left to do.
"""

from collections.abc import Callable
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from functools import partial
from typing import Final

from groundwire.domain.documents import UNBEGUN, Document, DocumentState
from groundwire.domain.errors import Conflict, Invalid, NotFound, Occupied, Unavailable
from groundwire.ports import Clock, Deliveries, Delivery, Documents, IngestLock, SourceObjects, WorkQueue
from groundwire.services.arrivals.beneath import FollowBeneath
from groundwire.services.arrivals.budget import OutOfTime, RememberingEmbedders
from groundwire.services.arrivals.files import Files
from groundwire.services.arrivals.places import Kind, Place, place_of
from groundwire.services.arrivals.tasks import SOON_S, Beneath, FileNews, Follow, FollowUp, Sweep, Task, to_message
from groundwire.services.arrivals.uploaded import UploadArrival
from groundwire.services.settle import Settle

TAKEN_S: Final = 960.0
"""As long as a lease of the lock: who took a change and died holds it no longer than the tenant."""
PATIENCE_S: Final = 3 * 3_600.0
"""Messages about a document that is being read come again for so long, one after the other."""


def still_awaited(clock: Clock) -> Callable[[Document], bool]:
    """Whether a message about a document that was begun is still on its way, so that it is not left over."""
    return lambda document: document.state in UNBEGUN and clock() - document.updated_at < PATIENCE_S


def left_to_the_sweep(clock: Clock) -> Callable[[Document], bool]:
    """The same, and whether nothing is left of a document but what its rows are to say: thousands may have to."""
    awaited = still_awaited(clock)

    def left(document: Document) -> bool:
        is_whole = document.state is DocumentState.INDEXED and document.begun_version <= document.version
        return is_whole or awaited(document)

    return left


@dataclass(frozen=True, slots=True)
class ArrivalParts:
    """What arrivals are made of."""

    lock: IngestLock
    deliveries: Deliveries
    documents: Documents
    sources: SourceObjects
    files: Files
    uploaded: UploadArrival
    beneath: FollowBeneath
    memory: RememberingEmbedders
    settle: Settle
    queue: WorkQueue
    clock: Clock


class Arrivals:
    """Carries out one task; what remains of it is sent to the queue of tasks before it counts as done."""

    def __init__(self, parts: ArrivalParts) -> None:
        self._parts = parts

    def __call__(self, task: Task, is_spent: Callable[[], bool], given_up: str | None) -> None:
        """Nothing is done for a tenant that is gone.

        Args:
            task: to carry out.
            is_spent: whether the time is over; of large work the rest is then sent.
            given_up: why, if this attempt is the last and does not come to its end; None: others follow.

        Raises:
            Conflict, Unavailable: somebody else changed the document, or a part does not answer; the same task may
                succeed later.
        """
        if isinstance(task, FileNews) and place_of(task.path).kind is Kind.IGNORED:
            return
        if isinstance(task, Sweep) and task.tenant is None:
            self._send([FollowUp(Sweep(tenant)) for tenant in self._parts.documents.unsettled()])
            return
        with ExitStack() as held:
            try:
                held.enter_context(self._parts.lock.hold(task.tenant or ""))
            except Occupied:
                self._send([FollowUp(task, SOON_S)])
            except NotFound:
                self._drop(task)
            else:
                self._carry_out(task, is_spent, given_up)

    def _drop(self, task: Task) -> None:
        """A file that a form brought after its tenant was deleted is nobody's, and nobody would ever delete it."""
        if not isinstance(task, FileNews) or place_of(task.path).kind is not Kind.UPLOAD:
            return
        # What is no tenant's id was never in a form.
        with suppress(Invalid):
            while (file := self._parts.sources.find(task.tenant, task.path)) is not None:
                self._parts.sources.delete(task.tenant, task.path, file.version)

    def refuse(self, task: Task, reason: str) -> None:
        """The record of the file that the task is about says why it could not be brought in."""
        if not isinstance(task, FileNews):
            return
        with ExitStack() as held:
            try:
                held.enter_context(self._parts.lock.hold(task.tenant))
            except NotFound:
                return
            self._refuse(task, reason)

    def _refuse(self, task: FileNews, reason: str) -> None:
        place = place_of(task.path)
        if place.kind is Kind.DOCUMENT:
            self._parts.files.refuse(task.tenant, place, _put_at(task), reason)
        elif place.kind is Kind.UPLOAD:
            self._parts.uploaded.refuse(task.tenant, place.ticket, reason)

    def _carry_out(self, task: Task, is_spent: Callable[[], bool], given_up: str | None) -> None:
        match task:
            case FileNews():
                self._news(task, is_spent, given_up)
            case Beneath():
                self._send(self._parts.beneath(task, is_spent))
            case Sweep():
                if not self._parts.settle.all_stale(task.tenant or "", still_awaited(self._parts.clock), is_spent):
                    self._send([FollowUp(task)])

    def _news(self, task: FileNews, is_spent: Callable[[], bool], given_up: str | None) -> None:
        if task.sequencer is None:
            self._send(self._file(task, is_spent))
            return
        deliveries, now = self._parts.deliveries, self._parts.clock()
        heard = deliveries.take(task.tenant, task.path, task.sequencer, now, now + TAKEN_S)
        if heard is Delivery.TAKEN:
            self._taken(task, task.sequencer, is_spent, given_up)
        elif heard is Delivery.BUSY:
            self._send([FollowUp(task, SOON_S)])

    def _taken(self, task: FileNews, sequencer: str, is_spent: Callable[[], bool], given_up: str | None) -> None:
        done = False
        try:
            if given_up is not None:
                # Said first: what ends a process from outside leaves no time to say it. It is tried all the same.
                with suppress(Conflict, Unavailable):
                    self._refuse(task, given_up)
            ups = self._file(task, is_spent)
            self._send(ups)
            done = FollowUp(task) not in ups
        finally:
            deliveries = self._parts.deliveries
            (deliveries.finish if done else deliveries.release)(task.tenant, task.path, sequencer)

    def _send(self, ups: list[FollowUp]) -> None:
        for delay_s in sorted({up.delay_s for up in ups}):
            self._parts.queue.send([to_message(up.task) for up in ups if up.delay_s == delay_s], delay_s)

    def _file(self, task: FileNews, is_spent: Callable[[], bool]) -> list[FollowUp]:
        """The task itself where it is to be gone on with."""
        try:
            return self._of_kind(task, place_of(task.path), is_spent)
        except OutOfTime:
            return [FollowUp(task)]

    def _of_kind(self, task: FileNews, place: Place, is_spent: Callable[[], bool]) -> list[FollowUp]:
        match place.kind:
            case Kind.DOCUMENT:
                self._parts.files.bring(task.tenant, place, _put_at(task), is_spent)
            case Kind.OWN_METADATA:
                self._parts.files.bring(task.tenant, place_of(place.spoken_of), None, is_spent)
            case Kind.UPLOAD:
                self._upload(task, place, is_spent)
            case Kind.POLICY:
                return self._parts.beneath(Beneath(task.tenant, place.folder, Follow.POLICY, ""), is_spent)
            case Kind.METADATA:
                return self._parts.beneath(Beneath(task.tenant, place.folder, Follow.METADATA, ""), is_spent)
            case Kind.IGNORED:
                pass
        return []

    def _upload(self, task: FileNews, place: Place, is_spent: Callable[[], bool]) -> None:
        """The object goes in the end: its content is kept with the document, and what has no ticket is none."""
        sources = self._parts.sources
        while (file := sources.find(task.tenant, task.path)) is not None:
            read = partial(sources.read, task.tenant, task.path, file.version)
            with self._parts.memory.working(task.tenant, task.path, is_spent):
                self._parts.uploaded.within(task.tenant, place.ticket, file.version, task.at, read)
            sources.delete(task.tenant, task.path, file.version)


def _put_at(task: FileNews) -> float | None:
    """When the file itself changed; None where something that speaks of it did."""
    return None if task.sequencer is None else task.at
