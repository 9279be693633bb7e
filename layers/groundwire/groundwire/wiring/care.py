"""What operators and owners do, made of ports when it is first used: the same on one machine and in the cloud."""

from abc import abstractmethod
from functools import cached_property
from typing import TYPE_CHECKING

from groundwire.wiring.calls import CallServices

if TYPE_CHECKING:
    from groundwire.domain.documents import Document
    from groundwire.ports import ModelId
    from groundwire.services.collection_care import CollectionCare
    from groundwire.services.delegated_keys import DelegatedKeys
    from groundwire.services.documents import DocumentCare
    from groundwire.services.index_copy import IndexCopy
    from groundwire.services.keys import KeyCare
    from groundwire.services.reindex import Reindex
    from groundwire.services.settle import Settle
    from groundwire.services.stewardship import Stewardship
    from groundwire.services.tenants import TenantCare
    from groundwire.services.upload_desk import UploadDesk


class CareServices(CallServices):
    """The use cases that change what calls are answered from."""

    @abstractmethod
    def model_named(self, name: str) -> "ModelId":
        """The embedding model of this name; Raises NotFound, Invalid."""
        ...

    @cached_property
    def settle(self) -> "Settle":
        """Index and originals as the registry says."""
        from groundwire.services.settle import Settle

        return Settle(self.documents, self.indexes, self.blobs, self.clock)

    @cached_property
    def document_care(self) -> "DocumentCare":
        """Policies and deletions."""
        from groundwire.services.documents import DocumentCare

        return DocumentCare(self.documents, self.collections, self.settle_at_once, self.clock)

    def settle_at_once(self, tenant: str, document: "Document") -> "Document":
        """Beside whatever an ingestion makes at this moment; what may be left of one is for the sweep."""
        return self.settle.beside_ingestion(tenant, document)

    @cached_property
    def visible_after_seconds(self) -> int:
        """How long what was written may stay unseen by searches; the index itself is not asked, nor woken."""
        chosen = self.settings.index_service
        if chosen is None:
            return 0
        from groundwire.wiring.services_of_aws import visible_after

        return visible_after(chosen)

    @cached_property
    def collection_care(self) -> "CollectionCare":
        """Collections and their settings."""
        from groundwire.services.collection_care import CollectionCare

        return CollectionCare(self.collections)

    @cached_property
    def stewardship(self) -> "Stewardship":
        """Documents in the hands of a key."""
        from groundwire.services.stewardship import Stewardship

        return Stewardship(self.documents, lambda: self.document_care)

    @cached_property
    def upload_desk(self) -> "UploadDesk":
        """Tickets for files that are to come."""
        import secrets

        from groundwire.services.upload_desk import UploadDesk, UploadStores

        def new_name() -> str:
            return secrets.token_hex(16)

        where = UploadStores(self.uploads, self.upload_addresses, self.uploaded_files, self.documents, self.ingest_lock)
        return UploadDesk(where, self.stewardship, self.clock, new_name)

    @cached_property
    def delegated_keys(self) -> "DelegatedKeys":
        """Keys in the hands of a key."""
        from groundwire.services.delegated_keys import DelegatedKeys

        return DelegatedKeys(self.key_care)

    @cached_property
    def tenant_care(self) -> "TenantCare":
        """What only the operator does."""
        import secrets

        from groundwire.services.tenants import TenantCare

        def new_id() -> str:
            return f"t_{secrets.token_hex(8)}"

        return TenantCare(self.tenants, self.keys, self.indexes, self.blobs, self.ingest_lock, self.clock, new_id)

    @cached_property
    def index_copy(self) -> "IndexCopy":
        """A tenant's index, out of one engine and into another."""
        import time

        from groundwire.services.index_copy import IndexCopy

        return IndexCopy(self.documents, self.indexes, time.sleep)

    @cached_property
    def reindex(self) -> "Reindex":
        """A tenant's index, made anew with another model."""
        import time

        from groundwire.services.reindex import Reindex

        return Reindex(self.documents, self.indexes, self.embedders, self.ingest_lock, time.sleep)

    @cached_property
    def key_care(self) -> "KeyCare":
        """The life of keys."""
        import secrets

        from groundwire.services.keys import KeyCare

        provider = self.settings.identity_provider
        random = secrets.token_bytes

        def pepper() -> bytes:
            # Late: keys are listed and revoked also where the secrets are lost.
            return self.secrets.pepper

        return KeyCare(self.keys, self.tenants, pepper, self.environment, random, self.clock, provider)

    def operator_audit(self, action: str, **facts: object) -> None:
        """Records what somebody did who needs no key: an operator."""
        self.audit.append({"time": self.clock(), "action": action, "decision": "operator", **facts})
