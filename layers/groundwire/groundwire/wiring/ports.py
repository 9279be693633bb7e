"""The ports that calls are answered with; where they come from is the business of `local` and `cloud`."""

from abc import ABC, abstractmethod
from functools import cached_property
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from groundwire.domain.keys.key_text import Environment
    from groundwire.ports import (
        AuditLog,
        Blobs,
        Collections,
        Documents,
        Embedders,
        Indexes,
        IngestLock,
        Keys,
        Reranker,
        Sealer,
        Sessions,
        Tenants,
        Uploads,
        Users,
    )
    from groundwire.ports.uploads import UploadedFiles, UploadForms
    from groundwire.settings.environment import Settings


class Secrets(Protocol):
    """What keys are digested with, and what links, cursors and states are sealed with: 32 bytes each."""

    @property
    def pepper(self) -> bytes:
        """For digests of keys."""
        ...

    @property
    def sealing_key(self) -> bytes:
        """For the `Seal`."""
        ...


class Ports(ABC):
    """Each is made when it is first asked for."""

    settings: "Settings"

    @cached_property
    @abstractmethod
    def keys(self) -> "Keys":
        """API keys and their rates."""
        ...

    @cached_property
    @abstractmethod
    def users(self) -> "Users":
        """Tags that tenants keep for users."""
        ...

    @cached_property
    @abstractmethod
    def collections(self) -> "Collections":
        """Collections and their weights."""
        ...

    @cached_property
    @abstractmethod
    def documents(self) -> "Documents":
        """The document registry."""
        ...

    @cached_property
    @abstractmethod
    def blobs(self) -> "Blobs":
        """Stored originals."""
        ...

    @cached_property
    @abstractmethod
    def audit(self) -> "AuditLog":
        """The chained record of calls."""
        ...

    @cached_property
    @abstractmethod
    def secrets(self) -> Secrets:
        """Pepper and sealing key."""
        ...

    @cached_property
    @abstractmethod
    def sessions(self) -> "Sessions":
        """Sessions of clients that open with a handshake."""
        ...

    @cached_property
    @abstractmethod
    def seal(self) -> "Sealer":
        """Sealed payloads that travel through other hands."""
        ...

    @cached_property
    @abstractmethod
    def embedders(self) -> "Embedders":
        """The models."""
        ...

    @cached_property
    @abstractmethod
    def reranker(self) -> "Reranker | None":
        """The configured reranker, if any."""
        ...

    @cached_property
    @abstractmethod
    def indexes(self) -> "Indexes":
        """The index of each tenant."""
        ...

    @property
    @abstractmethod
    def environment(self) -> "Environment":
        """The word in keys that are made here."""
        ...

    @cached_property
    @abstractmethod
    def tenants(self) -> "Tenants":
        """The operator's tenants."""
        ...

    @cached_property
    @abstractmethod
    def ingest_lock(self) -> "IngestLock":
        """One ingestion at a time per tenant."""
        ...

    @cached_property
    @abstractmethod
    def uploads(self) -> "Uploads":
        """Tickets by which files may be brought in."""
        ...

    @cached_property
    @abstractmethod
    def upload_forms(self) -> "UploadForms":
        """Where those files are sent."""
        ...

    @cached_property
    @abstractmethod
    def uploaded_files(self) -> "UploadedFiles":
        """Files that were sent there and wait."""
        ...
