"""Administration of tenants, keys and documents, on one machine and in the cloud."""

from typing import TYPE_CHECKING, Unpack

from groundwire.domain.audit.lines import LineTime, OperatorLine, RecordedLine, stored_form
from groundwire.wiring.lazy import Lazy
from groundwire.wiring.use_cases.access import known_dialects

if TYPE_CHECKING:
    from groundwire.domain.access.decision import Decision
    from groundwire.domain.audit.facts import AuditFacts
    from groundwire.domain.audit.ingestion import IngestionAudit
    from groundwire.services.collections.admin import CollectionAdmin
    from groundwire.services.collections.proposal import DescriptionProposer
    from groundwire.services.documents.admin import DocumentAdmin
    from groundwire.services.documents.managed import ManagedDocuments
    from groundwire.services.documents.reconcile import ReconcileFunction, Reconciler
    from groundwire.services.documents.tags.rename import TagRenaming
    from groundwire.services.ingest.deletions.administration import DeletionAdmin
    from groundwire.services.ingest.deletions.memory import DeletionMemory
    from groundwire.services.keys.admin import KeyAdmin
    from groundwire.services.keys.delegated_admin import DelegatedKeyAdmin
    from groundwire.services.keys.groups import GroupAdmin
    from groundwire.services.keys.sign_in.page_sessions import PageSessions
    from groundwire.services.keys.tenants import TenantAdmin
    from groundwire.services.keys.users import UserAdmin
    from groundwire.services.reindex import Reindexer
    from groundwire.services.reindex.index_transfer import IndexTransfer
    from groundwire.services.uploads.tickets import UploadTickets
    from groundwire.wiring.backends import Backends
    from groundwire.wiring.use_cases.explanations import ExplanationUseCases
    from groundwire.wiring.use_cases.tags import TagUseCases


class AdministrationUseCases:
    """Use cases that change tenants, keys and documents."""

    def __init__(self, backends: "Backends") -> None:
        self._settings, self._clock = backends.settings, backends.clock
        self._stores, self._models, self._installation = backends.stores, backends.models, backends.installation

    @Lazy
    def reconciler(self) -> "Reconciler":
        """Reconciliation of index and originals with the registry."""
        from groundwire.services.documents.reconcile import Reconciler

        return Reconciler(
            self._stores.documents, self._stores.indexes, self._stores.image_indexes, self._stores.blobs, self._clock
        )

    @Lazy
    def document_admin(self) -> "DocumentAdmin":
        """Policies and deletions."""
        from groundwire.services.documents.admin import DocumentAdmin

        stores, memory = self._stores, self.deletion_memory
        # Built on use: a record is changed first, also where the index cannot be opened.
        reconcile: ReconcileFunction = lambda tenant, document: self.reconcile_change(tenant, document)  # noqa: E731, PLW0108
        return DocumentAdmin(stores.documents, stores.collections, memory, reconcile, self.write_line, self._clock)

    @Lazy
    def deletion_memory(self) -> "DeletionMemory":
        """Memory of what persons deleted."""
        import secrets

        from groundwire.services.ingest.deletions.memory import DeletionMemory

        return DeletionMemory(lambda: self._stores.definitions, secrets.token_bytes, self._clock)

    @Lazy
    def deletion_admin(self) -> "DeletionAdmin":
        """Deleted documents: listing, restoration and forgetting."""
        from groundwire.services.ingest.deletions.administration import DeletionAdmin

        return DeletionAdmin(self._stores.documents)

    @Lazy
    def reconcile_change(self) -> "ReconcileFunction":
        """Reconciliation after a change, which completes what nothing else in this installation would complete."""
        return self._installation.reconcile_change(self.reconciler)

    @Lazy
    def visibility_delay_seconds(self) -> int:
        """Seconds until searches see a write, from the settings alone, so that an idle index is not woken."""
        index_service = self._settings.index_service
        if index_service is None:
            return 0
        from groundwire.wiring.external_backends import visibility_delay_seconds

        return visibility_delay_seconds(index_service)

    @Lazy
    def collection_admin(self) -> "CollectionAdmin":
        """Collections and their settings."""
        from groundwire.services.collections.admin import CollectionAdmin

        return CollectionAdmin(self._stores.collections, self.deletion_memory.collection_created, self._clock)

    @Lazy
    def description_proposer(self) -> "DescriptionProposer":
        """Proposals of descriptions of collections, from public documents."""
        from groundwire.services.collections.proposal import DescriptionProposer

        return DescriptionProposer(self._stores.documents, self._stores.indexes)

    @Lazy
    def managed_documents(self) -> "ManagedDocuments":
        """Document administration with the rights of a key."""
        from groundwire.services.documents.managed import ManagedDocuments

        return ManagedDocuments(self._stores.documents, self._stores.collections, lambda: self.document_admin)

    @Lazy
    def tags(self) -> "TagUseCases":
        """Tags of a tenant: who uses them, and which are new."""
        from groundwire.wiring.use_cases.tags import TagUseCases

        return TagUseCases(self._stores, self._clock)

    @Lazy
    def explanations(self) -> "ExplanationUseCases":
        """Questions about access."""
        from groundwire.wiring.use_cases.explanations import ExplanationUseCases

        return ExplanationUseCases(self._stores, self._clock)

    @Lazy
    def tag_renaming(self) -> "TagRenaming":
        """Renaming of tags."""
        from groundwire.services.documents.tags.rename import RenameServices, TagRenaming

        services = RenameServices(lambda: self.document_admin, self.group_admin, self.tags.of_sources)
        return TagRenaming(self.tags.stores, services, self._clock)

    @Lazy
    def group_admin(self) -> "GroupAdmin":
        """Tags of groups of the identity provider."""
        from groundwire.services.keys.groups import GroupAdmin

        return GroupAdmin(self._stores.groups)

    @Lazy
    def upload_tickets(self) -> "UploadTickets":
        """Tickets for uploads."""
        import secrets

        from groundwire.services.uploads.tickets import UploadStores, UploadTickets

        stores = UploadStores(
            self._stores.uploads,
            self._stores.upload_forms,
            self._stores.uploaded_files,
            self._stores.documents,
            self._stores.ingest_lock,
            self.deletion_memory,
        )
        return UploadTickets(stores, self.managed_documents, self._clock, lambda: secrets.token_hex(16))

    @Lazy
    def delegated_key_admin(self) -> "DelegatedKeyAdmin":
        """Key administration with the rights of a key."""
        from groundwire.services.keys.delegated_admin import DelegatedKeyAdmin

        return DelegatedKeyAdmin(self.key_admin)

    @Lazy
    def user_admin(self) -> "UserAdmin":
        """Blocks of users, and the offboarding of somebody who left."""
        from groundwire.services.keys.users import UserAdmin

        return UserAdmin(self._stores.users, self._stores.keys, self._stores.documents, self._clock)

    @Lazy
    def tenant_admin(self) -> "TenantAdmin":
        """Tenant administration by the operator."""
        import secrets

        from groundwire.services.keys.tenants import TenantAdmin, TenantContent

        stores = self._stores
        return TenantAdmin(
            stores.tenants,
            stores.keys,
            TenantContent(
                stores.indexes,
                stores.image_indexes,
                stores.blobs,
                self._installation.evaluations,
                self._installation.ingestion_runs,
            ),
            stores.ingest_lock,
            self._clock,
            lambda: f"t_{secrets.token_hex(8)}",
        )

    @Lazy
    def index_transfer(self) -> "IndexTransfer":
        """Export and import of a tenant's index between engines."""
        import time

        from groundwire.services.reindex.index_transfer import IndexTransfer

        return IndexTransfer(self._stores.documents, self._stores.indexes, self._stores.image_indexes, time.sleep)

    @Lazy
    def reindexer(self) -> "Reindexer":
        """Re-indexing of a tenant with another model."""
        import time

        from groundwire.services.reindex import Reindexer

        return Reindexer(
            self._stores.documents,
            self._stores.indexes,
            self._stores.image_indexes,
            self._models.embedders,
            self._models.image_embedder,
            self._stores.ingest_lock,
            time.sleep,
        )

    @Lazy
    def key_admin(self) -> "KeyAdmin":
        """Key administration: creation, rotation, revocation."""
        import secrets

        from groundwire.dialects.declaration.dialect import toolsets
        from groundwire.services.keys.admin import KeyAdmin
        from groundwire.services.keys.choices import KeyChoices

        random = secrets.token_bytes

        def pepper() -> bytes:
            # The pepper is read on use, since listing and revoking keys must work without the secrets.
            return self._stores.secrets.pepper

        # Those that are switched off, too: a key may be made before its dialect is switched on.
        known = known_dialects(self._settings)
        choices = KeyChoices(frozenset(toolsets(known)), frozenset(dialect.name for dialect in known))
        return KeyAdmin(
            self._stores.keys,
            self._stores.tenants,
            choices,
            pepper,
            self._installation.environment,
            random,
            self._clock,
            # Read on use, so that a provider with incomplete settings stops only what needs it.
            lambda: self._settings.identity_provider,
        )

    @Lazy
    def page_sessions(self) -> "PageSessions":
        """Sign-in to the page."""
        import secrets

        from groundwire.services.keys.sign_in.page_sessions import PageSessions

        return PageSessions(self._stores.keys, self._stores.secrets.pepper, self._clock, secrets.token_bytes)

    def operator_decision(self, reason: str) -> "Decision":
        """Return the decision of the operator, who needs no key.

        Raises:
            InvalidInput: the reason is too long, or cannot be printed.
        """
        from groundwire.domain.access.decision import Decision, clean_reason

        return Decision(self._installation.os_user or "", self._clock(), "", clean_reason(reason))

    def audit_operator_action(self, action: str, **facts: "Unpack[AuditFacts]") -> None:
        """Write the audit line of an operator's action, which needs no key."""
        self.write_line(OperatorLine(action, self._installation.os_user, facts))

    @Lazy
    def ingestion_audit(self) -> "IngestionAudit":
        """Audit of ingestions."""
        import secrets

        from groundwire.domain.audit.ingestion import IngestionAudit

        return IngestionAudit(self.write_line, lambda: f"r_{secrets.token_hex(8)}", self._installation.mark_run)

    def write_line(self, line: RecordedLine) -> None:
        """Write a line of the audit log before it returns."""
        self._stores.audit.append(stored_form(line, LineTime(self._clock())))
