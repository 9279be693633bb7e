"""Target: the home folder of this machine; every change is audited as the operator's."""

import shlex
from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from groundwire import wiring
from groundwire.domain.access.policy import Policy
from groundwire.domain.access.tags import parse_user
from groundwire.domain.audit.facts import policy_change
from groundwire.domain.documents.record import TOMBSTONE_STATES, Document, DocumentState
from groundwire.domain.errors import NotFound
from groundwire.domain.keys.tenant import Tenant
from groundwire.entry.cli.console import Row
from groundwire.entry.cli.target.local_collections import LocalCollections
from groundwire.entry.cli.target.local_sources import LocalSources
from groundwire.entry.cli.target.operator_client import OperatorKeys, row_of, rows_of
from groundwire.entry.serialization.entities import (
    document_to_json,
    segment_to_json,
    tenant_to_json,
    user_to_json,
)
from groundwire.entry.serialization.object_reader import ObjectReader
from groundwire.ports import DocumentVersion

if TYPE_CHECKING:
    from groundwire.domain.audit.facts import AuditFacts


class LocalOperator:
    """The operator's actions in this process; implements `OperatorClient`."""

    def execute(self, action: str, **fields: object) -> Mapping[str, object]:
        """Execute an action, and audit it if it changes something.

        Raises:
            DomainError: the error of the action.
        """
        # Imported on use: most commands need none of the actions.
        from groundwire.entry.operator.actions import ACTIONS, READING_ACTIONS

        services = wiring.local_services()
        result = ACTIONS[action](services, ObjectReader(fields))
        if action not in READING_ACTIONS:
            services.administration.audit_operator_action(action, **result.audit_facts)
        return result.members


_OPERATOR: Final = LocalOperator()


class LocalTenants:
    """Tenants of this machine; implements `TenantOperations`."""

    def create(self, name: str) -> Row:
        """Create a tenant, and the home folder if it is missing.

        Raises:
            InvalidInput: the name is invalid.
            Conflict: the name is taken.
        """
        wiring.allow_new_home()
        return row_of(_OPERATOR.execute("tenant.create", name=name), "tenant")

    def next_step(self, name: str) -> str:
        """Return the command that ingests documents."""
        return f"Next: groundwire ingest FOLDER --tenant {shlex.quote(name)}"

    def all(self) -> list[Row]:
        """Return the tenants ordered by name; none when there is no home yet."""
        wiring.allow_new_home()
        return rows_of(_OPERATOR.execute("tenant.list"), "tenants") if wiring.local_services().stores.has_home else []

    def find(self, name_or_id: str) -> Row:
        """Return a tenant by name or id.

        Raises:
            NotFound: there is no such tenant.
        """
        return tenant_to_json(wiring.local_services().administration.tenant_admin.find(name_or_id))

    def delete(self, tenant: str) -> Row:
        """Delete a tenant; waits for a running ingestion."""
        # Imported on use: the modules that print import this package.
        from groundwire.entry.cli.long_runs.lock_wait import show_lock_wait

        with show_lock_wait([wiring.local_services().administration.tenant_admin.find(tenant)]):
            response = _OPERATOR.execute("tenant.delete", tenant=tenant)
        return {name: response[name] for name in ("tenant", "deleted")}


class LocalUsers:
    """A tenant's user entries on this machine; implements `UserOperations`."""

    def __init__(self, tenant: str) -> None:
        self._tenant = tenant

    def set(self, user: str, tags: frozenset[str]) -> None:
        """Replace the user's tags."""
        services = wiring.local_services()
        services.stores.users.set(self._tenant, parse_user(user), tags)
        services.administration.audit_operator_action("user.set", tenant=self._tenant, user=user)

    def all(self) -> list[Row]:
        """Return the entries ordered by user."""
        return [user_to_json(user, tags) for user, tags in wiring.local_services().stores.users.all(self._tenant)]

    def delete(self, user: str) -> None:
        """Delete the user's entry.

        Raises:
            NotFound: the user has no entry.
        """
        services = wiring.local_services()
        services.stores.users.delete(self._tenant, user)
        services.administration.audit_operator_action("user.delete", tenant=self._tenant, user=user)


class LocalDocuments:
    """A tenant's documents on this machine; implements `DocumentOperations`."""

    def __init__(self, tenant: str) -> None:
        self._tenant = tenant

    def all(self, collection: str | None) -> list[Row]:
        """Return the documents of one collection, or of all when it is None.

        Raises:
            NotFound: there is no such collection.
        """
        services = wiring.local_services()
        if collection is not None:
            services.administration.collection_admin.find(self._tenant, collection)
        return [document_to_json(document) for document in services.stores.documents.all(self._tenant, collection)]

    def show(self, doc_id: str, max_passages: int | None) -> Row:
        """Return a document with its first `passages`, or all for None.

        Raises:
            NotFound: there is no such document.
        """
        document = wiring.local_services().stores.documents.read(self._tenant, [doc_id]).get(doc_id)
        if document is None or document.state in TOMBSTONE_STATES:
            raise NotFound(f"There is no document {doc_id!r}.", "document")
        return document_to_json(document) | {"passages": self._passages(document)[:max_passages]}

    def set_policy(self, doc_id: str, policy: Policy) -> Row:
        """Override the document's policy.

        Raises:
            NotFound: there is no such document.
            InvalidInput: it is an attachment.
        """
        admin = wiring.local_services().administration.document_admin
        override = admin.override_policy_if(self._tenant, doc_id, policy, lambda _document: True)
        document = override.document
        self._audit("documents.set-policy", document, policy_change(override.previous, document.policy))
        return document_to_json(document)

    def delete(self, doc_id: str) -> Row:
        """Delete a document.

        Raises:
            NotFound: there is no such document.
            InvalidInput: it is an attachment.
        """
        document = wiring.local_services().administration.document_admin.delete(self._tenant, doc_id)
        self._audit("documents.delete", document, {})
        return document_to_json(document)

    def _passages(self, document: Document) -> list[Row]:
        if document.state is not DocumentState.INDEXED:
            return []
        version = DocumentVersion(document.doc_id, document.version)
        return [
            segment_to_json(segment, has_text=True)
            for segment in wiring.local_services().stores.indexes.for_tenant(self._tenant).segments(version)
        ]

    def _audit(self, action: str, document: Document, facts: "AuditFacts") -> None:
        changed: AuditFacts = {
            "tenant": self._tenant,
            "documents": [f"{document.doc_id}@{document.policy_version}"],
            **facts,
        }
        wiring.local_services().administration.audit_operator_action(action, **changed)


class LocalTenant:
    """A tenant of this machine; implements `TenantTarget`."""

    def __init__(self, tenant: Tenant) -> None:
        self.title = tenant.name
        self.keys = OperatorKeys(_OPERATOR, tenant.tenant, shows_url=False)
        self.users = LocalUsers(tenant.tenant)
        self.collections = LocalCollections(tenant.tenant)
        self.documents = LocalDocuments(tenant.tenant)
        self.sources = LocalSources(tenant.tenant)


class LocalTarget:
    """Target on this machine; implements `Target`."""

    supported_commands = None
    requires_tenant = True
    usage_hints = ()
    tenants = LocalTenants()

    @property
    def description(self) -> str:
        """A sentence that names the home folder."""
        return f"The home folder is {wiring.local_services().settings.home}."

    def tenant(self, name_or_id: str) -> LocalTenant:
        """Return a tenant by name or id.

        Raises:
            NotFound: there is no such tenant.
        """
        return LocalTenant(wiring.local_services().administration.tenant_admin.find(name_or_id))
