"""Tenants that have no source that joins answers, so that their searches read none."""

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from groundwire.domain.keys.caller import Caller
    from groundwire.ports.system import Clock

_UNMAPPED_SECONDS: Final = 30
_MAX_REMEMBERED: Final = 10_000


class UnmappedTenants:
    """Memory of tenants without a mapped source; each is forgotten after `_UNMAPPED_SECONDS`.

    Args:
        clock: epoch seconds.
    """

    def __init__(self, clock: "Clock") -> None:
        self._clock = clock
        self._until: dict[str, float] = {}

    def includes(self, caller: "Caller") -> bool:
        """Return whether the caller's tenant had no mapped source a moment ago."""
        until = self._until.get(caller.principal.tenant)
        return until is not None and self._clock() < until

    def add(self, tenant: str) -> None:
        """Remember a tenant."""
        if len(self._until) >= _MAX_REMEMBERED:
            # All at once: to forget a tenant costs one read, and needs no order.
            self._until.clear()
        self._until[tenant] = self._clock() + _UNMAPPED_SECONDS

    def remove(self, tenant: str) -> None:
        """Forget a tenant, whose sources were changed."""
        self._until.pop(tenant, None)
