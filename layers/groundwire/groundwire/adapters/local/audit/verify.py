"""Whether the audit log is as it was written."""

import fcntl
import os
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from groundwire.adapters.audit_lines.line import GENESIS, parse, record_of
from groundwire.adapters.local import faults
from groundwire.adapters.local.audit.head import Head, read_head
from groundwire.adapters.local.audit.mend import MENDED


class Fault(StrEnum):
    """What is wrong at the first line that breaks the chain; the text completes "line 7: …"."""

    CHANGED = "was changed"
    REMOVED = "does not follow the line before it: lines in between were removed or replaced"
    REORDERED = "stands before a line that it was written after"
    INSERTED = "was inserted or repeated"
    TRUNCATED = "and what followed was cut off the end"
    TORN = "is incomplete, from a crash or a cut; the next call moves it to audit.torn"
    HEAD_WAS_LOST = "tells that audit.head was missing when it was written: lines before it may have been cut off"
    HEAD_LOST = "may not have been the last: audit.head, which knows the end, is missing or damaged"


@dataclass(frozen=True, slots=True)
class Broken:
    """Where the chain breaks first.

    Attributes:
        line: its number in the file, from 1.
    """

    line: int
    fault: Fault


@dataclass(frozen=True, slots=True)
class Verification:
    """The outcome.

    Attributes:
        lines: how many, from the first on, are as they were written.
    """

    lines: int
    broken: Broken | None

    @property
    def intact(self) -> bool:
        """Whether the whole log is as it was written."""
        return self.broken is None

    @property
    def problem(self) -> str | None:
        """A sentence about the first break; None when there is none."""
        return None if self.broken is None else f"line {self.broken.line} {self.broken.fault.value}."


@dataclass(frozen=True, slots=True)
class _Walk:
    """How far the chain holds; `at_head` is the hash of the line that `audit.head` calls the last."""

    lines: int
    broken: Broken | None
    at_head: str | None


def verify(log: Path) -> Verification:
    """Walks the chain of `log` and compares its end with the `.head` file beside it; reads, never mends.

    It finds accidents, and whoever can write to only one of the two files. It cannot find somebody who
    can write to both and recomputes every hash from a change on: nothing here is secret. Against that,
    keep a copy of `audit.head` elsewhere, or ship the lines away as they are written.

    Lines that are whole and chained but not counted yet (a crash in between) hold; the next call counts
    them and records that it did.
    """
    with faults.filesystem(log.parent):
        if not log.exists() and not log.with_suffix(".head").exists():
            return Verification(0, None)
        head, size = _snapshot(log)
        walk = _walk(log, size, head)
        if walk.broken is not None:
            return Verification(walk.lines, walk.broken)
        return _compare(walk, head)


def _snapshot(log: Path) -> tuple[Head | None, int]:
    """Head and size of one moment: calls may be recorded meanwhile."""
    try:
        descriptor = os.open(log.with_suffix(".head"), os.O_RDONLY | os.O_CLOEXEC)
    except FileNotFoundError:
        return None, _size(log)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_SH)
        return read_head(descriptor), _size(log)
    finally:
        os.close(descriptor)


def _size(log: Path) -> int:
    return log.stat().st_size if log.exists() else 0


def _walk(log: Path, size: int, head: Head | None) -> _Walk:
    lines, last = 0, GENESIS
    at_head = GENESIS if head is not None and head.lines == 0 else None
    for raw in _raw_lines(log, size):
        line = parse(raw)
        if line is None:
            fault = Fault.CHANGED if raw.endswith(b"\n") else Fault.TORN
            return _Walk(lines, Broken(lines + 1, fault), at_head)
        if line.prev != last:
            return _Walk(lines, Broken(lines + 1, _misplaced(log, size, line.prev, lines)), at_head)
        if lines and _tells_of_a_lost_head(raw):
            return _Walk(lines, Broken(lines + 1, Fault.HEAD_WAS_LOST), at_head)
        lines, last = lines + 1, line.hash
        if head is not None and head.lines == lines:
            at_head = last
    return _Walk(lines, None, at_head)


def _tells_of_a_lost_head(raw: bytes) -> bool:
    """Whoever cuts lines off and removes the head would otherwise leave a chain that holds."""
    record = record_of(raw) if MENDED.encode() in raw else None
    return record is not None and record.get("event") == MENDED and record.get("head_was_lost") is True


def _misplaced(log: Path, size: int, prev: str, before: int) -> Fault:
    """Why a line does not follow the `before` lines above it: where is the one that it was written after?"""
    if prev == GENESIS:
        return Fault.INSERTED
    for number, raw in enumerate(_raw_lines(log, size), start=1):
        line = parse(raw)
        if line is not None and line.hash == prev:
            return Fault.INSERTED if number <= before else Fault.REORDERED
    return Fault.REMOVED


def _compare(walk: _Walk, head: Head | None) -> Verification:
    broken = None
    if head is None:
        broken = Broken(walk.lines, Fault.HEAD_LOST) if walk.lines else None
    elif walk.lines < head.lines:
        broken = Broken(walk.lines + 1, Fault.TRUNCATED)
    elif walk.at_head != head.hash:
        broken = Broken(max(1, head.lines), Fault.CHANGED)
    return Verification(broken.line - 1 if broken else walk.lines, broken)


def _raw_lines(log: Path, size: int) -> Iterator[bytes]:
    if not size:
        return
    left = size
    with log.open("rb") as file:
        for raw in file:
            yield raw[:left]
            left -= len(raw)
            if left <= 0:
                return
