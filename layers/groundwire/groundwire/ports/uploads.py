"""Where somebody who may bring in one file sends it: past the functions, to the store itself."""

from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import IO, Final, Protocol

from groundwire.domain.documents.uploads import Upload

SEALED_FIELD: Final = "policy"
"""Holds, in a form of one machine, the sealed terms."""
FORM_FIELDS: Final = frozenset({"key", "Content-Type", "x-amz-checksum-sha256", SEALED_FIELD})
"""All fields of such a form."""


@dataclass(frozen=True, slots=True)
class UploadTerms:
    """The one file that may be sent.

    Attributes:
        path: where it comes to lie, beneath all that is the tenant's.
        size: exactly, bytes. sha256: of the content, hex, lower case.
        expires_at: until when sending may begin, epoch seconds.
    """

    tenant: str
    ticket: str
    path: str
    size: int
    content_type: str
    sha256: str
    expires_at: int


@dataclass(frozen=True, slots=True)
class UploadForm:
    """One `multipart/form-data` POST to `url`: all `fields` first, then the file as `file`.

    The store refuses any other key, size, type or content, and what comes too late.
    """

    url: str
    fields: Mapping[str, str]


class UploadForms(Protocol):
    """Makes forms by which the store takes a file from whoever holds them."""

    def form(self, terms: UploadTerms) -> UploadForm:
        """Good for exactly this file."""
        ...


class SealedUploadForms(UploadForms, Protocol):
    """Forms of a store that is no more than a folder: this server itself takes what they bring."""

    def open_sealed(self, sealed: str) -> UploadTerms | None:
        """Returns the terms in a `SEALED_FIELD`; None for what was not sealed here."""
        ...

    def verify_fields(self, ticket: str, fields: Mapping[str, str]) -> UploadTerms | None:
        """What was agreed for this ticket; None for fields that were not made here, or were changed."""
        ...


class UploadedFiles(Protocol):
    """Files that were uploaded and wait to be ingested."""

    def contains_upload(self, tenant: str, upload: Upload) -> bool:
        """Tell whether the file of this ticket is there, whole."""
        ...


class UploadInbox(Protocol):
    """Where files of one machine wait until they are read; what waits there outlives the process."""

    def open_writer(self, tenant: str, ticket: str) -> AbstractContextManager[IO[bytes]]:
        """Keep what is written inside, whole, at the end of the block; nothing of it when the block raises.

        Raises:
            Conflict: at the end of the block, when another file waits under this ticket; that one stays.
        """
        ...

    def contains(self, tenant: str, ticket: str) -> bool:
        """Tells whether a file waits under this ticket."""
        ...

    def read(self, tenant: str, ticket: str) -> bytes:
        """The file that came with this ticket."""
        ...

    def remove(self, tenant: str, ticket: str) -> None:
        """It was read; no error when it is gone."""
        ...

    def list_pending(self) -> Iterator[tuple[str, str, float]]:
        """Tenant, ticket, and when the file was whole (epoch seconds), of all that have not been removed."""
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
