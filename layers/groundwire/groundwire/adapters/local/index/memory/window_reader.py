"""Where the windows of rows are read: from the cache that a snapshot began with, and of newer rows from the file."""

import json
import sqlite3
from collections.abc import Callable

import numpy as np

from groundwire.adapters.local.index.arrays.dtypes import I64
from groundwire.adapters.local.index.memory.snapshot import Snapshot
from groundwire.adapters.local.index.vectors.windows import SentenceWindows, decode_windows

ReadWindows = Callable[[I64], SentenceWindows]
"""The windows of rows by id from the file."""


def gather_windows(snapshot: Snapshot, rows: I64, read: ReadWindows) -> SentenceWindows:
    """In the order of `rows`, which is ascending; of a row that has gone from the file, none."""
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
    """Those of some rows, from the file."""
    keys: list[int] = ids.tolist()
    found = connection.execute(
        "SELECT windows.id, vectors FROM json_each(?) CROSS JOIN windows ON windows.id = value", (json.dumps(keys),)
    )
    held: dict[int, bytes] = dict(found.fetchall())
    return decode_windows([held.get(key, b"") for key in keys], dimension)


def _gathered(windows: SentenceWindows, rows: I64) -> SentenceWindows:
    begins = windows.starts[rows]
    counts = windows.starts[rows + 1] - begins
    starts = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
    places = np.arange(int(starts[-1])) + np.repeat(begins - starts[:-1], counts)
    return SentenceWindows(windows.half_bits.take(places, 0), starts)
