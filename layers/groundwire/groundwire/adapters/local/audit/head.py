"""Head file `audit.head`: the log's line count, size and last hash, in 99 bytes that are overwritten in place."""

import os
import re
from typing import Final, NamedTuple

from groundwire.adapters.codecs.audit_line import GENESIS_HASH

_FORMAT: Final = re.compile(rb" *([0-9]{1,16}) +([0-9]{1,16}) ([0-9a-f]{64})\n")
_BYTES: Final = 99


class ChainHead(NamedTuple):
    """End of the chain.

    Attributes:
        line_count: number of lines ever appended.
        size_bytes: size of the log, in bytes.
        hash: hash of the last line.
    """

    line_count: int
    size_bytes: int
    hash: str


EMPTY_HEAD: Final = ChainHead(0, 0, GENESIS_HASH)


def read_head(descriptor: int) -> ChainHead | None:
    """Read the head; None when the file is empty or damaged."""
    match = _FORMAT.fullmatch(os.pread(descriptor, _BYTES + 1, 0))
    return None if match is None else ChainHead(int(match[1]), int(match[2]), match[3].decode())


def write_head(descriptor: int, head: ChainHead) -> None:
    """Write the head, always of the same length, so that overwriting leaves no old bytes."""
    os.pwrite(descriptor, f"{head.line_count:16d} {head.size_bytes:16d} {head.hash}\n".encode(), 0)
