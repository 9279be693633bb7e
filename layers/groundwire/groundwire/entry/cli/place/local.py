"""The home folder of this machine, with every change on record as the operator's."""

import shlex
from dataclasses import replace

from groundwire import wiring
from groundwire.domain.access import Policy
from groundwire.domain.credentials import Tenant
from groundwire.domain.documents import DEAD, Document, DocumentState
from groundwire.domain.errors import NotFound
from groundwire.domain.grants import KeyKind
from groundwire.domain.tags import parse_user
from groundwire.entry.cli.place.nouns import Row
from groundwire.entry.rows import (
    collection_row,
    key_row,
    record_row,
    segment_row,
    tenant_row,
    user_row,
)
from groundwire.ports import DocumentVersion
from groundwire.services.keys import KeyOrder


class LocalTenants:
    """Implements `Tenants`."""

    def create(self, name: str) -> Row:
        """Raises Invalid, Conflict."""
        wiring.allow_new_home()
        services = wiring.current()
        tenant = services.tenant_care.create(name)
        services.operator_audit("tenant.create", tenant=tenant.tenant)
        return tenant_row(tenant)

    def next_step(self, name: str) -> str:
        """A key that searches."""
        return f"Next: groundwire key create --tenant {shlex.quote(name)} --scope search --user NAME"

    def all(self) -> list[Row]:
        """By name; none where there is no home yet."""
        wiring.allow_new_home()
        services = wiring.current()
        return [tenant_row(tenant) for tenant in services.tenants.all()] if services.has_home else []

    def find(self, named: str) -> Row:
        """Raises NotFound."""
        return tenant_row(wiring.current().tenant_care.find(named))

    def delete(self, tenant: str) -> Row:
        """Waits for an ingestion that runs."""
        # Late: what prints asks this package for the place.
        from groundwire.entry.cli.waiting import waiting_shown

        services = wiring.current()
        with waiting_shown([services.tenant_care.find(tenant)]):
            counts = dict(services.tenant_care.delete(tenant))
        services.operator_audit("tenant.delete", tenant=tenant, counts=counts)
        return {"tenant": tenant, "deleted": counts}


class LocalKeys:
    """Implements `Keys`."""

    def __init__(self, tenant: str) -> None:
        self._tenant = tenant

    def create(self, order: KeyOrder) -> Row:
        """Raises Invalid, Conflict."""
        services = wiring.current()
        order = replace(order, tenant=self._tenant)
        if order.kind is KeyKind.OAUTH:
            row = key_row(services.key_care.admit_tokens(order))
        else:
            issued = services.key_care.create(order)
            row = {**key_row(issued.key), "key": issued.text.reveal()}
        services.operator_audit("key.create", tenant=self._tenant, kid=row["kid"])
        return row

    def all(self) -> list[Row]:
        """By creation time."""
        return [key_row(key) for key in wiring.current().key_care.all(self._tenant)]

    def rotate(self, kid: str, overlap_hours: int) -> Row:
        """Raises NotFound, Conflict, Invalid."""
        services = wiring.current()
        issued = services.key_care.rotate(self._tenant, kid, overlap_hours)
        services.operator_audit("key.rotate", tenant=self._tenant, kid=kid)
        return {**key_row(issued.key), "key": issued.text.reveal()}

    def revoke(self, kid: str) -> Row:
        """Raises NotFound."""
        services = wiring.current()
        key = services.key_care.revoke(self._tenant, kid)
        services.operator_audit("key.revoke", tenant=self._tenant, kid=kid)
        return key_row(key)


class LocalUsers:
    """Implements `Users`."""

    def __init__(self, tenant: str) -> None:
        self._tenant = tenant

    def set(self, user: str, tags: frozenset[str]) -> None:
        """The user's entry is exactly these tags."""
        services = wiring.current()
        services.users.set(self._tenant, parse_user(user), tags)
        services.operator_audit("user.set", tenant=self._tenant, user=user)

    def all(self) -> list[Row]:
        """By user."""
        return [user_row(user, tags) for user, tags in wiring.current().users.all(self._tenant)]

    def delete(self, user: str) -> None:
        """Raises NotFound."""
        services = wiring.current()
        services.users.delete(self._tenant, user)
        services.operator_audit("user.delete", tenant=self._tenant, user=user)


class LocalCollections:
    """Implements `Collections`."""

    def __init__(self, tenant: str) -> None:
        self._tenant = tenant

    def all(self) -> list[Row]:
        """By name."""
        return [self._row(each.name) for each in wiring.current().collections.all(self._tenant)]

    def find(self, name: str) -> Row:
        """Raises NotFound."""
        return self._row(name)

    def set(self, name: str, bm25_weight: float | None, language: str | None) -> Row:
        """Raises Invalid."""
        services = wiring.current()
        services.collection_care.set(self._tenant, name, bm25_weight, language)
        services.operator_audit("collection.set", tenant=self._tenant, collection=name)
        return self._row(name)

    def delete(self, name: str) -> int:
        """Raises NotFound."""
        services = wiring.current()
        count = services.document_care.delete_collection(self._tenant, name)
        services.operator_audit("collection.delete", tenant=self._tenant, collection=name, documents=count)
        return count

    def _row(self, name: str) -> Row:
        services = wiring.current()
        collection = services.collection_care.find(self._tenant, name)
        return collection_row(collection, len(services.documents.all(self._tenant, name)))


class LocalDocuments:
    """Implements `Documents`."""

    def __init__(self, tenant: str) -> None:
        self._tenant = tenant

    def all(self, collection: str | None) -> list[Row]:
        """By name."""
        services = wiring.current()
        if collection is not None:
            services.collection_care.find(self._tenant, collection)
        return [record_row(document) for document in services.documents.all(self._tenant, collection)]

    def show(self, doc_id: str, *, segments: bool) -> Row:
        """Raises NotFound."""
        document = wiring.current().documents.read(self._tenant, [doc_id]).get(doc_id)
        if document is None or document.state in DEAD:
            raise NotFound(f"There is no document {doc_id!r}.", "document")
        return record_row(document) | ({"passages": self._passages(document)} if segments else {})

    def set_policy(self, doc_id: str, policy: Policy) -> Row:
        """Raises NotFound, Invalid."""
        document = wiring.current().document_care.set_policy(self._tenant, doc_id, policy)
        self._record("documents.set-policy", document)
        return record_row(document)

    def delete(self, doc_id: str) -> Row:
        """Raises NotFound, Invalid."""
        document = wiring.current().document_care.delete(self._tenant, doc_id)
        self._record("documents.delete", document)
        return record_row(document)

    def _passages(self, document: Document) -> list[Row]:
        if document.state is not DocumentState.INDEXED:
            return []
        version = DocumentVersion(document.doc_id, document.version)
        return [segment_row(segment) for segment in wiring.current().indexes.of(self._tenant).segments(version)]

    def _record(self, action: str, document: Document) -> None:
        changed = f"{document.doc_id}@{document.policy_version}"
        wiring.current().operator_audit(action, tenant=self._tenant, document=changed)


class LocalTenant:
    """Implements `TenantPlace`."""

    def __init__(self, tenant: Tenant) -> None:
        self.title = tenant.name
        self.keys = LocalKeys(tenant.tenant)
        self.users = LocalUsers(tenant.tenant)
        self.collections = LocalCollections(tenant.tenant)
        self.documents = LocalDocuments(tenant.tenant)


class LocalPlace:
    """Implements `Place`."""

    commands = None
    names_tenants = True
    first_call = ()
    tenants = LocalTenants()

    @property
    def described(self) -> str:
        """The home folder."""
        return f"The home is {wiring.current().settings.home}."

    def tenant(self, named: str) -> LocalTenant:
        """Raises NotFound."""
        return LocalTenant(wiring.current().tenant_care.find(named))
