"""`audit.head`: how many lines and bytes the log has, and its last hash, in 99 bytes that are overwritten in place."""

import os
import re
from typing import Final, NamedTuple

from groundwire.adapters.audit_lines.line import GENESIS

_FORM: Final = re.compile(rb" *([0-9]{1,16}) +([0-9]{1,16}) ([0-9a-f]{64})\n")
_BYTES: Final = 99


class Head(NamedTuple):
    """The end of the chain.

    Attributes:
        lines: how many were ever appended. size: of the log, in bytes. hash: of the last line.
    """

    lines: int
    size: int
    hash: str


START: Final = Head(0, 0, GENESIS)


def read_head(descriptor: int) -> Head | None:
    """None when the file is empty or damaged."""
    match = _FORM.fullmatch(os.pread(descriptor, _BYTES + 1, 0))
    return None if match is None else Head(int(match[1]), int(match[2]), match[3].decode())


def write_head(descriptor: int, head: Head) -> None:
    """Of one length always, so that overwriting never leaves a rest."""
    os.pwrite(descriptor, f"{head.lines:16d} {head.size:16d} {head.hash}\n".encode(), 0)
