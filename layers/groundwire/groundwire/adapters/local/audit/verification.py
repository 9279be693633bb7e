"""Verification of the audit log."""

import fcntl
import os
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from groundwire.adapters.codecs.audit_line import GENESIS_HASH, parse_line, parse_record
from groundwire.adapters.local.audit.head import ChainHead, read_head
from groundwire.adapters.local.audit.recovery import RECOVERED_EVENT
from groundwire.adapters.local.filesystem import os_errors


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


@dataclass(frozen=True, slots=True)
class _ChainWalk:
    """Result of reading the chain; `hash_at_head` is the hash of the line that `audit.head` counts as the last."""

    intact_lines: int
    first_break: ChainBreak | None
    hash_at_head: str | None


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
        walk = _walk_chain(log, size, head)
        if walk.first_break is not None:
            return ChainVerification(walk.intact_lines, walk.first_break)
        return _compare_with_head(walk, head)


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


def _walk_chain(log: Path, size: int, head: ChainHead | None) -> _ChainWalk:
    lines, last = 0, GENESIS_HASH
    at_head = GENESIS_HASH if head is not None and head.line_count == 0 else None
    for raw in _raw_lines(log, size):
        line = parse_line(raw)
        if line is None:
            kind = BreakKind.CHANGED if raw.endswith(b"\n") else BreakKind.TORN
            return _ChainWalk(lines, ChainBreak(lines + 1, kind), at_head)
        if line.prev != last:
            return _ChainWalk(lines, ChainBreak(lines + 1, _ordering_break_kind(log, size, line.prev, lines)), at_head)
        if lines and _records_missing_head(raw):
            return _ChainWalk(lines, ChainBreak(lines + 1, BreakKind.HEAD_RECREATED), at_head)
        lines, last = lines + 1, line.hash
        if head is not None and head.line_count == lines:
            at_head = last
    return _ChainWalk(lines, None, at_head)


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


def _raw_lines(log: Path, size: int) -> Iterator[bytes]:
    if not size:
        return
    bytes_left = size
    with log.open("rb") as file:
        for raw in file:
            # Lines that were appended after the snapshot do not count.
            yield raw[:bytes_left]
            bytes_left -= len(raw)
            if bytes_left <= 0:
                return
