"""Verification of the audit log."""

import fcntl
import os
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Final, NamedTuple

from groundwire.adapters.codecs.audit_line import GENESIS_HASH, AuditLine, parse_line, parse_record
from groundwire.adapters.local.audit.head import ChainHead, read_head
from groundwire.adapters.local.audit.recovery import RECOVERED_EVENT
from groundwire.adapters.local.filesystem import os_errors
from groundwire.domain.errors import InvalidInput

_IsCounted = Callable[[bytes], bool]


class BreakKind(StrEnum):
    """Kinds of the first break of the chain; the text completes "line 7: …"."""

    CHANGED = "was changed"
    REMOVED = "does not follow the line before it: lines in between were removed or replaced"
    REORDERED = "belongs after a later line"
    INSERTED = "was inserted or repeated"
    TRUNCATED = "is followed by a cut: later lines are missing at the end"
    TORN = "is incomplete, from a crash or a cut; the next call moves it to audit.torn"
    HEAD_RECREATED = "records that audit.head was missing when it was written: earlier lines may have been cut off"
    HEAD_MISSING = "may not have been the last: audit.head, which records the end, is missing or damaged"


@dataclass(frozen=True, slots=True)
class ChainBreak:
    """First break of the chain.

    Attributes:
        line: its number in the file, from 1.
    """

    line: int
    kind: BreakKind


@dataclass(frozen=True, slots=True)
class ChainVerification:
    """Result of a verification.

    Attributes:
        intact_lines: number of lines, from the first on, that are as they were written.
    """

    intact_lines: int
    first_break: ChainBreak | None

    @property
    def is_intact(self) -> bool:
        """Return whether the whole log is as it was written."""
        return self.first_break is None

    @property
    def problem(self) -> str | None:
        """Sentence about the first break; None if it is missing."""
        return None if self.first_break is None else f"line {self.first_break.line} {self.first_break.kind.value}."


class ChainPosition(NamedTuple):
    """End of a part of the chain that is as it was written: its size in bytes, its lines, the hash of its last line."""

    size: int
    lines: int
    hash: str


START: Final = ChainPosition(0, 0, GENESIS_HASH)


class PartVerification(NamedTuple):
    """Result of the verification of a part.

    Attributes:
        counted_lines: number of intact lines of the part that the caller counts.
        next_position: where the next part begins; None: the chain ends here, or is broken.
    """

    counted_lines: int
    first_break: ChainBreak | None
    next_position: ChainPosition | None


@dataclass(frozen=True, slots=True)
class _ChainWalk:
    """Result of reading the chain; `hash_at_head` is the hash of the line that `audit.head` counts as the last."""

    position: ChainPosition
    first_break: ChainBreak | None
    hash_at_head: str | None
    counted_lines: int
    is_at_end: bool

    @property
    def intact_lines(self) -> int:
        return self.position.lines


def verify(log: Path) -> ChainVerification:
    """Read the chain of `log` and compare its end with the `.head` file beside it; changes nothing.

    It detects accidents, and a change by somebody who can write to only one of the two files. It cannot detect somebody
    who can write to both and recomputes every hash after a change: nothing here is secret. Against that, keep a copy of
    `audit.head` in another place, or ship the lines away as they are written.

    Complete, chained lines that are not counted yet (after a crash) are valid; the next call counts and records them.
    """
    with os_errors.translate_os_errors(log.parent):
        if not log.exists() and not log.with_suffix(".head").exists():
            return ChainVerification(0, None)
        head, size = _snapshot(log)
        walk = _walk_chain(log, size, head, START, sys.maxsize, _counts_none)
        if walk.first_break is not None:
            return ChainVerification(walk.intact_lines, walk.first_break)
        return _compare_with_head(walk, head)


def verify_part(log: Path, start: ChainPosition, most_lines: int, is_counted: _IsCounted) -> PartVerification:
    """Verify the next lines of the chain after `start`, the end of a part before; see `verify`.

    The head is that of this moment, so that all parts together find what one verification at the last part finds.

    Raises:
        InvalidInput: the log does not have the line at which the part before ended.
    """
    with os_errors.translate_os_errors(log.parent):
        # An operator may move the log away between two parts, which is no damage.
        if start.lines and not _has_line_at(log, start):
            raise InvalidInput("The audit log was moved away or cut since the first part: begin again.")
        if not log.exists() and not log.with_suffix(".head").exists():
            return PartVerification(0, None, None)
        head, size = _snapshot(log)
        walk = _walk_chain(log, size, head, start, most_lines, is_counted)
        if walk.first_break is not None or not walk.is_at_end:
            return PartVerification(
                walk.counted_lines, walk.first_break, walk.position if walk.first_break is None else None
            )
        return PartVerification(walk.counted_lines, _compare_with_head(walk, head).first_break, None)


def _has_line_at(log: Path, position: ChainPosition) -> bool:
    end = f'"hash":"{position.hash}"}}\n'.encode()
    if _size(log) < position.size:
        return False
    with log.open("rb") as file:
        file.seek(position.size - len(end))
        return file.read(len(end)) == end


def _counts_none(_line: bytes) -> bool:
    return False


def _snapshot(log: Path) -> tuple[ChainHead | None, int]:
    """Return head and size as of one moment: calls may be recorded meanwhile."""
    try:
        descriptor = os.open(log.with_suffix(".head"), os.O_RDONLY | os.O_CLOEXEC)
    except FileNotFoundError:
        return None, _size(log)
    try:
        # A call holds this lock while it appends, so head and size belong together.
        fcntl.flock(descriptor, fcntl.LOCK_SH)
        return read_head(descriptor), _size(log)
    finally:
        os.close(descriptor)


def _size(log: Path) -> int:
    return log.stat().st_size if log.exists() else 0


def _walk_chain(
    log: Path, size: int, head: ChainHead | None, start: ChainPosition, most_lines: int, is_counted: _IsCounted
) -> _ChainWalk:
    (read, lines, last), counted = start, 0
    at_head = last if head is not None and head.line_count == lines else None
    for raw in _raw_lines(log, size, start.size):
        # Lines after the head's are few, and a part that ended among them could not be compared with the head.
        if lines - start.lines >= most_lines and (head is None or lines <= head.line_count):
            return _ChainWalk(ChainPosition(read, lines, last), None, at_head, counted, is_at_end=False)
        line = parse_line(raw)
        found = _break_kind(log, size, raw, line, ChainPosition(read, lines, last))
        if line is None or found is not None:
            broken = ChainBreak(lines + 1, found or BreakKind.CHANGED)
            return _ChainWalk(ChainPosition(read, lines, last), broken, at_head, counted, is_at_end=True)
        read, lines, last = read + len(raw), lines + 1, line.hash
        counted += is_counted(raw)
        if head is not None and head.line_count == lines:
            at_head = last
    return _ChainWalk(ChainPosition(read, lines, last), None, at_head, counted, is_at_end=True)


def _break_kind(log: Path, size: int, raw: bytes, line: AuditLine | None, before: ChainPosition) -> BreakKind | None:
    """Return how the line breaks the chain; None if it continues the lines before it."""
    if line is None:
        return BreakKind.CHANGED if raw.endswith(b"\n") else BreakKind.TORN
    if line.prev != before.hash:
        return _ordering_break_kind(log, size, line.prev, before.lines)
    return BreakKind.HEAD_RECREATED if before.lines and _records_missing_head(raw) else None


def _records_missing_head(raw: bytes) -> bool:
    """Return whether the line records a missing head; without this check, cut lines and a removed head go unnoticed."""
    record = parse_record(raw) if RECOVERED_EVENT.encode() in raw else None
    return record is not None and record.get("event") == RECOVERED_EVENT and record.get("head_was_lost") is True


def _ordering_break_kind(log: Path, size: int, prev: str, before: int) -> BreakKind:
    """Return why the line's `prev` differs: search the log for the line with that hash."""
    if prev == GENESIS_HASH:
        return BreakKind.INSERTED
    for number, raw in enumerate(_raw_lines(log, size), start=1):
        line = parse_line(raw)
        if line is not None and line.hash == prev:
            return BreakKind.INSERTED if number <= before else BreakKind.REORDERED
    return BreakKind.REMOVED


def _compare_with_head(walk: _ChainWalk, head: ChainHead | None) -> ChainVerification:
    broken = None
    if head is None:
        broken = ChainBreak(walk.intact_lines, BreakKind.HEAD_MISSING) if walk.intact_lines else None
    elif walk.intact_lines < head.line_count:
        broken = ChainBreak(walk.intact_lines + 1, BreakKind.TRUNCATED)
    elif walk.hash_at_head != head.hash:
        broken = ChainBreak(max(1, head.line_count), BreakKind.CHANGED)
    return ChainVerification(broken.line - 1 if broken else walk.intact_lines, broken)


def _raw_lines(log: Path, size: int, start: int = 0) -> Iterator[bytes]:
    if size <= start:
        return
    bytes_left = size - start
    with log.open("rb") as file:
        file.seek(start)
        for raw in file:
            # Lines that were appended after the snapshot do not count.
            yield raw[:bytes_left]
            bytes_left -= len(raw)
            if bytes_left <= 0:
                return
