"""Lines of the audit log by tenant, found by the index and read from the log."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import BinaryIO, Final

from groundwire.adapters.codecs.audit_line import parse_record
from groundwire.adapters.local.audit.index_file import IndexEnd, catch_up, open_index
from groundwire.adapters.local.audit.log import LOG_FILE_NAME
from groundwire.adapters.local.audit.positions import PositionWalk, selection_codes
from groundwire.adapters.local.audit.verification import START, ChainPosition, verify_part
from groundwire.adapters.local.filesystem import os_errors
from groundwire.domain.audit.selection import AuditSelection
from groundwire.domain.audit.trail import AuditPage, TenantUsage, VerifiedPart, month_usage
from groundwire.domain.errors import InvalidInput
from groundwire.domain.limits import MAX_AUDIT_LINES_VERIFIED, MAX_AUDIT_PAGE_BYTES

_MOST_CALL_NAMES: Final = 100
_CHAIN_POSITION: Final = re.compile(r"([0-9]{1,16}):([0-9]{1,16}):([0-9a-f]{64})")


class IndexedAuditTrail:
    """Implements `ports.AuditTrail` over `audit.jsonl` in `folder`.

    Args:
        folder: of the log and its index.
        most_lines: lines that one call adds to the index at most.
        most_steps: look-ups in the index and lines of the log that one page takes at most.
        most_verified: lines whose chain one call verifies at most.
        most_bytes: size at which a page ends; a single longer line is a page.
    """

    def __init__(
        self,
        folder: Path,
        most_lines: int,
        most_steps: int,
        most_verified: int = MAX_AUDIT_LINES_VERIFIED,
        most_bytes: int = MAX_AUDIT_PAGE_BYTES,
    ) -> None:
        self._folder = folder
        self._most_lines = most_lines
        self._most_steps = most_steps
        self._most_verified = most_verified
        self._most_bytes = most_bytes

    def verify_part(self, tenant: str, after: str | None) -> VerifiedPart:
        """Verify the next lines of the chain, of every tenant; see `ports.AuditTrail`."""
        own = f'"tenant":"{tenant}"'.encode()

        def is_own(line: bytes) -> bool:
            # A line of another tenant can have the text within a nested member.
            return own in line and (parse_record(line) or {}).get("tenant") == tenant

        start = START if after is None else _chain_position(after)
        part = verify_part(self._folder / LOG_FILE_NAME, start, self._most_verified, is_own)
        # Without the number of the line: it would count the calls of other tenants.
        problem = None if part.first_break is None else f"A line of the log {part.first_break.kind.value}."
        following = None if part.next_position is None else ":".join(map(str, part.next_position))
        return VerifiedPart(part.counted_lines, problem, following)

    def page(self, tenant: str, selection: AuditSelection, after: str | None, limit: int) -> AuditPage:
        """Return the latest lines that match before the position; see `ports.AuditTrail`."""
        with os_errors.translate_os_errors(self._folder):
            if not (self._folder / LOG_FILE_NAME).exists():
                return AuditPage((), None, is_complete=True)
            with (self._folder / LOG_FILE_NAME).open("rb") as log, open_index(self._folder) as connection:
                end, is_whole = catch_up(connection, log, self._most_lines)
                before = _position(after, end)
                if not is_whole and (before is None or before > end.size):
                    # The latest lines come first, and the index does not have them yet.
                    return AuditPage((), after or f"{end.first}:", is_complete=False)
                walk = PositionWalk(connection, selection_codes(tenant, selection), self._most_steps)
                walk.limit(end.size if before is None else before, selection)
                lines = self._read_lines(walk, log, tenant, selection, limit)
                following = None if walk.is_finished else f"{end.first}:{walk.before}"
                return AuditPage(lines, following, is_complete=True)

    def _read_lines(
        self, walk: PositionWalk, log: BinaryIO, tenant: str, selection: AuditSelection, limit: int
    ) -> list[Mapping[str, object]]:
        lines: list[Mapping[str, object]] = []
        size = 0
        while len(lines) < limit and (position := walk.next_position()) is not None:
            log.seek(position)
            raw = log.readline()
            record = parse_record(raw)
            # The log decides, as two terms may share a number, and a line may have been changed.
            if record is None or record.get("tenant") != tenant or not selection.matches(record):
                continue
            size += len(raw)
            if lines and size > self._most_bytes:
                walk.step_back(position)
                break
            lines.append(record)
        return lines

    def usage(self, tenant: str) -> TenantUsage:
        """Return the counts of the tenant's calls by month, the latest first."""
        with os_errors.translate_os_errors(self._folder):
            if not (self._folder / LOG_FILE_NAME).exists():
                return TenantUsage((), is_complete=True)
            with (self._folder / LOG_FILE_NAME).open("rb") as log, open_index(self._folder) as connection:
                _, is_whole = catch_up(connection, log, self._most_lines)
                counts: dict[str, dict[str, int]] = {}
                rows = connection.execute("SELECT month, name, number FROM counts WHERE tenant = ?", (tenant,))
                for month, name, number in rows:
                    counts.setdefault(month, {})[name] = number
                months = [month_usage(month, counts[month], _MOST_CALL_NAMES) for month in sorted(counts, reverse=True)]
                return TenantUsage(months, is_whole)


def _chain_position(after: str) -> ChainPosition:
    match = _CHAIN_POSITION.fullmatch(after)
    if match is None:
        raise InvalidInput("Unknown position of the audit log: begin without one.")
    return ChainPosition(int(match[1]), int(match[2]), match[3])


def _position(after: str | None, end: IndexEnd) -> int | None:
    """Return the position of a cursor; None for one of a first page.

    Raises:
        InvalidInput: it is of another log.
    """
    if after is None:
        return None
    log, _, position = after.partition(":")
    if log != end.first:
        raise InvalidInput("The audit log was moved away since the first page: request the first page again.")
    return int(position) if position else None
