"""Registry in memory that counts its calls, and a tenant's keys that issues keys from it."""

import secrets
from collections import Counter
from dataclasses import dataclass, field, replace

from groundwire.domain.access.groups import NO_GROUPS, GroupTags
from groundwire.domain.access.scopes import Scope
from groundwire.domain.access.user_blocks import UserBlock, UserState, block_key
from groundwire.domain.errors import Conflict, NotFound, Unavailable
from groundwire.domain.keys.api_key import (
    CHANGEABLE_FIELDS,
    Admission,
    AdmissionDenialReason,
    AdmissionDenied,
    AdmissionGranted,
    ApiKey,
    SecretMaker,
)
from groundwire.domain.keys.grants import ALL_COLLECTIONS, KeyKind
from groundwire.domain.keys.options import USUAL_OPTIONS
from groundwire.domain.keys.rate_limit import RateExceeded, spend
from groundwire.domain.keys.tenant import Tenant
from groundwire.services.keys.admin import KeyAdmin, KeySpec, KeyWithSecret
from groundwire.services.keys.request_authorizer import RequestAuthorizer
from tests.support.registry.key_specs import CHOICES

PEPPER = b"a pepper of the tests, 32 bytes."
NOW = 1_800_000_000.0
TENANT = "t_north"


@dataclass
class Row:
    key: ApiKey
    digest: bytes
    previous: bytes | None = None
    tat: float | None = None


@dataclass
class MemoryKeys:
    """The Keys port; `reads` counts every question, `fails` makes the next ones unanswerable."""

    rows: dict[str, Row] = field(default_factory=dict[str, Row])
    reads: int = 0
    fails: bool = False

    def add(self, key: ApiKey, digest: bytes) -> None:
        if key.kid in self.rows:
            raise Conflict("taken")
        self.rows[key.kid] = Row(key, digest)

    def admit(self, kid: str, digest: bytes, now: float) -> Admission:
        self.reads += 1
        if self.fails:
            raise Unavailable("away", 7)
        row = self.rows.get(kid)
        if row is None:
            return AdmissionDenied(AdmissionDenialReason.UNKNOWN_KEY, None, None, None)
        refusal = self._refusal(row, digest, now)
        if refusal is not None:
            return AdmissionDenied(refusal, kid, row.key.tenant, None)
        outcome = spend(row.tat, now, row.key.rate_per_minute, row.key.burst)
        if isinstance(outcome, RateExceeded):
            wait = outcome.retry_after_seconds
            return AdmissionDenied(AdmissionDenialReason.KEY_RATE, kid, row.key.tenant, wait, row.key.options.toolset)
        row.tat = outcome.arrival_time
        return AdmissionGranted(row.key)

    def admit_page(self, kid: str, digest: bytes, now: float) -> Admission:
        raise NotImplementedError("no page signs in here")

    def without_tenant_rate(self) -> "MemoryKeys":
        return self

    def open_page(self, tenant: str, kid: str, digest: bytes, until: float, now: float) -> float:
        raise NotImplementedError("no page signs in here")

    def close_page(self, kid: str, digest: bytes, now: float) -> bool:
        raise NotImplementedError("no page signs in here")

    @staticmethod
    def _refusal(row: Row, digest: bytes, now: float) -> AdmissionDenialReason | None:
        previous = row.previous if (row.key.previous_until or 0) > now else None
        if digest not in (row.digest, previous):
            return AdmissionDenialReason.WRONG_SECRET
        if row.key.revoked:
            return AdmissionDenialReason.REVOKED
        return AdmissionDenialReason.EXPIRED if row.key.expires_at is not None and row.key.expires_at <= now else None

    def get_usable(self, tenant: str, kid: str) -> ApiKey | None:
        return self.get(tenant, kid)

    def get(self, tenant: str, kid: str) -> ApiKey | None:
        row = self.rows.get(kid)
        return row.key if row is not None and row.key.tenant == tenant else None

    def all(self, tenant: str) -> list[ApiKey]:
        return [row.key for row in self.rows.values() if row.key.tenant == tenant]

    def rotate(self, tenant: str, kid: str, digest: bytes, previous_until: float, maker: SecretMaker) -> None:
        row = self._row(tenant, kid)
        row.previous, row.digest = row.digest, digest
        former = {"formerly_rotated_by": row.key.rotated_by, "formerly_rotated_with": row.key.rotated_with}
        made = {"rotated_by": maker.user, "rotated_with": maker.kid, **former}
        row.key = replace(row.key, previous_until=previous_until, **made)

    def replace_tags(self, key: ApiKey, tags: frozenset[str], max_tags: tuple[str, ...]) -> None:
        row = self._row(key.tenant, key.kid)
        if (row.key.tags, row.key.max_tags) != (key.tags, key.max_tags):
            raise Conflict("changed meanwhile")
        row.key = replace(row.key, tags=tags, max_tags=max_tags)

    def change(self, before: ApiKey, after: ApiKey) -> None:
        row = self._row(before.tenant, before.kid)
        if row.key.revoked or any(getattr(row.key, name) != getattr(before, name) for name in CHANGEABLE_FIELDS):
            raise Conflict("changed meanwhile")
        row.key = replace(row.key, **{name: getattr(after, name) for name in CHANGEABLE_FIELDS})

    def is_revoked(self, tenant: str, kid: str) -> bool:
        key = self.get(tenant, kid)
        return key is None or key.revoked

    def revoke(self, tenant: str, kid: str) -> None:
        row = self._row(tenant, kid)
        row.key = replace(row.key, revoked=True)

    def _row(self, tenant: str, kid: str) -> Row:
        if self.get(tenant, kid) is None:
            raise NotFound("no such key")
        return self.rows[kid]


@dataclass
class MemoryUsers:
    """The Users port, counting."""

    entries: dict[tuple[str, str], frozenset[str]] = field(default_factory=dict[tuple[str, str], frozenset[str]])
    blocks: dict[tuple[str, str], UserBlock] = field(default_factory=dict[tuple[str, str], UserBlock])
    reads: int = 0
    fails: bool = False

    def set(self, tenant: str, user: str, tags: frozenset[str]) -> None:
        self.entries[tenant, user] = tags

    def replace(self, tenant: str, user: str, tags: frozenset[str], expected: frozenset[str] | None) -> None:
        if self.entries.get((tenant, user)) != expected:
            raise Conflict("changed meanwhile")
        self.entries[tenant, user] = tags

    def state(self, tenant: str, user: str) -> UserState:
        self.reads += 1
        if self.fails:
            raise Unavailable("away", 3)
        return UserState(self.entries.get((tenant, user)), (tenant, block_key(user)) in self.blocks)

    def all(self, tenant: str) -> list[tuple[str, frozenset[str]]]:
        return sorted((user, tags) for (owner, user), tags in self.entries.items() if owner == tenant)

    def delete(self, tenant: str, user: str) -> None:
        if self.entries.pop((tenant, user), None) is None:
            raise NotFound("no such user")

    def block(self, tenant: str, block: UserBlock) -> None:
        self.blocks.setdefault((tenant, block_key(block.user)), block)

    def unblock(self, tenant: str, user: str) -> None:
        if self.blocks.pop((tenant, block_key(user)), None) is None:
            raise NotFound("not blocked")

    def blocked(self, tenant: str) -> list[UserBlock]:
        return [block for (owner, _), block in self.blocks.items() if owner == tenant]


@dataclass
class MemoryGroups:
    """The Groups port, counting."""

    mappings: dict[str, GroupTags] = field(default_factory=dict[str, GroupTags])
    reads: int = 0
    fails: bool = False

    def read(self, tenant: str) -> GroupTags:
        self.reads += 1
        if self.fails:
            raise Unavailable("away", 3)
        return self.mappings.get(tenant, NO_GROUPS)

    def replace(self, tenant: str, mapping: GroupTags, expected: GroupTags) -> None:
        if self.mappings.get(tenant, NO_GROUPS) != expected:
            raise Conflict("changed")
        self.mappings[tenant] = mapping


@dataclass
class MemoryTenants:
    """The Tenants port with as many tenants as were added."""

    rows: dict[str, Tenant] = field(default_factory=dict[str, Tenant])

    def add(self, tenant: Tenant) -> None:
        self.rows[tenant.tenant] = tenant

    def get(self, tenant: str) -> Tenant | None:
        return self.rows.get(tenant)

    def all(self) -> list[Tenant]:
        return list(self.rows.values())

    def set_rate(self, tenant: str, rate_per_minute: int, burst: int) -> None:
        self.rows[tenant] = replace(self.rows[tenant], rate_per_minute=rate_per_minute, burst=burst)

    def set_suspension(self, tenant: str, since: float | None) -> None:
        raise NotImplementedError("no tenant is suspended here")

    def mark_deleting(self, tenant: str) -> None:
        if tenant not in self.rows:
            raise NotFound(tenant)

    def delete(self, tenant: str) -> Counter[str]:
        return Counter(tenants=int(self.rows.pop(tenant, None) is not None))


class TenantKeys:
    """One tenant without keys, and a clock that changes only when a test moves it."""

    def __init__(self) -> None:
        self.now = NOW
        self.keys = MemoryKeys()
        self.users = MemoryUsers()
        self.groups = MemoryGroups()
        self.tenants = MemoryTenants()
        self.tenants.add(Tenant(TENANT, "North", 6_000, 600, NOW))
        self.admin = KeyAdmin(
            self.keys, self.tenants, CHOICES, lambda: PEPPER, "local", secrets.token_bytes, lambda: self.now
        )
        self.authorize = RequestAuthorizer(self.keys, self.users, PEPPER, lambda: self.now)

    def personal(self, *tags: str, user: str = "ann", burst: int = 1_000) -> KeyWithSecret:
        return self.admin.create(replace(PERSONAL, user=user, tags=frozenset(tags), burst=burst))

    def acting(self, *max_tags: str, strict: bool = False) -> KeyWithSecret:
        return self.admin.create(replace(ACTING, max_tags=max_tags, strict_tags=strict, burst=1_000))


PERSONAL = KeySpec(
    tenant=TENANT,
    name="Ann's key",
    kind=KeyKind.PERSONAL,
    user="ann",
    tags=frozenset(),
    max_tags=(),
    scopes=frozenset({Scope.SEARCH, Scope.VERIFY}),
    collections=ALL_COLLECTIONS,
    options=USUAL_OPTIONS,
)
ACTING = replace(PERSONAL, name="the agent", kind=KeyKind.ACT_AS, user=None)


def bearer(key: KeyWithSecret, **headers: str) -> dict[str, str]:
    """Headers with the key; `x_user_id="ann"` gives `x-user-id: ann`."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return {"authorization": f"Bearer {key.secret.reveal()}", **named}
