"""Cache of an index: the arrays that a search reads, mapped from files, so that it opens in milliseconds.

The files are beside the index file, which is authoritative. A cache belongs to one file and one sequence of its log; a
reader continues from there. A cache is rebuilt if it is missing, damaged, of another file, or older than the log
reaches back.
"""

import json
import secrets
import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final, cast

import numpy as np

from groundwire.adapters.local.index.arrays.array_files import ArrayFolder, ArrayWriter
from groundwire.adapters.local.index.arrays.dtypes import I64
from groundwire.adapters.local.index.arrays.interned import InternedValues
from groundwire.adapters.local.index.arrays.similarity import SentenceWindows, VectorMatrix
from groundwire.adapters.local.index.arrays.vector_codes import (
    CODES_VERSION,
    VectorCodes,
    empty_vector_codes,
    encode,
    words_per_vector,
)
from groundwire.adapters.local.index.lexical.postings import PostingsSegment, renumber_rows
from groundwire.adapters.local.index.snapshots import refresh
from groundwire.adapters.local.index.snapshots.snapshot import ReadWindows, Snapshot, empty_snapshot, gather_windows
from groundwire.adapters.local.index.store.file import CacheOrigin

_ROW_ARRAYS: Final[Mapping[str, str]] = {
    "ids": "ids",
    "policy_of": "policy_of",
    "collection_of": "collection_of",
    "language_of": "language_of",
    "metadata_of": "metadata_of",
    "lengths": "lengths",
}
_POSTINGS_ARRAYS: Final[Mapping[str, str]] = {"terms": "terms", "starts": "starts", "rows": "rows", "counts": "counts"}
_VALUE_LISTS: Final[Mapping[str, str]] = {
    "policies": "policies",
    "collections": "collections",
    "languages": "languages",
    "metadata": "metadata",
}
"""Field of a snapshot, or of a postings segment, for each name in a cache."""
_BLOCK_ROWS: Final = 4_096
_MIN_RESERVED_ROWS: Final = 16_384
"""Minimum of rows reserved behind the vectors, so that later rows need no copy of them."""

_SAMPLED_ROWS: Final = 64
_CODES: Final = "codes"


class CacheWriter:
    """Writer of a cache into an empty folder, a part of its rows at a time; leaves deleted rows out."""

    def __init__(self, folder: Path) -> None:
        self._files = ArrayWriter(folder)
        self._files.append("window_starts", np.zeros(1, np.int64))
        self._rows = self._windows = self._segment_count = 0

    def write(self, origin: CacheOrigin, parts: Iterable[Snapshot], read: ReadWindows) -> None:
        """Write everything to disk.

        Args:
            origin: identity of the rows' file.
            parts: at least one, each with higher ids than the previous one; values have the same slots in all.
            read: reads windows that a part does not hold itself.
        """
        last = None
        for last in parts:
            self._add(last, read)
        if last is None:
            raise ValueError("at least one part")
        reserve = max(self._rows // 4, _MIN_RESERVED_ROWS)
        for name in ("vectors", _CODES, *_sign_names(origin.dimension)):
            self._files.reserve_rows(name, reserve)
        values = {name: _ids_by_slot(getattr(last, field)) for name, field in _VALUE_LISTS.items()}
        # Two caches of one state would have equal headers, and a swap would not be noticed.
        token = secrets.token_hex(8)
        cache_fields = {
            "sequence": last.sequence,
            "pieces": self._segment_count,
            "values": values,
            "token": token,
            "codes": CODES_VERSION,
        }
        self._files.finish(origin.header_fields() | cache_fields)

    def close(self) -> None:
        """Close the files."""
        self._files.close()

    def _add(self, part: Snapshot, read: ReadWindows) -> None:
        live = part.live_mask
        numbers = (np.cumsum(live) - 1 + self._rows).astype(np.int32)
        positions = np.flatnonzero(live)
        for start in range(0, max(len(positions), 1), _BLOCK_ROWS):
            self._add_rows(part, positions[start : start + _BLOCK_ROWS], read)
        for segment in part.postings:
            self._add_postings(renumber_rows(segment, live, numbers))

    def _add_rows(self, part: Snapshot, positions: I64, read: ReadWindows) -> None:
        for name, field in _ROW_ARRAYS.items():
            self._files.append(name, getattr(part, field)[positions])
        vectors = part.vectors[positions]
        self._files.append("vectors", vectors)
        signs, codes = encode(vectors)
        for name, word in zip(_sign_names(vectors.shape[1]), signs, strict=True):
            self._files.append(name, word)
        self._files.append(_CODES, codes)
        windows = gather_windows(part, positions, read)
        self._files.append("windows", windows.half_bits)
        self._files.append("window_starts", windows.starts[1:] + self._windows)
        self._windows += len(windows.half_bits)
        self._rows += len(positions)

    def _add_postings(self, segment: PostingsSegment) -> None:
        for name, field in _POSTINGS_ARRAYS.items():
            self._files.append(f"{name}-{self._segment_count}", getattr(segment, field))
        self._segment_count += 1


def open_cache(folder: Path, origin: CacheOrigin, connection: sqlite3.Connection, epoch: int) -> Snapshot | None:
    """Open the cache as a snapshot at its sequence; None when it does not fit the current file.

    Raises:
        sqlite3.Error: the file is damaged or does not answer.
    """
    try:
        arrays = ArrayFolder(folder)
        if not arrays.header_fields.items() >= origin.header_fields().items() or not _is_covered_by_log(
            connection, _sequence(arrays)
        ):
            return None
        snapshot = _map_snapshot(arrays, origin.dimension, connection, epoch)
        # Another process may swap the folder between two files, which are of two states then.
        arrays.check_not_replaced()
    except (ValueError, KeyError, TypeError):
        return None
    return snapshot if _are_samples_in_log(connection, snapshot) else None


def cached_sequence(folder: Path, origin: CacheOrigin) -> int:
    """Return the log sequence of this file's cache; -1 if it is missing."""
    try:
        arrays = ArrayFolder(folder)
        return _sequence(arrays) if arrays.header_fields.items() >= origin.header_fields().items() else -1
    except (ValueError, KeyError, TypeError):
        return -1


def written_at(folder: Path) -> float:
    """Return when the cache was written, in seconds since the epoch; 0 if it is missing."""
    try:
        return folder.stat().st_mtime
    except OSError:
        return 0.0


def _map_snapshot(arrays: ArrayFolder, dimension: int, connection: sqlite3.Connection, epoch: int) -> Snapshot:
    per_row = {field: arrays.array(name, verify_checksum=True) for name, field in _ROW_ARRAYS.items()}
    if any(len(array) != len(per_row["ids"]) for array in per_row.values()):
        raise ValueError("rows are missing")
    ids_by_name = cast("Mapping[str, Sequence[int]]", arrays.header_fields["values"])
    return replace(
        refresh.with_interned_values(connection, empty_snapshot(dimension, epoch), ids_by_name),
        sequence=_sequence(arrays),
        **per_row,
        vector_rows=VectorMatrix(dimension, arrays.array_with_reserve("vectors")),
        codes=_map_codes(arrays, dimension),
        windows=SentenceWindows(
            # A checksum reads the whole array, and this is the largest one.
            arrays.array("windows", verify_checksum=False),
            arrays.array("window_starts", verify_checksum=True),
        ),
        postings=tuple(_map_postings(arrays, number) for number in range(cast("int", arrays.header_fields["pieces"]))),
    )


def _map_codes(arrays: ArrayFolder, dimension: int) -> VectorCodes:
    """Return the codes; none from a cache that another release wrote with other codes."""
    if arrays.header_fields.get("codes") != CODES_VERSION:
        return empty_vector_codes(dimension)
    signs = [arrays.array_with_reserve(name) for name in _sign_names(dimension)]
    return VectorCodes(signs, arrays.array_with_reserve(_CODES), arrays.row_count(_CODES))


def _map_postings(arrays: ArrayFolder, number: int) -> PostingsSegment:
    found = {
        field: arrays.array(f"{name}-{number}", verify_checksum=name == "starts")
        for name, field in _POSTINGS_ARRAYS.items()
    }
    return PostingsSegment(**found)


def _sequence(arrays: ArrayFolder) -> int:
    return cast("int", arrays.header_fields["sequence"])


def _is_covered_by_log(connection: sqlite3.Connection, sequence: int) -> bool:
    """Return whether the log still has all changes since this sequence."""
    newest, floor = refresh.log_bounds(connection)
    # A file restored from a backup may have an earlier log than the cache.
    return floor <= sequence <= max(newest, floor)


def _are_samples_in_log(connection: sqlite3.Connection, snapshot: Snapshot) -> bool:
    """Return whether the log has a sample of rows from the whole snapshot."""
    if not len(snapshot.ids):
        return True
    some = snapshot.ids[np.linspace(0, len(snapshot.ids) - 1, _SAMPLED_ROWS).astype(np.int64)]
    ids: list[int] = np.unique(some).tolist()
    found = connection.execute(
        "SELECT count(*) FROM json_each(?) CROSS JOIN log ON segment = value", (json.dumps(ids),)
    )
    return int(found.fetchone()[0]) == len(ids)


def _ids_by_slot(values: InternedValues[Any]) -> list[int]:
    return sorted(values.slots, key=values.slots.__getitem__)


def _sign_names(dimension: int) -> list[str]:
    return [f"codes-{number}" for number in range(words_per_vector(dimension))]
