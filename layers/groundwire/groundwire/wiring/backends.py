"""Backends of the use cases: what a home of this machine and a stack in AWS both implement."""

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from groundwire.domain.keys.forms.key_text import Environment
    from groundwire.ports import (
        AuditLog,
        AuditTrail,
        Blobs,
        Clock,
        Collections,
        Definitions,
        Documents,
        Embedders,
        Evaluations,
        Groups,
        HeaderChecks,
        ImageEmbedder,
        Indexes,
        IngestionRuns,
        IngestLock,
        Keys,
        LinkGrants,
        ModelId,
        ProviderSessions,
        Reranker,
        ScratchTenants,
        Sealer,
        Sessions,
        Tenants,
        Uploads,
        Users,
        WakeableIndexes,
    )
    from groundwire.ports.sources import SourceGateway
    from groundwire.ports.system import Secrets
    from groundwire.ports.uploads import UploadedFiles, UploadForms
    from groundwire.services.documents.reconcile import ReconcileFunction, Reconciler
    from groundwire.services.object_events.unread_files import RebuildPage
    from groundwire.settings.environment import Settings


class Stores(Protocol):
    """Registry, index, originals, logs and secrets of an installation, each opened on first access."""

    @property
    def keys(self) -> "Keys":
        """API keys and their rate limits."""
        ...

    @property
    def users(self) -> "Users":
        """Tags that tenants store for users, and blocks of users."""
        ...

    @property
    def groups(self) -> "Groups":
        """Tags that tenants give groups of their identity provider."""
        ...

    @property
    def secrets(self) -> "Secrets":
        """Pepper and sealing key."""
        ...

    @property
    def seal(self) -> "Sealer":
        """Sealing of payloads that clients store and return."""
        ...

    @property
    def link_grants(self) -> "LinkGrants":
        """Grants of short links."""
        ...

    @property
    def provider_sessions(self) -> "ProviderSessions":
        """Sign-ins to the page by the identity provider."""
        ...

    @property
    def tenants(self) -> "Tenants":
        """The operator's tenants."""
        ...

    @property
    def collections(self) -> "Collections":
        """Collections and their settings."""
        ...

    @property
    # Apart, because a search may read from a cache, and an administrator must not.
    def collections_for_search(self) -> "Collections":
        """Names and weights of collections, as searches read them."""
        ...

    @property
    def definitions(self) -> "Definitions":
        """Definitions that administrators make through dialects."""
        ...

    @property
    def documents(self) -> "Documents":
        """The document registry."""
        ...

    @property
    def blobs(self) -> "Blobs":
        """Stored originals."""
        ...

    @property
    def indexes(self) -> "WakeableIndexes":
        """The index of each tenant."""
        ...

    @property
    # Apart, because vectors of two models cannot be compared.
    def image_indexes(self) -> "Indexes":
        """The index of the images of each tenant's documents, apart from that of the passages."""
        ...

    @property
    def audit(self) -> "AuditLog":
        """The audit log."""
        ...

    @property
    def sessions(self) -> "Sessions":
        """Sessions of clients of the handshake revisions."""
        ...

    @property
    def header_checks(self) -> "HeaderChecks | None":
        """Counts of compared identity headers; None where this process itself is the gateway that writes them."""
        ...

    @property
    def ingest_lock(self) -> "IngestLock":
        """The lock that allows one ingestion at a time per tenant."""
        ...

    @property
    def uploads(self) -> "Uploads":
        """Upload tickets."""
        ...

    @property
    def upload_forms(self) -> "UploadForms":
        """Forms for uploads."""
        ...

    @property
    def uploaded_files(self) -> "UploadedFiles":
        """Uploaded files that wait for their ingestion."""
        ...


class Models(Protocol):
    """Embedders and reranker of an installation, each loaded on first access."""

    @property
    def embedders(self) -> "Embedders":
        """The embedding models."""
        ...

    @property
    def image_embedder(self) -> "ImageEmbedder | None":
        """The configured image model; None without one.

        Raises:
            NotFound, InvalidInput, Unavailable: it cannot be used.
        """
        ...

    @property
    def reranker(self) -> "Reranker | None":
        """The configured reranker; None without one."""
        ...

    def find(self, name: str) -> "ModelId":
        """Return the embedding model of this name.

        Raises:
            NotFound: there is no such model.
            InvalidInput: the model's files are invalid.
        """
        ...


class Installation(Protocol):
    """Abilities in which a home of this machine and a stack differ."""

    @property
    def environment(self) -> "Environment":
        """The environment's name in new keys."""
        ...

    @property
    def os_user(self) -> str | None:
        """The user of the operating system for whom this process runs; None where AWS decides who may use it."""
        ...

    @property
    def source_gateway(self) -> "SourceGateway | None":
        """Calls to MCP sources from another function; None where this process makes them."""
        ...

    @property
    def warmup_factory(self) -> "Callable[[], Sequence[Callable[[str | None], None]]] | None":
        """Function that returns the warmers of idle services; None where every service runs."""
        ...

    def recent_calls(self, tenant: str) -> "Iterator[Mapping[str, object]]":
        """Return the last lines of the audit log, among them those of the tenant, in any order."""
        ...

    @property
    def evaluations(self) -> "Evaluations | None":
        """Stored evaluations of search; None where no command stores any."""
        ...

    @property
    def scratch_tenants(self) -> "ScratchTenants | None":
        """Ids of the tenants of checks; None where no check creates one."""
        ...

    @property
    def ingestion_runs(self) -> "IngestionRuns | None":
        """Runs of `groundwire ingest`; None where no command runs one."""
        ...

    @property
    def audit_trail(self) -> "AuditTrail":
        """Lines of the audit log by tenant."""
        ...

    def planner_key(self) -> str | None:
        """Return the API key of the server's own planning model; None without one."""
        ...

    def mark_run(self, run: str) -> "Callable[[], None]":
        """Mark an ingestion as running; return what ends the mark."""
        ...

    def reconcile_change(self, reconciler: "Reconciler") -> "ReconcileFunction":
        """Return the reconciliation after a change, which completes what nothing else here would complete."""
        ...

    def rebuild(self, tenant: str, after: str, *, every_file: bool) -> "RebuildPage":
        """Queue one page of the tenant's files again.

        Raises:
            InvalidInput: there is no queue.
        """
        ...

    def schedule_sweep(self, tenant: str) -> int | None:
        """Schedule one more erasure of a deleted tenant; return its delay in seconds, None where none is scheduled."""
        ...


class Backends(Protocol):
    """Everything of one installation from which the use cases of an entry are built."""

    @property
    def settings(self) -> "Settings":
        """Settings of this process."""
        ...

    @property
    def clock(self) -> "Clock":
        """Epoch seconds."""
        ...

    @property
    def stores(self) -> Stores:
        """Stores of the installation."""
        ...

    @property
    def models(self) -> Models:
        """Models of the installation."""
        ...

    @property
    def installation(self) -> Installation:
        """Abilities in which a machine and a stack differ."""
        ...
