"""Bundles of ports, by the use cases that share them; `local` and `cloud` implement them all."""

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Protocol

from groundwire.wiring.lazy import Lazy

if TYPE_CHECKING:
    from groundwire.domain.keys.key_text import Environment
    from groundwire.ports import (
        AuditLog,
        Blobs,
        Collections,
        Definitions,
        Documents,
        Embedders,
        HeaderChecks,
        ImageEmbedder,
        Indexes,
        IngestLock,
        Keys,
        ModelId,
        Reranker,
        ScratchTenants,
        Sealer,
        Sessions,
        Tenants,
        Uploads,
        Users,
        WakeableIndexes,
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
        """Key for the `Sealer`: links, cursors, request states, secrets of definitions."""
        ...


class KeyPorts(ABC):
    """Stores behind the decision about a call."""

    settings: "Settings"

    @Lazy
    @abstractmethod
    def keys(self) -> "Keys":
        """API keys and their rate limits."""
        ...

    @Lazy
    @abstractmethod
    def users(self) -> "Users":
        """Tags that tenants store for users."""
        ...

    @Lazy
    @abstractmethod
    def secrets(self) -> Secrets:
        """Pepper and sealing key."""
        ...


class DocumentPorts(ABC):
    """Stores, index and models behind passages and documents."""

    settings: "Settings"

    @Lazy
    @abstractmethod
    def collections(self) -> "Collections":
        """Collections and their settings."""
        ...

    @Lazy
    @abstractmethod
    def definitions(self) -> "Definitions":
        """Definitions that administrators make through dialects."""
        ...

    @Lazy
    @abstractmethod
    def documents(self) -> "Documents":
        """The document registry."""
        ...

    @Lazy
    @abstractmethod
    def blobs(self) -> "Blobs":
        """Stored originals."""
        ...

    @Lazy
    @abstractmethod
    def indexes(self) -> "WakeableIndexes":
        """The index of each tenant."""
        ...

    @Lazy
    @abstractmethod
    def image_indexes(self) -> "Indexes":
        """The index of the images of each tenant's documents, apart from that of the passages."""
        ...

    @Lazy
    @abstractmethod
    def embedders(self) -> "Embedders":
        """The embedding models."""
        ...

    @Lazy
    def image_embedder(self) -> "ImageEmbedder | None":
        """The configured image model; None without one.

        Raises:
            NotFound, InvalidInput, Unavailable: it cannot be used.
        """
        from groundwire.wiring.external_backends import build_image_embedder

        return build_image_embedder(self.settings)

    def image_index_model(self, text: "ModelId") -> "ModelId":
        """Return the model of a new index of images; `text` is the model of their texts."""
        from groundwire.services.documents.images.embedding import image_index_model

        return image_index_model(text, self.image_embedder)

    @Lazy
    @abstractmethod
    def reranker(self) -> "Reranker | None":
        """The configured reranker; None without one."""
        ...


class CallPorts(ABC):
    """Log of calls, and what outlives a call."""

    @Lazy
    @abstractmethod
    def audit(self) -> "AuditLog":
        """The audit log."""
        ...

    @Lazy
    @abstractmethod
    def sessions(self) -> "Sessions":
        """Sessions of clients of the handshake revisions."""
        ...

    @Lazy
    def header_checks(self) -> "HeaderChecks | None":
        """Counts of compared identity headers; None where this process itself is the gateway that writes them."""
        return None

    @Lazy
    @abstractmethod
    def seal(self) -> "Sealer":
        """Sealing of payloads that clients store and return."""
        ...


class AdminPorts(ABC):
    """Stores that administration alone uses."""

    @property
    @abstractmethod
    def environment(self) -> "Environment":
        """The environment's name in new keys."""
        ...

    @Lazy
    @abstractmethod
    def tenants(self) -> "Tenants":
        """The operator's tenants."""
        ...

    @Lazy
    def scratch_tenants(self) -> "ScratchTenants | None":
        """Ids of the tenants of checks; None where no check creates one."""
        return None

    @Lazy
    @abstractmethod
    def ingest_lock(self) -> "IngestLock":
        """The lock that allows one ingestion at a time per tenant."""
        ...

    @Lazy
    @abstractmethod
    def uploads(self) -> "Uploads":
        """Upload tickets."""
        ...

    @Lazy
    @abstractmethod
    def upload_forms(self) -> "UploadForms":
        """Forms for uploads."""
        ...

    @Lazy
    @abstractmethod
    def uploaded_files(self) -> "UploadedFiles":
        """Uploaded files that wait for their ingestion."""
        ...
