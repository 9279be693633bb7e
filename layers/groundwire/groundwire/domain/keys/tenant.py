"""Tenants: customers to whom everything else belongs."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Tenant:
    """A customer: everything else belongs to exactly one.

    Attributes:
        tenant: random id, never reused. name: a label, unique among the living.
        rate_per_minute, burst: the limit over all keys together.
    """

    tenant: str
    name: str
    rate_per_minute: int
    burst: int
    created_at: float
