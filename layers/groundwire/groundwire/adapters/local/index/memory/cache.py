"""What a search reads of an index, kept beside the file in arrays that are mapped: it opens in milliseconds.

The file is the truth. A cache is of one file, up to one sequence of its log, and whoever opens it reads on from
there. One that is missing, damaged, of another file, or of a time that the log no longer reaches back to is written
anew.
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
from groundwire.adapters.local.index.lexical.postings import PostingsSegment, renumber_rows
from groundwire.adapters.local.index.memory import refresh
from groundwire.adapters.local.index.memory.snapshot import Snapshot, empty_snapshot
from groundwire.adapters.local.index.memory.window_reader import ReadWindows, gather_windows
from groundwire.adapters.local.index.store.file import CacheOrigin
from groundwire.adapters.local.index.vectors.sign_codes import SignCodes, encode_signs, words_per_vector
from groundwire.adapters.local.index.vectors.similarity import VectorMatrix
from groundwire.adapters.local.index.vectors.windows import SentenceWindows

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
"""The field of a snapshot, or of a piece, for each name in a cache."""
_BLOCK_ROWS: Final = 4_096
_MIN_RESERVED_ROWS: Final = 16_384
"""Rows for which there is room behind the vectors, so that what comes later needs no copy of them."""

_SAMPLED_ROWS: Final = 64


class CacheWriter:
    """Writes the cache of a file into an empty folder, a part of its rows at a time; rows that have gone stay out."""

    def __init__(self, folder: Path) -> None:
        self._files = ArrayWriter(folder)
        self._files.append("window_starts", np.zeros(1, np.int64))
        self._rows = self._windows = self._segment_count = 0

    def write(self, origin: CacheOrigin, parts: Iterable[Snapshot], read: ReadWindows) -> None:
        """All is on disk.

        Args:
            origin: whose rows these are.
            parts: at least one, each with higher ids than the one before; values have the same slots in all.
            read: windows that a part does not hold itself.
        """
        last = None
        for last in parts:
            self._add(last, read)
        if last is None:
            raise ValueError("at least one part")
        room = max(self._rows // 4, _MIN_RESERVED_ROWS)
        for name in ("vectors", *_sign_names(origin.dimension)):
            self._files.reserve_rows(name, room)
        values = {name: _ids_by_slot(getattr(last, field)) for name, field in _VALUE_LISTS.items()}
        token = secrets.token_hex(8)
        facts = {"sequence": last.sequence, "pieces": self._segment_count, "values": values, "token": token}
        self._files.finish(origin.header_fields() | facts)

    def close(self) -> None:
        """No more is written."""
        self._files.close()

    def _add(self, part: Snapshot, read: ReadWindows) -> None:
        living = part.live_mask
        numbers = (np.cumsum(living) - 1 + self._rows).astype(np.int32)
        places = np.flatnonzero(living)
        for start in range(0, max(len(places), 1), _BLOCK_ROWS):
            self._add_rows(part, places[start : start + _BLOCK_ROWS], read)
        for piece in part.postings:
            self._add_postings(renumber_rows(piece, living, numbers))

    def _add_rows(self, part: Snapshot, places: I64, read: ReadWindows) -> None:
        for name, field in _ROW_ARRAYS.items():
            self._files.append(name, getattr(part, field)[places])
        vectors = part.vectors[places]
        self._files.append("vectors", vectors)
        for name, word in zip(_sign_names(vectors.shape[1]), encode_signs(vectors), strict=True):
            self._files.append(name, word)
        windows = gather_windows(part, places, read)
        self._files.append("windows", windows.half_bits)
        self._files.append("window_starts", windows.starts[1:] + self._windows)
        self._windows += len(windows.half_bits)
        self._rows += len(places)

    def _add_postings(self, piece: PostingsSegment) -> None:
        for name, field in _POSTINGS_ARRAYS.items():
            self._files.append(f"{name}-{self._segment_count}", getattr(piece, field))
        self._segment_count += 1


def open_cache(folder: Path, origin: CacheOrigin, connection: sqlite3.Connection, epoch: int) -> Snapshot | None:
    """The rows that the cache holds, as they were at its sequence; None when it is none of this file now.

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
        arrays.check_not_replaced()
    except (ValueError, KeyError, TypeError):
        return None
    return snapshot if _are_samples_in_log(connection, snapshot) else None


def cached_sequence(folder: Path, origin: CacheOrigin) -> int:
    """How far in the log the cache of this file is; -1 when there is none."""
    try:
        arrays = ArrayFolder(folder)
        return _sequence(arrays) if arrays.header_fields.items() >= origin.header_fields().items() else -1
    except (ValueError, KeyError, TypeError):
        return -1


def written_at(folder: Path) -> float:
    """Seconds since the epoch; 0 when there is no cache."""
    try:
        return folder.stat().st_mtime
    except OSError:
        return 0.0


def _map_snapshot(arrays: ArrayFolder, dimension: int, connection: sqlite3.Connection, epoch: int) -> Snapshot:
    per_row = {field: arrays.array(name, verify_checksum=True) for name, field in _ROW_ARRAYS.items()}
    if any(len(array) != len(per_row["ids"]) for array in per_row.values()):
        raise ValueError("rows are missing")
    held = cast("Mapping[str, Sequence[int]]", arrays.header_fields["values"])
    return replace(
        refresh.with_interned_values(connection, empty_snapshot(dimension, epoch), held),
        sequence=_sequence(arrays),
        **per_row,
        vector_rows=VectorMatrix(dimension, arrays.array_with_reserve("vectors")),
        sign_rows=SignCodes([arrays.array_with_reserve(name) for name in _sign_names(dimension)]),
        windows=SentenceWindows(
            arrays.array("windows", verify_checksum=False), arrays.array("window_starts", verify_checksum=True)
        ),
        postings=tuple(_map_postings(arrays, number) for number in range(cast("int", arrays.header_fields["pieces"]))),
    )


def _map_postings(arrays: ArrayFolder, number: int) -> PostingsSegment:
    found = {
        field: arrays.array(f"{name}-{number}", verify_checksum=name == "starts")
        for name, field in _POSTINGS_ARRAYS.items()
    }
    return PostingsSegment(**found)


def _sequence(arrays: ArrayFolder) -> int:
    return cast("int", arrays.header_fields["sequence"])


def _is_covered_by_log(connection: sqlite3.Connection, sequence: int) -> bool:
    """Whether the log tells all that has happened since."""
    newest, floor = refresh.log_bounds(connection)
    return floor <= sequence <= max(newest, floor)


def _are_samples_in_log(connection: sqlite3.Connection, snapshot: Snapshot) -> bool:
    """Whether the log knows some rows from everywhere in the snapshot."""
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
    return [f"signs-{number}" for number in range(words_per_vector(dimension))]
