"""Ports that the services need; `local` and `cloud` implement them."""

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
    """Secret keys of an installation, 32 bytes each."""

    @property
    def pepper(self) -> bytes:
        """Key for the digests of API keys."""
        ...

    @property
    def sealing_key(self) -> bytes:
        """Key for the `Sealer`: links, cursors, request states."""
        ...


class Ports(ABC):
    """The ports of an installation, each created on first use."""

    settings: "Settings"

    @cached_property
    @abstractmethod
    def keys(self) -> "Keys":
        """API keys and their rate limits."""
        ...

    @cached_property
    @abstractmethod
    def users(self) -> "Users":
        """Tags that tenants store for users."""
        ...

    @cached_property
    @abstractmethod
    def collections(self) -> "Collections":
        """Collections and their settings."""
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
        """The audit log."""
        ...

    @cached_property
    @abstractmethod
    def secrets(self) -> Secrets:
        """Pepper and sealing key."""
        ...

    @cached_property
    @abstractmethod
    def sessions(self) -> "Sessions":
        """Sessions of clients of the handshake revisions."""
        ...

    @cached_property
    @abstractmethod
    def seal(self) -> "Sealer":
        """Sealing of payloads that clients store and return."""
        ...

    @cached_property
    @abstractmethod
    def embedders(self) -> "Embedders":
        """The embedding models."""
        ...

    @cached_property
    @abstractmethod
    def reranker(self) -> "Reranker | None":
        """The configured reranker; None without one."""
        ...

    @cached_property
    @abstractmethod
    def indexes(self) -> "Indexes":
        """The index of each tenant."""
        ...

    @property
    @abstractmethod
    def environment(self) -> "Environment":
        """The environment's name in new keys."""
        ...

    @cached_property
    @abstractmethod
    def tenants(self) -> "Tenants":
        """The operator's tenants."""
        ...

    @cached_property
    @abstractmethod
    def ingest_lock(self) -> "IngestLock":
        """The lock that allows one ingestion at a time per tenant."""
        ...

    @cached_property
    @abstractmethod
    def uploads(self) -> "Uploads":
        """Upload tickets."""
        ...

    @cached_property
    @abstractmethod
    def upload_forms(self) -> "UploadForms":
        """Forms for uploads."""
        ...

    @cached_property
    @abstractmethod
    def uploaded_files(self) -> "UploadedFiles":
        """Uploaded files that wait for their ingestion."""
        ...
