"""API keys as the registry stores them, and the results of an admission."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from groundwire.domain import limits
from groundwire.domain.access.scopes import Scope
from groundwire.domain.keys.grants import ALL_COLLECTIONS, GRANT, CollectionGrant, KeyKind
from groundwire.domain.keys.options import STORED_OPTIONS, KeyOptions
from groundwire.stored.fields import REQUIRED, Shown, field
from groundwire.stored.kinds import BOOLEAN, INTEGER, MOMENT, TEXT, TEXT_SET, TEXTS, enum_set, enum_text
from groundwire.stored.stored_type import StoredPart, StoredType

_DAY_S: Final = 86_400


@dataclass(frozen=True, slots=True)
class ApiKey:
    """Credential of an agent or a person, with its rights and limits, without its secret.

    Attributes:
        kid: public part, 12 characters, the name of the key in lists and audit lines.
        user, tags: the principal of a personal key; None and empty for an `act_as` key.
        max_tags: tags that an `act_as` key may assert: exact tags, or prefixes ending in `*`; empty means no tag.
        strict_tags: refuses a call with a tag outside `max_tags`, instead of ignoring that tag.
        options: what its calls may use, and the form of their answers.
        rate_per_minute, burst: sustained calls per minute, and calls admitted at once after a pause.
        expires_at: epoch seconds; None only for a key explicitly created without expiry.
        previous_until: expiry of the secret before the last rotation, epoch seconds.
        last_used: epoch seconds of the last admitted call, minute resolution; None before the first.
        created_by, created_with: user and kid of the key that created it; None where an operator did, where the call
            named no user, and for keys of earlier releases.
        rotated_by, rotated_with: the same of the last rotation, which made the present secret; empty where unknown.
        formerly_rotated_by, formerly_rotated_with: the same of the rotation before, whose secret may still work.
    """

    kid: str
    tenant: str
    name: str
    kind: KeyKind
    user: str | None
    tags: frozenset[str]
    max_tags: tuple[str, ...]
    strict_tags: bool
    scopes: frozenset[Scope]
    collections: CollectionGrant
    options: KeyOptions
    rate_per_minute: int
    burst: int
    created_at: float
    expires_at: float | None
    revoked: bool
    previous_until: float | None
    last_used: float | None
    created_by: str | None = None
    created_with: str | None = None
    rotated_by: str = ""
    rotated_with: str = ""
    formerly_rotated_by: str = ""
    formerly_rotated_with: str = ""

    def expires_in_days(self, now: float) -> int | None:
        """Return the whole days left, as `days_before_expiry`; None for a revoked key."""
        return None if self.revoked else days_before_expiry(self.expires_at, now)

    def is_active(self, now: float) -> bool:
        """Return whether the key is neither revoked nor expired."""
        return not self.revoked and (self.expires_at is None or self.expires_at > now)

    def allows_collection(self, collection: str) -> bool:
        """Return whether the key covers this collection."""
        return self.collections == ALL_COLLECTIONS or collection in self.collections


@dataclass(frozen=True, slots=True)
class SecretMaker:
    """Caller that makes a secret and is shown it.

    Attributes:
        user: user of the call; empty where it names none, and for an operator.
        kid: key of the call; empty for an operator.
    """

    user: str
    kid: str


OPERATOR: Final = SecretMaker("", "")
"""Whoever runs a command on the machine or in a stack; no key and no user of the tenant."""


STORED_KEY: Final = StoredType(
    ApiKey,
    field("kid", TEXT, absent=REQUIRED),
    field("tenant", TEXT, absent=REQUIRED, shown=Shown.NEVER),
    field("name", TEXT, absent=REQUIRED),
    field("kind", enum_text(KeyKind), absent=REQUIRED),
    field("user", TEXT, absent=None, shown=Shown.ALWAYS),
    field("tags", TEXT_SET, absent=REQUIRED),
    field("max_tags", TEXTS, absent=REQUIRED),
    field("strict_tags", BOOLEAN, absent=False, shown=Shown.ALWAYS),
    field("scopes", enum_set(Scope), absent=REQUIRED),
    field("collections", GRANT, absent=REQUIRED),
    StoredPart("options", STORED_OPTIONS),
    field("rate_per_minute", INTEGER, absent=REQUIRED),
    field("burst", INTEGER, absent=REQUIRED),
    field("created_at", MOMENT, absent=REQUIRED),
    field("expires_at", MOMENT, absent=None, shown=Shown.ALWAYS),
    field("previous_until", MOMENT, absent=None, shown=Shown.ALWAYS),
    field("last_used", MOMENT, absent=None, shown=Shown.ALWAYS),
    field("revoked", BOOLEAN, absent=REQUIRED),
    field("created_by", TEXT, absent=None),
    field("created_with", TEXT, absent=None),
    field("rotated_by", TEXT, absent=""),
    field("rotated_with", TEXT, absent=""),
    field("formerly_rotated_by", TEXT, absent="", shown=Shown.NEVER),
    field("formerly_rotated_with", TEXT, absent="", shown=Shown.NEVER),
)
"""Fields of a key; its digests and its rate are the stores' own."""

CHANGEABLE_FIELDS: Final = frozenset(
    {"name", "tags", "max_tags", "scopes", "collections", "rate_per_minute", "burst", "expires_at"}
)
"""Names of the fields that an administrator may change while the key is in force; the rest is as it was created."""


def days_before_expiry(expires_at: float | None, now: float) -> int | None:
    """Return the whole days until the expiry of a key if there are at most `limits.KEY_EXPIRY_WARNING_DAYS`, else None.

    None also after the expiry. Both times are epoch seconds.
    """
    if expires_at is None or not 0 < expires_at - now <= limits.KEY_EXPIRY_WARNING_DAYS * _DAY_S:
        return None
    return int((expires_at - now) // _DAY_S)


class AdmissionDenialReason(StrEnum):
    """Reason for a denied admission; for the audit line, never for the caller."""

    UNKNOWN_KEY = "unknown_key"
    WRONG_SECRET = "wrong_secret"  # noqa: S105
    EXPIRED = "expired"
    REVOKED = "revoked"
    SUSPENDED_TENANT = "suspended_tenant"
    KEY_RATE = "key_rate"
    TENANT_RATE = "tenant_rate"


@dataclass(frozen=True, slots=True)
class AdmissionGranted:
    """Result that admits and counts the call with `key`."""

    key: ApiKey


@dataclass(frozen=True, slots=True)
class AdmissionDenied:
    """Result that denies the call.

    Attributes:
        kid, tenant: known only when the key exists; for the audit line.
        retry_after_s: seconds until a repeat is admitted, for the two rate limits; else None.
        toolset: the key's, for the two rate limits; else None.
    """

    reason: AdmissionDenialReason
    kid: str | None
    tenant: str | None
    retry_after_s: float | None
    toolset: str | None = None


Admission = AdmissionGranted | AdmissionDenied
