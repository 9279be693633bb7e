"""What to do when the log does not end where `audit.head` says: after a crash, or another hand's work.

Whole lines stay where they are, and `verify` judges them. The beginning of a line that was never finished
goes to `audit.torn`. The chain goes on from the hash that was known, so that lines that were cut off are
missed, and a line of its own tells what was found.
"""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from groundwire.adapters.codecs.audit_line import parse_line
from groundwire.adapters.local.audit.head import EMPTY_HEAD, ChainHead

_BLOCK_BYTES: Final = 65_536

RECOVERED_EVENT: Final = "audit_mended"
"""The event of the line that tells what was found."""


def recover(log: int, known: ChainHead | None, torn: Path) -> tuple[ChainHead, Mapping[str, object] | None]:
    """The head to go on from, and what to record about it; None for a log that only begins."""
    size = os.fstat(log).st_size
    if known is None and size == 0:
        return EMPTY_HEAD, None
    whole = _end_of_whole_lines(log, size)
    torn_bytes = _move_torn(log, whole, size, torn)
    head, adopted = _count_unrecorded_lines(log, known or EMPTY_HEAD, whole)
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


def _move_torn(log: int, whole: int, size: int, torn: Path) -> int:
    if whole == size:
        return 0
    aside = os.open(torn, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o600)
    with os.fdopen(aside, "ab") as file:
        file.write(os.pread(log, size - whole, whole) + b"\n")
    os.ftruncate(log, whole)
    return size - whole


def _count_unrecorded_lines(log: int, known: ChainHead, whole: int) -> tuple[ChainHead, int]:
    """Lines that were written just before a crash could count them."""
    if whole <= known.size_bytes:
        return ChainHead(known.line_count, whole, known.hash), 0
    lines, last = known.line_count, known.hash
    with os.fdopen(os.dup(log), "rb") as file:
        file.seek(known.size_bytes)
        for raw in file:
            line = parse_line(raw)
            lines, last = lines + 1, line.hash if line else last
    return ChainHead(lines, whole, last), lines - known.line_count
