"""What a search reads of an index, kept beside the file in arrays that are mapped: it opens in milliseconds.

The file is the truth. A cache is of one file, up to one sequence of its log, and whoever opens it reads on from
there. One that is missing, damaged, of another file, or of a time that the log no longer reaches back to is written
anew.
"""

import json
import secrets
import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final, cast

import numpy as np

from groundwire.adapters.local.index import catching_up, schema
from groundwire.adapters.local.index.array_files import ArrayFolder, ArrayWriter
from groundwire.adapters.local.index.arrays import I64
from groundwire.adapters.local.index.interned import Interned
from groundwire.adapters.local.index.postings import Piece, renumbered
from groundwire.adapters.local.index.signs import SignRows, signs_of, words_of
from groundwire.adapters.local.index.similarity import VectorRows
from groundwire.adapters.local.index.snapshot import Snapshot, empty
from groundwire.adapters.local.index.stored_windows import Read, windows_of
from groundwire.adapters.local.index.windows import Windows

_VERSION: Final = 1
"""Of the arrays; another one is as good as none."""

_PER_ROW: Final[Mapping[str, str]] = {
    "ids": "ids",
    "policy_of": "policy_of",
    "collection_of": "collection_of",
    "language_of": "language_of",
    "metadata_of": "metadata_of",
    "lengths": "lengths",
}
_OF_PIECE: Final[Mapping[str, str]] = {"terms": "terms", "starts": "starts", "rows": "rows", "counts": "counts"}
_VALUES: Final[Mapping[str, str]] = {
    "policies": "policies",
    "collections": "collections",
    "languages": "languages",
    "metadata": "metadata",
}
"""The field of a snapshot, or of a piece, for each name in a cache."""
_BLOCK_ROWS: Final = 4_096
_LEAST_ROOM: Final = 16_384
"""Rows for which there is room behind the vectors, so that what comes later needs no copy of them."""

_WITNESSES: Final = 64


@dataclass(frozen=True, slots=True)
class Origin:
    """Which file a cache is of.

    Attributes:
        identity: that the file gives itself. inode: a file put back in its place has another.
    """

    identity: str
    inode: int
    dimension: int

    def facts(self) -> dict[str, object]:
        """What a cache of it says of itself."""
        whose = {"identity": self.identity, "inode": self.inode, "dimension": self.dimension}
        return {"version": _VERSION, "schema": schema.VERSION, **whose}


class CacheWriter:
    """Writes the cache of a file into an empty folder, a part of its rows at a time; rows that have gone stay out."""

    def __init__(self, folder: Path) -> None:
        self._files = ArrayWriter(folder)
        self._files.append("window_starts", np.zeros(1, np.int64))
        self._rows = self._windows = self._pieces = 0

    def write(self, origin: Origin, parts: Iterable[Snapshot], read: Read) -> None:
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
        room = max(self._rows // 4, _LEAST_ROOM)
        for name in ("vectors", *_sign_names(origin.dimension)):
            self._files.leave_room(name, room)
        values = {name: _ids_by_slot(getattr(last, field)) for name, field in _VALUES.items()}
        token = secrets.token_hex(8)
        facts = {"sequence": last.sequence, "pieces": self._pieces, "values": values, "token": token}
        self._files.finish(origin.facts() | facts)

    def close(self) -> None:
        """No more is written."""
        self._files.close()

    def _add(self, part: Snapshot, read: Read) -> None:
        living = part.living
        numbers = (np.cumsum(living) - 1 + self._rows).astype(np.int32)
        places = np.flatnonzero(living)
        for start in range(0, max(len(places), 1), _BLOCK_ROWS):
            self._add_rows(part, places[start : start + _BLOCK_ROWS], read)
        for piece in part.pieces:
            self._add_piece(renumbered(piece, living, numbers))

    def _add_rows(self, part: Snapshot, places: I64, read: Read) -> None:
        for name, field in _PER_ROW.items():
            self._files.append(name, getattr(part, field)[places])
        vectors = part.vectors[places]
        self._files.append("vectors", vectors)
        for name, word in zip(_sign_names(vectors.shape[1]), signs_of(vectors), strict=True):
            self._files.append(name, word)
        windows = windows_of(part, places, read)
        self._files.append("windows", windows.halves)
        self._files.append("window_starts", windows.starts[1:] + self._windows)
        self._windows += len(windows.halves)
        self._rows += len(places)

    def _add_piece(self, piece: Piece) -> None:
        for name, field in _OF_PIECE.items():
            self._files.append(f"{name}-{self._pieces}", getattr(piece, field))
        self._pieces += 1


def opened(folder: Path, origin: Origin, connection: sqlite3.Connection, epoch: int) -> Snapshot | None:
    """The rows that the cache holds, as they were at its sequence; None when it is none of this file now.

    Raises:
        sqlite3.Error: the file is damaged or does not answer.
    """
    try:
        arrays = ArrayFolder(folder)
        if not arrays.facts.items() >= origin.facts().items() or not _is_reached(connection, _sequence(arrays)):
            return None
        snapshot = _mapped(arrays, origin.dimension, connection, epoch)
        arrays.check_same()
    except (ValueError, KeyError, TypeError):
        return None
    return snapshot if _are_witnessed(connection, snapshot) else None


def sequence_of(folder: Path, origin: Origin) -> int:
    """How far in the log the cache of this file is; -1 when there is none."""
    try:
        arrays = ArrayFolder(folder)
        return _sequence(arrays) if arrays.facts.items() >= origin.facts().items() else -1
    except (ValueError, KeyError, TypeError):
        return -1


def written_at(folder: Path) -> float:
    """Seconds since the epoch; 0 when there is no cache."""
    try:
        return folder.stat().st_mtime
    except OSError:
        return 0.0


def _mapped(arrays: ArrayFolder, dimension: int, connection: sqlite3.Connection, epoch: int) -> Snapshot:
    per_row = {field: arrays.array(name, whole=True) for name, field in _PER_ROW.items()}
    if any(len(array) != len(per_row["ids"]) for array in per_row.values()):
        raise ValueError("rows are missing")
    held = cast("Mapping[str, Sequence[int]]", arrays.facts["values"])
    return replace(
        catching_up.with_values(connection, empty(dimension, epoch), held),
        sequence=_sequence(arrays),
        **per_row,
        vector_rows=VectorRows(dimension, arrays.with_room("vectors")),
        sign_rows=SignRows([arrays.with_room(name) for name in _sign_names(dimension)]),
        windows=Windows(arrays.array("windows", whole=False), arrays.array("window_starts", whole=True)),
        pieces=tuple(_piece(arrays, number) for number in range(cast("int", arrays.facts["pieces"]))),
    )


def _piece(arrays: ArrayFolder, number: int) -> Piece:
    found = {field: arrays.array(f"{name}-{number}", whole=name == "starts") for name, field in _OF_PIECE.items()}
    return Piece(**found)


def _sequence(arrays: ArrayFolder) -> int:
    return cast("int", arrays.facts["sequence"])


def _is_reached(connection: sqlite3.Connection, sequence: int) -> bool:
    """Whether the log tells all that has happened since."""
    newest, floor = catching_up.ends(connection)
    return floor <= sequence <= max(newest, floor)


def _are_witnessed(connection: sqlite3.Connection, snapshot: Snapshot) -> bool:
    """Whether the log knows some rows from everywhere in the snapshot."""
    if not len(snapshot.ids):
        return True
    some = snapshot.ids[np.linspace(0, len(snapshot.ids) - 1, _WITNESSES).astype(np.int64)]
    ids: list[int] = np.unique(some).tolist()
    found = connection.execute(
        "SELECT count(*) FROM json_each(?) CROSS JOIN log ON segment = value", (json.dumps(ids),)
    )
    return int(found.fetchone()[0]) == len(ids)


def _ids_by_slot(values: Interned[Any]) -> list[int]:
    return sorted(values.slots, key=values.slots.__getitem__)


def _sign_names(dimension: int) -> list[str]:
    return [f"signs-{number}" for number in range(words_of(dimension))]
