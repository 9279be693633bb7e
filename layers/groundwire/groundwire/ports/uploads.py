"""Ports of uploads: tickets, the forms by which a client sends a file directly to the store, and the files received."""

from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import IO, Final, Protocol

from groundwire.domain.documents.uploads import Upload

SEALED_FIELD: Final = "policy"
"""Field with the sealed terms, in a form of a single-machine server."""
FORM_FIELDS: Final = frozenset({"key", "Content-Type", "x-amz-checksum-sha256", SEALED_FIELD})
"""Names of all fields of such a form."""


@dataclass(frozen=True, slots=True)
class UploadTerms:
    """Terms of an upload: the one file that may be sent.

    Attributes:
        path: object path below the tenant's prefix.
        size: exact size in bytes. sha256: of the content, hex, lower case.
        expires_at: time by which the upload must start, epoch seconds.
    """

    tenant: str
    ticket: str
    path: str
    size: int
    content_type: str
    # S3 compares this digest itself, so that no other content can be stored.
    sha256: str
    expires_at: int


@dataclass(frozen=True, slots=True)
class UploadForm:
    """Form of one `multipart/form-data` POST to `url`: all `fields` first, then the file as `file`.

    The store refuses any other key, size, type or content, and a late upload.
    """

    url: str
    fields: Mapping[str, str]


class UploadForms(Protocol):
    """Maker of forms that authorise an upload to the store."""

    def form(self, terms: UploadTerms) -> UploadForm:
        """Return a form that is valid for exactly this file."""
        ...


class SealedUploadForms(UploadForms, Protocol):
    """Forms of a store that is a plain folder: this server itself receives the uploads."""

    def open_sealed(self, sealed: str) -> UploadTerms | None:
        """Return the terms in a `SEALED_FIELD`; None for text that was not sealed here."""
        ...

    def verify_fields(self, ticket: str, fields: Mapping[str, str]) -> UploadTerms | None:
        """Return the terms of this ticket; None for fields that were not made here, or were changed."""
        ...


class UploadedFiles(Protocol):
    """Store of files that clients put with a ticket and that wait for ingestion."""

    def contains_upload(self, tenant: str, upload: Upload) -> bool:
        """Return whether the complete file of this ticket is there."""
        ...


class UploadInbox(Protocol):
    """Store of uploaded files of one machine until they are ingested; it outlives the process."""

    def open_writer(self, tenant: str, ticket: str) -> AbstractContextManager[IO[bytes]]:
        """Open a writer whose content is stored, whole, at the end of the block; an error in the block discards it.

        Raises:
            Conflict: at the end of the block, when there is another file for this ticket; that one stays.
        """
        ...

    def contains(self, tenant: str, ticket: str) -> bool:
        """Return whether there is a file for this ticket."""
        ...

    def read(self, tenant: str, ticket: str) -> bytes:
        """Return the content of this ticket's file."""
        ...

    def remove(self, tenant: str, ticket: str) -> None:
        """Remove an ingested file; no error when it does not exist."""
        ...

    # A server that ended before an ingestion continues with these at its next start.
    def list_pending(self) -> Iterator[tuple[str, str, float]]:
        """Yield tenant, ticket and completion time (epoch seconds) of all files that have not been removed."""
        ...


class Uploads(Protocol):
    """Store of upload tickets, each good for one file."""

    def add(self, tenant: str, upload: Upload) -> None:
        """Add a ticket.

        Raises:
            Conflict: the ticket exists.
        """
        ...

    def get(self, tenant: str, ticket: str) -> Upload | None:
        """Return the ticket, used and expired ones included for `TICKET_RETENTION_SECONDS`; None for an unknown one."""
        ...

    # The same version may come again, because the queue can deliver its event twice.
    def claim(self, tenant: str, ticket: str, version: str, at: float) -> Upload | None:
        """Claim the ticket for this version of a stored object, which was put at `at` (epoch seconds).

        None when there is no such ticket, it had expired by then, or another version claimed it. The same version may
        claim it again.
        """
        ...

    def finish(self, tenant: str, ticket: str, reason: str | None) -> None:
        """Record that the claimed upload is done, or refused for a reason; no error when there is no such ticket."""
        ...
