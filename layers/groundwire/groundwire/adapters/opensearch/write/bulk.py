"""Bulk requests: many writes in few requests, each with a result of its own."""

import random
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from groundwire.adapters.opensearch.connection import errors as engine_errors
from groundwire.adapters.opensearch.connection.client import EngineClient
from groundwire.adapters.opensearch.connection.deadline import NEW_INDEX_SECONDS, WRITE_SECONDS, Deadline
from groundwire.adapters.opensearch.service_rules import ServiceRules
from groundwire.adapters.opensearch.write.index_readiness import retry_while_absent
from groundwire.domain import errors
from groundwire.retry import Backoff, RetryBudget, RetryPolicy

MAX_BATCH_BYTES: Final = 5_000_000
"""Limit of one request: services document none, and ten megabytes are accepted everywhere."""

_MAX_BATCH_ACTIONS: Final = 1_000
_MAX_ATTEMPTS: Final = 5
_BACKOFF: Final = Backoff(time.sleep, random.random, first_s=0.1, longest_s=2.0, least_share=0.5)
_SUCCESS_BELOW: Final = 300
_ABSENT: Final = 404


@dataclass(frozen=True, slots=True)
class BulkAction:
    """Action of a bulk request: one line, or two with a body.

    Attributes:
        may_be_absent: the action is done when the document does not exist.
        repeatable: doing it twice is as doing it once, because it names the document's id.
    """

    lines: str
    may_be_absent: bool
    repeatable: bool


class BulkWriter:
    """Bulk writes to one service by its rules."""

    def __init__(self, engine: EngineClient, rules: ServiceRules) -> None:
        self._engine = engine
        self._rules = rules

    def write(self, writes: Iterable[BulkAction]) -> None:
        """Write everything.

        Raises:
            CustomIdsRefused: the service assigns the ids; none of the writes that chose one was done.
            Unavailable: some writes may be missing; repeating all of them neither loses nor duplicates any.
        """
        for part in batches(writes):
            self._write_batch(part)

    def _write_batch(self, part: list[BulkAction]) -> None:
        """Write one batch; repeats only the actions that were refused for the moment."""
        attempts = _BatchAttempts()
        while part:
            items = self._send(part, attempts)
            part = [write for write, item in zip(part, items, strict=True) if _needs_retry(write, item)]
            if part:
                attempts.pause(engine_errors.busy_error())

    def _send(self, part: Sequence[BulkAction], attempts: "_BatchAttempts") -> list[Any]:
        lines = "".join(write.lines for write in part)
        new_index = Deadline(NEW_INDEX_SECONDS)

        def send() -> list[Any]:
            items = self._engine.bulk(lines, refresh=self._rules.refreshes, deadline=attempts.deadline)
            _check_index_exists(items)
            return items

        while True:
            try:
                return retry_while_absent(send, new_index)
            except engine_errors.EngineBusy as busy:
                attempts.pause(busy)
            # It may have been done, and only an action with an id may be done twice.
            except engine_errors.NoResponse as unanswered:
                if not all(write.repeatable for write in part):
                    raise
                attempts.pause(unanswered)


class _BatchAttempts:
    """Limits of the attempts and the time for one batch."""

    def __init__(self) -> None:
        self.deadline = Deadline(WRITE_SECONDS)
        self._budget = RetryBudget(RetryPolicy(_MAX_ATTEMPTS, _BACKOFF, self.deadline.allows))

    def pause(self, problem: errors.Unavailable) -> None:
        """Sleep longer each time.

        Raises:
            Unavailable: `problem`, when the time or the attempts are used up.
        """
        if not self._budget.take():
            raise problem


def batches(writes: Iterable[BulkAction]) -> Iterator[list[BulkAction]]:
    """Split the actions, in order, into batches small enough for one request."""
    part: list[BulkAction] = []
    size = 0
    for write in writes:
        length = len(write.lines.encode())
        if part and (size + length > MAX_BATCH_BYTES or len(part) == _MAX_BATCH_ACTIONS):
            yield part
            part, size = [], 0
        part.append(write)
        size += length
    if part:
        yield part


def _needs_retry(write: BulkAction, item: Mapping[str, Any]) -> bool:
    """Return whether the action was refused for the moment.

    Raises:
        DomainError: the action was refused for good.
    """
    status = _status(item)
    if status < _SUCCESS_BELOW or (write.may_be_absent and status == _ABSENT):
        return False
    if status in engine_errors.RETRYABLE_STATUSES:
        return True
    raise _item_error(item)


def _check_index_exists(items: Sequence[Mapping[str, Any]]) -> None:
    """Raise IndexMissing, as an absent index refuses every line."""
    for item in items:
        if _status(item) == _ABSENT and isinstance(problem := _item_error(item), engine_errors.IndexMissing):
            raise problem


def _status(item: Mapping[str, Any]) -> int:
    ((_, result),) = item.items()
    return int(result["status"])


def _item_error(item: Mapping[str, Any]) -> errors.DomainError:
    ((_, result),) = item.items()
    return engine_errors.item_error(int(result["status"]), result.get("error"))
