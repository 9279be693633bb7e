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
            if not any(each.for_tenant(tenant).outdated_documents("", 1) for each in self._indexes):
                return _Outcome.DONE
            with self._lock.hold_if_free(tenant) as is_free:
                if not is_free:
                    return _Outcome.BLOCKED
                return _Outcome.DONE if self._reconciler.rewrite_rows(tenant, STEP_SECONDS) else _Outcome.MORE
        except DomainError as error:
            _log.warning(
                "index rows in an earlier format were not rewritten", extra={"tenant": tenant, "reason": str(error)}
            )
            return _Outcome.BLOCKED
