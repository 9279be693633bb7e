"""What operators and owners do, made of ports when it is first used: the same on one machine and in the cloud."""

from abc import abstractmethod
from functools import cached_property
from typing import TYPE_CHECKING

from groundwire.wiring.requests import RequestServices

if TYPE_CHECKING:
    from groundwire.domain.documents.record import Document
    from groundwire.ports import ModelId
    from groundwire.services.collections import CollectionAdmin
    from groundwire.services.documents.admin import DocumentAdmin
    from groundwire.services.documents.managed import ManagedDocuments
    from groundwire.services.keys.admin import KeyAdmin
    from groundwire.services.keys.delegated_admin import DelegatedKeyAdmin
    from groundwire.services.reconcile import Reconciler
    from groundwire.services.reindex import Reindexer
    from groundwire.services.reindex.index_transfer import IndexTransfer
    from groundwire.services.tenants import TenantAdmin
    from groundwire.services.uploads.tickets import UploadTickets


class AdminServices(RequestServices):
    """The use cases that change what calls are answered from."""

    @abstractmethod
    def find_model(self, name: str) -> "ModelId":
        """The embedding model of this name; Raises NotFound, Invalid."""
        ...

    @cached_property
    def reconciler(self) -> "Reconciler":
        """Index and originals as the registry says."""
        from groundwire.services.reconcile import Reconciler

        return Reconciler(self.documents, self.indexes, self.blobs, self.clock)

    @cached_property
    def document_admin(self) -> "DocumentAdmin":
        """Policies and deletions."""
        from groundwire.services.documents.admin import DocumentAdmin

        return DocumentAdmin(self.documents, self.collections, self.reconcile_without_lock, self.clock)

    def reconcile_without_lock(self, tenant: str, document: "Document") -> "Document":
        """Beside whatever an ingestion makes at this moment; what may be left of one is for the sweep."""
        return self.reconciler.reconcile_without_lock(tenant, document)

    @cached_property
    def visibility_delay_seconds(self) -> int:
        """How long what was written may stay unseen by searches; the index itself is not asked, nor woken."""
        chosen = self.settings.index_service
        if chosen is None:
            return 0
        from groundwire.wiring.external_backends import visibility_delay_seconds

        return visibility_delay_seconds(chosen)

    @cached_property
    def collection_admin(self) -> "CollectionAdmin":
        """Collections and their settings."""
        from groundwire.services.collections import CollectionAdmin

        return CollectionAdmin(self.collections)

    @cached_property
    def managed_documents(self) -> "ManagedDocuments":
        """Documents in the hands of a key."""
        from groundwire.services.documents.managed import ManagedDocuments

        return ManagedDocuments(self.documents, lambda: self.document_admin)

    @cached_property
    def upload_tickets(self) -> "UploadTickets":
        """Tickets for files that are to come."""
        import secrets

        from groundwire.services.uploads.tickets import UploadStores, UploadTickets

        def new_name() -> str:
            return secrets.token_hex(16)

        where = UploadStores(self.uploads, self.upload_forms, self.uploaded_files, self.documents, self.ingest_lock)
        return UploadTickets(where, self.managed_documents, self.clock, new_name)

    @cached_property
    def delegated_key_admin(self) -> "DelegatedKeyAdmin":
        """Keys in the hands of a key."""
        from groundwire.services.keys.delegated_admin import DelegatedKeyAdmin

        return DelegatedKeyAdmin(self.key_admin)

    @cached_property
    def tenant_admin(self) -> "TenantAdmin":
        """What only the operator does."""
        import secrets

        from groundwire.services.tenants import TenantAdmin

        def new_id() -> str:
            return f"t_{secrets.token_hex(8)}"

        return TenantAdmin(self.tenants, self.keys, self.indexes, self.blobs, self.ingest_lock, self.clock, new_id)

    @cached_property
    def index_transfer(self) -> "IndexTransfer":
        """A tenant's index, out of one engine and into another."""
        import time

        from groundwire.services.reindex.index_transfer import IndexTransfer

        return IndexTransfer(self.documents, self.indexes, time.sleep)

    @cached_property
    def reindexer(self) -> "Reindexer":
        """A tenant's index, made anew with another model."""
        import time

        from groundwire.services.reindex import Reindexer

        return Reindexer(self.documents, self.indexes, self.embedders, self.ingest_lock, time.sleep)

    @cached_property
    def key_admin(self) -> "KeyAdmin":
        """The life of keys."""
        import secrets

        from groundwire.services.keys.admin import KeyAdmin

        provider = self.settings.identity_provider
        random = secrets.token_bytes

        def pepper() -> bytes:
            # Late: keys are listed and revoked also where the secrets are lost.
            return self.secrets.pepper

        return KeyAdmin(self.keys, self.tenants, pepper, self.environment, random, self.clock, provider)

    def audit_operator_action(self, action: str, **facts: object) -> None:
        """Records what somebody did who needs no key: an operator."""
        self.audit.append({"time": self.clock(), "action": action, "decision": "operator", **facts})
