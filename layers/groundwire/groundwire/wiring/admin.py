"""Services for administration, created from ports on first use, on one machine and in the cloud."""

from abc import abstractmethod
from typing import TYPE_CHECKING, Unpack

from groundwire.domain.audit.lines import LineTime, OperatorLine, RecordedLine, stored_form
from groundwire.domain.errors import InvalidInput
from groundwire.wiring.lazy import Lazy
from groundwire.wiring.mcp import McpServices
from groundwire.wiring.ports import AdminPorts

if TYPE_CHECKING:
    from collections.abc import Callable

    from groundwire.domain.audit.facts import AuditFacts
    from groundwire.domain.audit.ingestion import IngestionAudit
    from groundwire.domain.documents.record import Document
    from groundwire.ports import ModelId
    from groundwire.services.collections.admin import CollectionAdmin
    from groundwire.services.collections.proposal import DescriptionProposer
    from groundwire.services.documents.admin import DocumentAdmin
    from groundwire.services.documents.managed import ManagedDocuments
    from groundwire.services.documents.policy_tags import PolicyTagReader
    from groundwire.services.documents.reconcile import ReconcileFunction, Reconciler
    from groundwire.services.keys.admin import KeyAdmin
    from groundwire.services.keys.delegated_admin import DelegatedKeyAdmin
    from groundwire.services.keys.tenants import TenantAdmin
    from groundwire.services.object_events.unread_files import RebuildPage
    from groundwire.services.reindex import Reindexer
    from groundwire.services.reindex.index_transfer import IndexTransfer
    from groundwire.services.uploads.tickets import UploadTickets


class AdminServices(McpServices, AdminPorts):
    """The use cases that change tenants, keys and documents."""

    @abstractmethod
    def find_model(self, name: str) -> "ModelId":
        """Return the embedding model of this name.

        Raises:
            NotFound: there is no such model.
            InvalidInput: the model's files are invalid.
        """
        ...

    @Lazy
    def reconciler(self) -> "Reconciler":
        """Reconciliation of index and originals with the registry."""
        from groundwire.services.documents.reconcile import Reconciler

        return Reconciler(self.documents, self.indexes, self.image_indexes, self.blobs, self.clock)

    @Lazy
    def document_admin(self) -> "DocumentAdmin":
        """Policies and deletions."""
        from groundwire.services.documents.admin import DocumentAdmin

        def reconcile(tenant: str, document: "Document") -> "Document":
            # Built on use: a record is changed first, also where the index cannot be opened.
            return self.reconcile_change(tenant, document)

        return DocumentAdmin(self.documents, self.collections, reconcile, self.clock)

    @property
    def reconcile_change(self) -> "ReconcileFunction":
        """Reconciliation after a change; a sweep completes what a running ingestion leaves."""
        return self.reconciler.reconcile_without_lock

    @Lazy
    def visibility_delay_seconds(self) -> int:
        """Seconds until searches see a write, from the settings alone, so that an idle index is not woken."""
        index_service = self.settings.index_service
        if index_service is None:
            return 0
        from groundwire.wiring.external_backends import visibility_delay_seconds

        return visibility_delay_seconds(index_service)

    @Lazy
    def collection_admin(self) -> "CollectionAdmin":
        """Collections and their settings."""
        from groundwire.services.collections.admin import CollectionAdmin

        return CollectionAdmin(self.collections, self.clock)

    @Lazy
    def description_proposer(self) -> "DescriptionProposer":
        """Proposals of descriptions of collections, from public documents."""
        from groundwire.services.collections.proposal import DescriptionProposer

        return DescriptionProposer(self.documents, self.indexes)

    @Lazy
    def managed_documents(self) -> "ManagedDocuments":
        """Document administration with the rights of a key."""
        from groundwire.services.documents.managed import ManagedDocuments

        return ManagedDocuments(self.documents, lambda: self.document_admin)

    @Lazy
    def policy_tags(self) -> "PolicyTagReader":
        """The tags that policies use."""
        from groundwire.services.documents.policy_tags import PolicyTagReader

        return PolicyTagReader(self.documents)

    @Lazy
    def upload_tickets(self) -> "UploadTickets":
        """Tickets for uploads."""
        import secrets

        from groundwire.services.uploads.tickets import UploadStores, UploadTickets

        def new_name() -> str:
            return secrets.token_hex(16)

        stores = UploadStores(self.uploads, self.upload_forms, self.uploaded_files, self.documents, self.ingest_lock)
        return UploadTickets(stores, self.managed_documents, self.clock, new_name)

    @Lazy
    def delegated_key_admin(self) -> "DelegatedKeyAdmin":
        """Key administration with the rights of a key."""
        from groundwire.services.keys.delegated_admin import DelegatedKeyAdmin

        return DelegatedKeyAdmin(self.key_admin)

    @Lazy
    def tenant_admin(self) -> "TenantAdmin":
        """Tenant administration by the operator."""
        import secrets

        from groundwire.services.keys.tenants import TenantAdmin

        def new_id() -> str:
            return f"t_{secrets.token_hex(8)}"

        return TenantAdmin(
            self.tenants,
            self.keys,
            self.indexes,
            self.image_indexes,
            self.blobs,
            self.ingest_lock,
            self.clock,
            new_id,
        )

    def rebuild(self, tenant: str, after: str, *, every_file: bool) -> "RebuildPage":  # noqa: ARG002 - for a stack
        """Queue one page of the tenant's files again.

        Raises:
            InvalidInput: this is a machine, which has no queue.
        """
        raise InvalidInput("A machine has no queue of files. Run `groundwire ingest PATH` again.")

    def schedule_sweep(self, tenant: str) -> int | None:  # noqa: ARG002 - for a stack, which overrides it
        """Schedule one more erasure of a deleted tenant; return its delay in seconds, None where none is scheduled.

        A machine needs none: a deletion waits for the tenant's ingestion, and nothing else writes for it.
        """
        return None

    @Lazy
    def index_transfer(self) -> "IndexTransfer":
        """Export and import of a tenant's index between engines."""
        import time

        from groundwire.services.reindex.index_transfer import IndexTransfer

        return IndexTransfer(self.documents, self.indexes, self.image_indexes, time.sleep)

    @Lazy
    def reindexer(self) -> "Reindexer":
        """Re-indexing of a tenant with another model."""
        import time

        from groundwire.services.reindex import Reindexer

        return Reindexer(
            self.documents,
            self.indexes,
            self.image_indexes,
            self.embedders,
            self.image_embedder,
            self.ingest_lock,
            time.sleep,
        )

    @Lazy
    def key_admin(self) -> "KeyAdmin":
        """Key administration: creation, rotation, revocation."""
        import secrets

        from groundwire.dialects.declaration.dialect import toolsets
        from groundwire.services.keys.admin import KeyAdmin
        from groundwire.services.keys.choices import KeyChoices

        provider = self.settings.identity_provider
        random = secrets.token_bytes

        def pepper() -> bytes:
            # The pepper is read on use, since listing and revoking keys must work without the secrets.
            return self.secrets.pepper

        # Those that are switched off, too: a key may be made before its dialect is switched on.
        known = self.known_dialects
        choices = KeyChoices(frozenset(toolsets(known)), frozenset(dialect.name for dialect in known))
        return KeyAdmin(self.keys, self.tenants, choices, pepper, self.environment, random, self.clock, provider)

    @property
    def os_user(self) -> str | None:
        """The user of the operating system for whom this process runs; None where AWS decides who may use it."""
        return None

    def audit_operator_action(self, action: str, **facts: "Unpack[AuditFacts]") -> None:
        """Write the audit line of an operator's action, which needs no key."""
        self._write_line(OperatorLine(action, self.os_user, facts))

    @Lazy
    def ingestion_audit(self) -> "IngestionAudit":
        """Audit of ingestions."""
        import secrets

        from groundwire.domain.audit.ingestion import IngestionAudit

        def new_run_id() -> str:
            return f"r_{secrets.token_hex(8)}"

        return IngestionAudit(self._write_line, new_run_id, self.mark_run)

    @property
    def mark_run(self) -> "Callable[[str], Callable[[], None]]":
        """The function that marks an ingestion as running on this machine, and returns what ends the mark."""
        return lambda _run: lambda: None

    def _write_line(self, line: RecordedLine) -> None:
        self.audit.append(stored_form(line, LineTime(self.clock())))
