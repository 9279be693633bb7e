"""Collections as they were a moment ago, for searches: a call does not ask for what hardly ever changes."""

from collections.abc import Callable
from typing import Final

from groundwire.domain.documents import Collection
from groundwire.ports import Collections

REMEMBERED_SECONDS: Final = 10
"""As soon as a new document is seen in the index: who makes a collection for it waits no longer."""
_MOST_TENANTS: Final = 10_000
"""Each costs about a kilobyte; more are forgotten together."""


class RememberedCollections:
    """Implements `ports.Collections`; what others changed is known `REMEMBERED_SECONDS` later at most.

    Only for names and weights: who may read what is asked anew on every call, from the key and the documents' records.
    That a tenant has no collection is not remembered, so that its first document is found at once.
    """

    def __init__(self, collections: Collections, clock: Callable[[], float]) -> None:
        """Takes the store, and a clock that only goes forward."""
        self._collections = collections
        self._clock = clock
        self._known: dict[str, tuple[float, list[Collection]]] = {}

    def put(self, tenant: str, collection: Collection) -> None:
        """The collection exists with these settings, made or changed."""
        self._collections.put(tenant, collection)
        self._known.pop(tenant, None)

    def all(self, tenant: str) -> list[Collection]:
        """By name."""
        now = self._clock()
        known = self._known.get(tenant)
        if known is not None and now - known[0] < REMEMBERED_SECONDS:
            return list(known[1])
        found = self._collections.all(tenant)
        self._remember(tenant, now, found)
        return list(found)

    def delete(self, tenant: str, name: str) -> None:
        """Raises NotFound."""
        self._known.pop(tenant, None)
        self._collections.delete(tenant, name)

    def _remember(self, tenant: str, now: float, found: list[Collection]) -> None:
        if len(self._known) >= _MOST_TENANTS:
            self._known.clear()
        if found:
            self._known[tenant] = now, found
        else:
            self._known.pop(tenant, None)
