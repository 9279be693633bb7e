"""Lines of the audit log of every tenant, and of none, for whoever has the home; no route of a tenant leads here."""

from collections.abc import Callable, Mapping
from heapq import merge
from itertools import groupby
from pathlib import Path
from sys import maxsize
from typing import TYPE_CHECKING, BinaryIO, Final

from groundwire.adapters.codecs.audit_line import parse_record
from groundwire.adapters.local.audit.index_file import catch_up, open_index
from groundwire.adapters.local.audit.log import LOG_FILE_NAME
from groundwire.adapters.local.audit.positions import PositionWalk, selection_codes
from groundwire.adapters.local.filesystem import os_errors

if TYPE_CHECKING:
    import sqlite3

    from groundwire.domain.audit.selection import AuditSelection

_LINES_A_STEP: Final = 100_000


class MachineAuditTrail:
    """Lines of `audit.jsonl` in `folder` that its index finds.

    Args:
        folder: of the log and its index.
        most_lines: lines that are added to the index at once, so that an interrupted command leaves what it has done.
    """

    def __init__(self, folder: Path, most_lines: int = _LINES_A_STEP) -> None:
        self._folder = folder
        self._most_lines = most_lines

    def latest(
        self, selection: "AuditSelection", count: int, on_indexed: Callable[[int, int], None]
    ) -> list[Mapping[str, object]]:
        """Return the latest lines that match, oldest first.

        Args:
            selection: conditions on the lines.
            count: number of lines at most.
            on_indexed: called with the size of the indexed part and of the log, while the index lacks lines.

        Raises:
            Unavailable: the index cannot be used, for example because the disk is full.
        """
        path = self._folder / LOG_FILE_NAME
        with os_errors.translate_os_errors(self._folder):
            if not path.exists():
                return []
            with path.open("rb") as log, open_index(self._folder) as connection:
                end, is_whole = catch_up(connection, log, self._most_lines)
                while not is_whole:
                    on_indexed(end.size, path.stat().st_size)
                    end, is_whole = catch_up(connection, log, self._most_lines)
                return _latest(_walks(connection, selection, end.size), log, selection, count)


def _walks(connection: "sqlite3.Connection", selection: "AuditSelection", end: int) -> list[PositionWalk]:
    tenants = [row[0] for row in connection.execute("SELECT tenant FROM tenants")]
    walks = [PositionWalk(connection, selection_codes(tenant, selection), maxsize) for tenant in tenants]
    for walk in walks:
        walk.limit(end, selection)
    return walks


def _latest(
    walks: list[PositionWalk], log: BinaryIO, selection: "AuditSelection", count: int
) -> list[Mapping[str, object]]:
    lines: list[Mapping[str, object]] = []
    # Terms of two tenants may share a number, and then both have the position.
    for position, _ in groupby(merge(*walks, reverse=True)):
        if len(lines) == count:
            break
        log.seek(position)
        record = parse_record(log.readline())
        if record is not None and selection.matches(record):
            lines.append(record)
    return lines[::-1]
