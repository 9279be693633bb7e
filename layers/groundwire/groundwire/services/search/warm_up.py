"""Warm-up of an index before the first search."""

from collections.abc import Callable

from groundwire.ports import Collections, WakeableIndexes


class IndexWarmUp:
    """Warm-up of one tenant's index, or of the whole service.

    The stores are behind functions: a stack without an index fails in its warm-up alone, not in that of other parts.
    """

    def __init__(self, indexes: Callable[[], WakeableIndexes], collections: Callable[[], Collections]) -> None:
        self._indexes = indexes
        self._collections = collections

    def __call__(self, tenant: str | None) -> None:
        """Wake the tenant's index; None: the service alone.

        Raises:
            Unavailable: the service does not respond.
        """
        if tenant is None:
            self._indexes().wake()
        # A tenant without collections has no index yet, and a warm-up must not create one.
        elif self._collections().all(tenant):
            self._indexes().for_tenant(tenant).count_rows()
