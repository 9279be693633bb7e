"""Windows of rows: from the cache that a snapshot started from, and for newer rows from the file."""

import json
import sqlite3
from collections.abc import Callable

import numpy as np

from groundwire.adapters.local.index.arrays.dtypes import I64
from groundwire.adapters.local.index.arrays.prefetch import prefetch_rows
from groundwire.adapters.local.index.snapshots.snapshot import Snapshot
from groundwire.adapters.local.index.vectors.windows import SentenceWindows, decode_windows

ReadWindows = Callable[[I64], SentenceWindows]
"""Function that reads the windows of rows by id from the file."""


def gather_windows(snapshot: Snapshot, rows: I64, read: ReadWindows) -> SentenceWindows:
    """Return the windows in the order of `rows`, which is ascending; none for a row deleted from the file."""
    cached = int(np.searchsorted(rows, len(snapshot.windows.starts) - 1))
    first = _gathered(snapshot.windows, rows[:cached])
    if cached == len(rows):
        return first
    second = read(snapshot.ids[rows[cached:]])
    return SentenceWindows(
        np.concatenate([first.half_bits, second.half_bits]),
        np.concatenate([first.starts, second.starts[1:] + first.starts[-1]]),
    )


def read_stored_windows(connection: sqlite3.Connection, ids: I64, dimension: int) -> SentenceWindows:
    """Read the windows of these rows from the file."""
    keys: list[int] = ids.tolist()
    found = connection.execute(
        "SELECT windows.id, vectors FROM json_each(?) CROSS JOIN windows ON windows.id = value", (json.dumps(keys),)
    )
    windows_by_id: dict[int, bytes] = dict(found.fetchall())
    return decode_windows([windows_by_id.get(key, b"") for key in keys], dimension)


def _gathered(windows: SentenceWindows, rows: I64) -> SentenceWindows:
    first_windows = windows.starts[rows]
    counts = windows.starts[rows + 1] - first_windows
    starts = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
    positions = np.arange(int(starts[-1])) + np.repeat(first_windows - starts[:-1], counts)
    prefetch_rows(windows.half_bits, positions)
    return SentenceWindows(windows.half_bits.take(positions, 0), starts)
