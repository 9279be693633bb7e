"""Tenants: the customers that own all other data."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Tenant:
    """Customer; all other data belongs to exactly one.

    Attributes:
        tenant: random id, never reused. name: a label, unique among existing tenants.
        rate_per_minute, burst: the limit over all keys of the tenant.
    """

    tenant: str
    name: str
    rate_per_minute: int
    burst: int
    created_at: float
