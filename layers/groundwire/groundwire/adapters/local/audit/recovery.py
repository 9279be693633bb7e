"""Recovery of a log whose end differs from `audit.head`: after a crash, or a change from outside.

Complete lines stay where they are, and `verify` checks them. An incomplete last line is moved to `audit.torn`. The
chain continues from the last known hash, so that removed lines are noticed. A line of its own records the finding.
"""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from groundwire.adapters.codecs.audit_line import parse_line
from groundwire.adapters.local.audit.head import EMPTY_HEAD, ChainHead

_BLOCK_BYTES: Final = 65_536

RECOVERED_EVENT: Final = "audit_mended"
"""Event of the line that records the finding."""


def recover(log: int, known: ChainHead | None, torn: Path) -> tuple[ChainHead, Mapping[str, object] | None]:
    """Return the head to continue from, and the finding to record; None for a new log."""
    size = os.fstat(log).st_size
    if known is None and size == 0:
        return EMPTY_HEAD, None
    whole_end = _end_of_whole_lines(log, size)
    torn_bytes = _move_torn(log, whole_end, size, torn)
    head, adopted = _count_unrecorded_lines(log, known or EMPTY_HEAD, whole_end)
    finding = {
        "event": RECOVERED_EVENT,
        "adopted_lines": adopted,
        "torn_bytes": torn_bytes,
        "cut_bytes": max(0, known.size_bytes - size) if known else 0,
        "head_was_lost": known is None,
    }
    return head, finding


def _end_of_whole_lines(log: int, size: int) -> int:
    end = size
    while end > 0:
        start = max(0, end - _BLOCK_BYTES)
        found = os.pread(log, end - start, start).rfind(b"\n")
        if found >= 0:
            return start + found + 1
        end = start
    return 0


def _move_torn(log: int, whole_end: int, size: int, torn: Path) -> int:
    if whole_end == size:
        return 0
    torn_file = os.open(torn, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o600)
    with os.fdopen(torn_file, "ab") as file:
        file.write(os.pread(log, size - whole_end, whole_end) + b"\n")
    os.ftruncate(log, whole_end)
    return size - whole_end


def _count_unrecorded_lines(log: int, known: ChainHead, whole_end: int) -> tuple[ChainHead, int]:
    """Count the lines that were written just before a crash could count them."""
    if whole_end <= known.size_bytes:
        return ChainHead(known.line_count, whole_end, known.hash), 0
    lines, last = known.line_count, known.hash
    # A duplicate, because the file object closes its descriptor.
    with os.fdopen(os.dup(log), "rb") as file:
        file.seek(known.size_bytes)
        for raw in file:
            line = parse_line(raw)
            lines, last = lines + 1, line.hash if line else last
    return ChainHead(lines, whole_end, last), lines - known.line_count
