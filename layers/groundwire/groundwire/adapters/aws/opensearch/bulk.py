"""Many writes in few requests, each of them told by itself whether it was done."""

import random
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from groundwire.adapters.aws.opensearch import faults
from groundwire.adapters.aws.opensearch.deadlines import NEW_INDEX_SECONDS, WRITE_SECONDS, Deadline
from groundwire.adapters.aws.opensearch.engine import Engine
from groundwire.adapters.aws.opensearch.new_index import retry_while_absent
from groundwire.adapters.aws.opensearch.services import ServiceRules
from groundwire.domain import errors

MAX_PART_BYTES: Final = 5_000_000
"""Of one request: services name no limit, and ten megabytes are taken everywhere."""

_MAX_PART_LINES: Final = 1_000
_TRIES: Final = 5
_FIRST_PAUSE_S: Final = 0.1
_LONGEST_PAUSE_S: Final = 2.0
_DONE_BELOW: Final = 300
_ABSENT: Final = 404


@dataclass(frozen=True, slots=True)
class Write:
    """One line of a bulk, or two: what is to be done, and with what.

    Attributes:
        may_be_gone: a document that is not there any more needs nothing done.
    """

    lines: str
    may_be_gone: bool


class Bulk:
    """Writes to one service by its rules."""

    def __init__(self, engine: Engine, rules: ServiceRules) -> None:
        self._engine = engine
        self._rules = rules

    def write(self, writes: Iterable[Write]) -> None:
        """All are done; Raises Unavailable when some may not be: then repeating the whole loses and doubles nothing."""
        for part in parts(writes):
            self._write_part(part)

    def _write_part(self, part: list[Write]) -> None:
        """What is refused for the moment is sent again, alone and later; the rest is done already."""
        attempts = _Attempts()
        while part:
            items = self._sent(part, attempts)
            part = [write for write, item in zip(part, items, strict=True) if _is_left(write, item)]
            if part:
                attempts.pause(faults.busy())

    def _sent(self, part: Sequence[Write], attempts: "_Attempts") -> list[Any]:
        lines = "".join(write.lines for write in part)
        new_index = Deadline(NEW_INDEX_SECONDS)

        def send() -> list[Any]:
            items = self._engine.wrote(lines, refresh=self._rules.refreshes, deadline=attempts.deadline)
            _check_for_absence(items)
            return items

        while True:
            try:
                return retry_while_absent(send, new_index)
            except faults.Busy as busy:
                attempts.pause(busy)
            except faults.Unanswered as unanswered:
                if not self._rules.custom_ids:
                    raise
                attempts.pause(unanswered)


class _Attempts:
    """How often and how long one part is sent again."""

    def __init__(self) -> None:
        self.deadline = Deadline(WRITE_SECONDS)
        # Only so that callers who were in each other's way are not again.
        self._jitter = random.Random()  # noqa: S311
        self._made = 0

    def pause(self, problem: errors.Unavailable) -> None:
        """Longer each time; Raises `problem` when there is no time, or it was tried often enough."""
        longest = min(_LONGEST_PAUSE_S, _FIRST_PAUSE_S * 2**self._made)
        pause = self._jitter.uniform(longest / 2, longest)
        self._made += 1
        if self._made >= _TRIES or not self.deadline.allows(pause):
            raise problem
        time.sleep(pause)


def parts(writes: Iterable[Write]) -> Iterator[list[Write]]:
    """In order, each small enough for one request."""
    part: list[Write] = []
    size = 0
    for write in writes:
        length = len(write.lines.encode())
        if part and (size + length > MAX_PART_BYTES or len(part) == _MAX_PART_LINES):
            yield part
            part, size = [], 0
        part.append(write)
        size += length
    if part:
        yield part


def _is_left(write: Write, item: Mapping[str, Any]) -> bool:
    """Whether it was refused for the moment; Raises what it was refused for, if for good."""
    status = _status(item)
    if status < _DONE_BELOW or (write.may_be_gone and status == _ABSENT):
        return False
    if status in faults.RETRIED:
        return True
    raise _problem(item)


def _check_for_absence(items: Sequence[Mapping[str, Any]]) -> None:
    """An index that is absent refuses every line."""
    for item in items:
        if _status(item) == _ABSENT and isinstance(problem := _problem(item), faults.IndexAbsent):
            raise problem


def _status(item: Mapping[str, Any]) -> int:
    ((_, told),) = item.items()
    return int(told["status"])


def _problem(item: Mapping[str, Any]) -> errors.Problem:
    ((_, told),) = item.items()
    return faults.refusal(int(told["status"]), str(told.get("error")))
