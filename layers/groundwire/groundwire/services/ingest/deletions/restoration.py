"""Repetition of persons' decisions in a restored registry: those that the replaced one has, and the backup has not.

Each of them takes a right away, so nothing that a person closed or ended comes back with the backup.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from groundwire.domain.access.policy_source import Ceiling
from groundwire.domain.access.user_blocks import block_key
from groundwire.domain.documents.changes.lifecycle import with_ceiling
from groundwire.domain.documents.record import Document
from groundwire.domain.errors import DomainError
from groundwire.ports import Documents, Keys, Tenants, Users
from groundwire.ports.registry.documents import living_documents
from groundwire.services.documents.admin import DocumentAdmin
from groundwire.services.ingest.deletions.replay import FailedDeletion


class RegistryStores(NamedTuple):
    """Stores of one registry."""

    tenants: Tenants
    documents: Documents
    users: Users
    keys: Keys


@dataclass(frozen=True, slots=True)
class RepeatedDecisions:
    """Decisions in one tenant that hold in the restored registry, too.

    Attributes:
        limited: documents under the ceiling of the replaced registry.
        blocked: users. revoked: keys.
        failed: documents whose ceiling could not be set.
    """

    tenant: str
    limited: list[str] = field(default_factory=list[str])
    blocked: list[str] = field(default_factory=list[str])
    revoked: list[str] = field(default_factory=list[str])
    failed: list[FailedDeletion] = field(default_factory=list[FailedDeletion])

    @property
    def is_empty(self) -> bool:
        """Truth of the claim that nothing was to be done."""
        return not (self.limited or self.blocked or self.revoked or self.failed)


class DecisionReplay:
    """Repetition in one registry of what another one has."""

    def __init__(self, replaced: RegistryStores, restored: RegistryStores, admin: DocumentAdmin) -> None:
        self._replaced = replaced
        self._restored = restored
        self._admin = admin

    def __call__(self) -> Iterator[RepeatedDecisions]:
        """Block the users, revoke the keys and set the ceilings of each tenant that both registries have."""
        known = {each.tenant for each in self._replaced.tenants.all()}
        for tenant in (each.tenant for each in self._restored.tenants.all() if each.tenant in known):
            repeated = RepeatedDecisions(tenant)
            # Blocks first: they close most.
            self._block(tenant, repeated)
            self._revoke(tenant, repeated)
            self._limit(tenant, repeated)
            yield repeated

    def _block(self, tenant: str, repeated: RepeatedDecisions) -> None:
        present = {block_key(each.user) for each in self._restored.users.blocked(tenant)}
        for block in self._replaced.users.blocked(tenant):
            if block_key(block.user) not in present:
                self._restored.users.block(tenant, block)
                repeated.blocked.append(block.user)

    def _revoke(self, tenant: str, repeated: RepeatedDecisions) -> None:
        # A key that the replaced registry does not have is younger than the backup or was never its own: none is meant.
        revoked = {key.kid for key in self._replaced.keys.all(tenant) if key.revoked}
        for key in self._restored.keys.all(tenant):
            if key.kid in revoked and not key.revoked:
                self._restored.keys.revoke(tenant, key.kid)
                repeated.revoked.append(key.kid)

    def _limit(self, tenant: str, repeated: RepeatedDecisions) -> None:
        ceilings = dict(self._ceilings(tenant))
        for document in list(living_documents(self._restored.documents, tenant, None)):
            ceiling = ceilings.get(document.doc_id)
            # An attachment has the ceiling of its mail.
            if ceiling is None or ceiling == document.ceiling or document.parent is not None:
                continue
            try:
                self._admin.decide_readers_if(
                    tenant, document.doc_id, lambda each, _, limit=ceiling: with_ceiling(each, limit), ceiling.decision
                )
                repeated.limited.append(document.doc_id)
            except DomainError as error:
                repeated.failed.append(FailedDeletion(document.doc_id, str(error)))

    def _ceilings(self, tenant: str) -> Iterator[tuple[str, Ceiling]]:
        for document in living_documents(self._replaced.documents, tenant, None):
            if document.ceiling is not None:
                yield document.doc_id, document.ceiling


def documents_of(stores: RegistryStores) -> int:
    """Return the number of living documents of all tenants."""
    return sum(_count(living_documents(stores.documents, each.tenant, None)) for each in stores.tenants.all())


def _count(documents: Iterator[Document]) -> int:
    return sum(1 for _ in documents)
