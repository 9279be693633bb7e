"""What turns a file into a document: its parser, the store of originals, one ingestion at a time."""

from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Protocol

from groundwire.domain.documents.parsed import ParsedDocument


class Parser(Protocol):
    """Bytes of a document to blocks, in a confined worker."""

    @property
    def version(self) -> str:
        """Names the parser and its version; part of the recipe that decides whether to parse again."""
        ...

    @property
    def ocr_version(self) -> str:
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

    def download_url(self, tenant: str, key: str, file_name: str, seconds: int) -> str | None:
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
        files_done: of `files_total` files; both None where the holder does not report them.
    """

    pid: int | None
    files_done: int | None
    files_total: int | None


class IngestLock(Protocol):
    """One ingestion at a time per tenant, over all processes."""

    def hold(self, tenant: str) -> AbstractContextManager[None]:
        """Waits until no other holder is left; freed even when the holder dies.

        Raises:
            NotFound: the tenant is gone, or is being deleted (`Tenants.close`), in stores that several machines share.
        """
        ...

    def hold_for_deletion(self, tenant: str) -> AbstractContextManager[None]:
        """As `hold`, for the deletion itself: also where the tenant is being deleted, or is gone."""
        ...

    def holder(self, tenant: str) -> LockHolder | None:
        """Tells who holds it at this moment, to inform those who wait; None where nobody is known to."""
        ...

    def drop(self, tenant: str) -> None:
        """Nothing of a tenant that is gone remains of the lock; called by its holder."""
        ...
