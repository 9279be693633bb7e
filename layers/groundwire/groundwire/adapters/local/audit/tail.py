"""The end of the log, read backwards, so that the last calls are shown at once however long it is."""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from groundwire.adapters.audit_lines.line import record_of

_BLOCK: Final = 65_536


def last_lines(log: Path, last: int) -> Iterator[dict[str, object]]:
    """The records of the `last` whole lines, oldest first; none when there is no log yet."""
    if last < 1 or not log.exists():
        return
    for raw in _tail(log, last):
        record = record_of(raw)
        if record is not None:
            yield record


def _tail(log: Path, last: int) -> list[bytes]:
    blocks: list[bytes] = []
    feeds = 0
    with log.open("rb") as file:
        start = file.seek(0, 2)
        # One line feed more than lines: the one that ends the line before them.
        while start > 0 and feeds <= last:
            start, end = max(0, start - _BLOCK), start
            file.seek(start)
            blocks.append(file.read(end - start))
            feeds += blocks[-1].count(b"\n")
    whole = b"".join(reversed(blocks)).split(b"\n")[:-1]
    return whole[-last:]
