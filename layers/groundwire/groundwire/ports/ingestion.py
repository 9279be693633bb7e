"""What turns a file into a document: its parser, the store of originals, one ingestion at a time."""

from contextlib import AbstractContextManager
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from groundwire.domain.documents import ParsedDocument
from groundwire.domain.uploads import Upload


class Parser(Protocol):
    """Bytes of a document to blocks, in a confined worker."""

    @property
    def version(self) -> str:
        """Names the parser and its version; part of the recipe that decides whether to parse again."""
        ...

    @property
    def recognition(self) -> str:
        """Names how pages without text are recognised, empty where they are not; concerns documents with such pages."""
        ...

    def parse(self, content: bytes, file_type: str) -> ParsedDocument:
        """The document's blocks, text normalised.

        Raises:
            DocumentRefused: the document cannot be read, with a reason its owner can act on.
        """
        ...


class Blobs(Protocol):
    """Stored originals."""

    def put(self, tenant: str, key: str, content: bytes) -> None:
        """The content is stored durably, whole or not at all."""
        ...

    def get(self, tenant: str, key: str) -> bytes:
        """Raises NotFound."""
        ...

    def address(self, tenant: str, key: str, file_name: str, seconds: int) -> str | None:
        """Where anybody can fetch it for so long, as an attachment of this name; None where only `get` gives it."""
        ...

    def delete(self, tenant: str, key: str) -> None:
        """No error when it is gone already."""
        ...

    def drop(self, tenant: str) -> int:
        """All of the tenant's blobs are gone; returns how many there were."""
        ...


@dataclass(frozen=True, slots=True)
class LockHolder:
    """Who holds an ingest lock, as far as that is known.

    Attributes:
        pid: the process on this machine; None where it may run elsewhere.
        done: of `total` files; both None where the holder does not report them.
    """

    pid: int | None
    done: int | None
    total: int | None


class IngestLock(Protocol):
    """One ingestion at a time per tenant, over all processes."""

    def hold(self, tenant: str) -> AbstractContextManager[None]:
        """Waits until no other holder is left; freed even when the holder dies.

        Raises:
            NotFound: the tenant is gone, or is being deleted (`Tenants.close`), in stores that several machines share.
        """
        ...

    def hold_last(self, tenant: str) -> AbstractContextManager[None]:
        """As `hold`, for the deletion itself: also where the tenant is being deleted, or is gone."""
        ...

    def holder(self, tenant: str) -> LockHolder | None:
        """Tells who holds it at this moment, to inform those who wait; None where nobody is known to."""
        ...

    def drop(self, tenant: str) -> None:
        """Nothing of a tenant that is gone remains of the lock; called by its holder."""
        ...


class Delivery(StrEnum):
    """What becomes of the news that a stored object changed."""

    TAKEN = "taken"
    STALE = "stale"
    BUSY = "busy"


class Deliveries(Protocol):
    """Which change of each stored object was carried out last: news comes twice, late and out of order.

    A change is known by its sequencer (`domain.sequencers`): of two changes of one object the later has the higher.
    """

    def take(self, tenant: str, source: str, sequencer: str, now: float, until: float) -> Delivery:
        """TAKEN: the caller carries it out before `until`. STALE: it, or a later one, was carried out or is in hand
        with somebody who will see the later state. BUSY: an earlier one is in hand; try again.

        Of callers that race with the same change, one hears TAKEN; what was taken and never finished can be taken
        again after `until`.
        """
        ...

    def finish(self, tenant: str, source: str, sequencer: str) -> bool:
        """It was carried out; False when its time ran out and another change took its place.

        Two that carried out the same change, one after the other's time, both hear True.
        """
        ...

    def release(self, tenant: str, source: str, sequencer: str) -> None:
        """It was not carried out: whoever hears of it next takes it at once."""
        ...

    def drop(self, tenant: str) -> int:
        """Nothing of the tenant is known any more; returns how many objects were."""
        ...


class Uploads(Protocol):
    """Tickets by which files may be brought in, each once."""

    def add(self, tenant: str, upload: Upload) -> None:
        """Raises Conflict when there is a ticket of this name."""
        ...

    def get(self, tenant: str, ticket: str) -> Upload | None:
        """The ticket, used and ended ones included for `TICKET_KEPT_SECONDS`; None when the tenant has none such."""
        ...

    def claim(self, tenant: str, ticket: str, version: str, at: float) -> Upload | None:
        """The ticket is used by this version of a stored object, that arrived `at` (epoch seconds).

        None when there is no such ticket, it had ended by then, or another version has used it. The version that has
        used it may claim it again.
        """
        ...

    def finish(self, tenant: str, ticket: str, reason: str | None) -> None:
        """What was claimed is done, or refused for a reason; no error when there is no such ticket."""
        ...
