"""Tenants: the customers that own all other data."""

from dataclasses import dataclass
from typing import Final
from unicodedata import normalize

from groundwire.stored.fields import REQUIRED, field
from groundwire.stored.kinds import INTEGER, MOMENT, TEXT
from groundwire.stored.stored_type import StoredType


@dataclass(frozen=True, slots=True)
class Tenant:
    """Customer; all other data belongs to exactly one.

    Attributes:
        tenant: random id, never reused. name: a label, unique among existing tenants in any letter case.
        rate_per_minute, burst: the limit over all keys of the tenant.
        suspended_at: since when each call of a key is refused, epoch seconds; None: calls are admitted.
    """

    tenant: str
    name: str
    rate_per_minute: int
    burst: int
    created_at: float
    suspended_at: float | None = None


def folded_name(name: str) -> str:
    """Return the form in which names of tenants are compared: a person takes two names of one form for one."""
    return normalize("NFKC", name).strip().casefold()


STORED_TENANT: Final = StoredType(
    Tenant,
    field("name", TEXT, absent=REQUIRED),
    field("tenant", TEXT, absent=REQUIRED),
    field("rate_per_minute", INTEGER, absent=REQUIRED),
    field("burst", INTEGER, absent=REQUIRED),
    field("created_at", MOMENT, absent=REQUIRED),
    field("suspended_at", MOMENT, absent=None),
)
