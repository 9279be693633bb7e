"""Where the windows of rows are read: from the cache that a snapshot began with, and of newer rows from the file."""

import json
import sqlite3
from collections.abc import Callable

import numpy as np

from groundwire.adapters.local.index.arrays import I64
from groundwire.adapters.local.index.snapshot import Snapshot
from groundwire.adapters.local.index.windows import Windows, stacked

Read = Callable[[I64], Windows]
"""The windows of rows by id from the file."""


def windows_of(snapshot: Snapshot, rows: I64, read: Read) -> Windows:
    """In the order of `rows`, which is ascending; of a row that has gone from the file, none."""
    cached = int(np.searchsorted(rows, len(snapshot.windows.starts) - 1))
    first = _gathered(snapshot.windows, rows[:cached])
    if cached == len(rows):
        return first
    second = read(snapshot.ids[rows[cached:]])
    return Windows(
        np.concatenate([first.halves, second.halves]),
        np.concatenate([first.starts, second.starts[1:] + first.starts[-1]]),
    )


def read_windows(connection: sqlite3.Connection, ids: I64, dimension: int) -> Windows:
    """Those of some rows, from the file."""
    keys: list[int] = ids.tolist()
    found = connection.execute(
        "SELECT windows.id, vectors FROM json_each(?) CROSS JOIN windows ON windows.id = value", (json.dumps(keys),)
    )
    held: dict[int, bytes] = dict(found.fetchall())
    return stacked([held.get(key, b"") for key in keys], dimension)


def _gathered(windows: Windows, rows: I64) -> Windows:
    begins = windows.starts[rows]
    counts = windows.starts[rows + 1] - begins
    starts = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
    places = np.arange(int(starts[-1])) + np.repeat(begins - starts[:-1], counts)
    return Windows(windows.halves.take(places, 0), starts)
