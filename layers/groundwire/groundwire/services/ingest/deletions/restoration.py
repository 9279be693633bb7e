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
        suspended: the tenant, if it is. blocked: users.
        revoked: keys that were revoked, or rotated, so that their earlier secrets had ended.
        failed: documents whose ceiling could not be set.
    """

    tenant: str
    limited: list[str] = field(default_factory=list[str])
    suspended: list[str] = field(default_factory=list[str])
    blocked: list[str] = field(default_factory=list[str])
    revoked: list[str] = field(default_factory=list[str])
    failed: list[FailedDeletion] = field(default_factory=list[FailedDeletion])

    @property
    def is_empty(self) -> bool:
        """Truth of the claim that nothing was to be done."""
        return not (self.limited or self.suspended or self.blocked or self.revoked or self.failed)


class DecisionReplay:
    """Repetition in one registry of what another one has."""

    def __init__(self, replaced: RegistryStores, restored: RegistryStores, admin: DocumentAdmin) -> None:
        self._replaced = replaced
        self._restored = restored
        self._admin = admin

    def __call__(self) -> Iterator[RepeatedDecisions]:
        """Suspend, block, revoke and set ceilings in each tenant that both registries have."""
        known = {each.tenant: each for each in self._replaced.tenants.all()}
        for present in (each for each in self._restored.tenants.all() if each.tenant in known):
            tenant, since = present.tenant, known[present.tenant].suspended_at
            repeated = RepeatedDecisions(tenant)
            if since is not None and present.suspended_at is None:
                self._restored.tenants.set_suspension(tenant, since)
                repeated.suspended.append(present.name)
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
        replaced = {key.kid: key for key in self._replaced.keys.all(tenant)}
        for key in self._restored.keys.all(tenant):
            later = replaced.get(key.kid, key)
            # Each rotation moves the end of the secret before it. The new secret is not in the backup, and the old one
            # may be what somebody ended.
            if (later.revoked or later.previous_until != key.previous_until) and not key.revoked:
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
