"""Rewriting of rows of an earlier form in the background, where no schedule starts sweeps.

A step takes one tenant's ingest lock for a moment, and only while it is free: ingestions and uploads go first.
"""

import logging
from collections import deque
from collections.abc import Iterator, Sequence
from enum import Enum, auto
from typing import Final

from groundwire.domain.errors import DomainError
from groundwire.ports import Indexes, Tenants
from groundwire.services.documents.reconcile import Reconciler, TryableLock

STEP_SECONDS: Final = 0.25
"""Time in which a step begins documents: an ingestion that starts meanwhile waits no longer, and calls share the
processor with it.
"""
PAUSE_SECONDS: Final = 1.0
"""Pause after a step, so that calls have most of the processor."""
RETRY_SECONDS: Final = 60.0
"""Pause where every remaining tenant's lock is taken, or its index does not respond."""

_log = logging.getLogger(__name__)


class _Outcome(Enum):
    DONE = auto()
    MORE = auto()
    BLOCKED = auto()


class RowRewriting:
    """Rewriting of all tenants' rows of an earlier form, in steps."""

    def __init__(self, tenants: Tenants, indexes: Sequence[Indexes], lock: TryableLock, reconciler: Reconciler) -> None:
        self._tenants = tenants
        self._indexes = indexes
        self._lock = lock
        self._reconciler = reconciler
        self._failed = set[str]()

    def steps(self) -> Iterator[float]:
        """Rewrite rows, and yield the seconds to pause after each step, until no tenant has any that can be rewritten.

        Rows that an ingestion or the reconciliation of a stale record will write are left to it.
        """
        waiting, blocked = deque(each.tenant for each in self._tenants.all()), deque[str]()
        while waiting:
            tenant = waiting.popleft()
            match self._step(tenant):
                case _Outcome.MORE:
                    waiting.append(tenant)
                    yield PAUSE_SECONDS
                case _Outcome.BLOCKED:
                    blocked.append(tenant)
                case _Outcome.DONE:
                    pass
            if blocked and not waiting:
                waiting, blocked = blocked, deque[str]()
                yield RETRY_SECONDS

    def _step(self, tenant: str) -> _Outcome:
        try:
            outcome = self._rewrite(tenant)
        except DomainError as error:
            # Another process may hold a file for a moment; a failure that the next attempt repeats needs a person.
            log = _log.warning if tenant in self._failed else _log.debug
            log(
                f"Index rows of tenant {tenant} in an earlier format were not rewritten: {error} "
                f"The next attempt follows in {RETRY_SECONDS:.0f} seconds.",
                extra={"tenant": tenant, "reason": str(error)},
            )
            self._failed.add(tenant)
            return _Outcome.BLOCKED
        self._failed.discard(tenant)
        return outcome

    def _rewrite(self, tenant: str) -> _Outcome:
        # An absent index has no rows, and opening it would create it, perhaps for a tenant that is being deleted.
        existing = (each.for_tenant(tenant) for each in self._indexes if each.exists(tenant))
        if not any(each.outdated_documents("", 1) for each in existing):
            return _Outcome.DONE
        with self._lock.hold_if_free(tenant) as is_free:
            if not is_free:
                return _Outcome.BLOCKED
            return _Outcome.DONE if self._reconciler.rewrite_rows(tenant, STEP_SECONDS) else _Outcome.MORE
