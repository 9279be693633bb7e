"""Where somebody who may bring in one file sends it: past the functions, to the store itself."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class UploadTerms:
    """The one file that may be sent.

    Attributes:
        path: where it comes to lie, beneath all that is the tenant's.
        size: exactly, bytes. sha256: of the content, hex, lower case.
        ends_at: until when sending may begin, epoch seconds.
    """

    tenant: str
    ticket: str
    path: str
    size: int
    content_type: str
    sha256: str
    ends_at: int


@dataclass(frozen=True, slots=True)
class UploadForm:
    """One `multipart/form-data` POST to `url`: all `fields` first, then the file as `file`.

    The store refuses any other key, size, type or content, and what comes too late.
    """

    url: str
    fields: Mapping[str, str]


class UploadAddresses(Protocol):
    """Makes forms by which the store takes a file from whoever holds them."""

    def form(self, terms: UploadTerms) -> UploadForm:
        """Good for exactly this file."""
        ...


class SealedForms(UploadAddresses, Protocol):
    """Forms of a store that is no more than a folder: this server itself takes what they bring."""

    def terms(self, ticket: str, fields: Mapping[str, str]) -> UploadTerms | None:
        """What was agreed for this ticket; None for fields that were not made here, or were changed."""
        ...
