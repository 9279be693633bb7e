"""Positions of the lines of the audit log that have all of some terms, found in its index."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from groundwire.adapters.local.audit.index_file import EVERY_TERM, term_code

if TYPE_CHECKING:
    import sqlite3

    from groundwire.domain.audit.selection import AuditSelection


def selection_codes(tenant: str, selection: "AuditSelection") -> Sequence[int]:
    """Return the numbers of the terms that each line of the selection has."""
    return [term_code(tenant, term) for term in selection.terms or (EVERY_TERM,)]


class PositionWalk:
    """Path through the positions that have all of some terms, from the end, within a number of steps.

    Each step looks up the last position of one term before a bound, so that a rare term skips the lines of a frequent
    one.

    Attributes:
        before: only positions before this one are left.
        is_finished: there are none left.
    """

    def __init__(self, connection: "sqlite3.Connection", codes: Sequence[int], steps: int) -> None:
        self._connection = connection
        self._codes = codes
        self._steps = steps
        self._least = 0
        self.before = 0
        self.is_finished = False

    def limit(self, before: int, selection: "AuditSelection") -> None:
        """Begin before a position, and leave out spans of lines that are not within the times of the selection."""
        self.before = before
        if selection.until is not None:
            stop = self._value("SELECT max(stop) FROM spans WHERE earliest < ?", selection.until)
            self.before = min(before, stop or 0)
        if selection.since is not None:
            start = self._value("SELECT min(start) FROM spans WHERE latest >= ?", selection.since)
            self._least = self.before if start is None else start

    def next_position(self) -> int | None:
        """Return the next position, and continue before it; None at the end or after the last step."""
        bound, agreeing, turn = self.before, 0, 0
        position = self.before
        while agreeing < len(self._codes):
            if self._steps <= 0:
                return None
            self._steps -= 1
            last = self._last(self._codes[turn % len(self._codes)], bound)
            if last is None or last < self._least:
                self.is_finished = True
                return None
            agreeing = agreeing + 1 if last == position and agreeing else 1
            position, bound, turn = last, last + 1, turn + 1
            # All after it lack a term.
            self.before = bound
        self.before = position
        self._steps -= 1
        return position

    def __iter__(self) -> Iterator[int]:
        """Yield the positions that are left, the last one first."""
        while (position := self.next_position()) is not None:
            yield position

    def step_back(self, position: int) -> None:
        """Put a position back that no longer fits in the page."""
        self.before, self.is_finished = position + 1, False

    def _last(self, code: int, before: int) -> int | None:
        statement = "SELECT position FROM postings WHERE term = ? AND position < ? ORDER BY position DESC LIMIT 1"
        row = self._connection.execute(statement, (code, before)).fetchone()
        return None if row is None else row[0]

    def _value(self, statement: str, value: float) -> int | None:
        return self._connection.execute(statement, (value,)).fetchone()[0]
