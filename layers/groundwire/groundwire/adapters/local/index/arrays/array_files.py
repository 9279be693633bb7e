"""Arrays in files of one folder, to be mapped into memory: `<name>.bin` holds nothing but the numbers.

`header.json` is written last. It holds facts about the whole, each array's type, shape and room, and its own
checksum. What it does not vouch for is not there.
"""

import json
import os
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, BinaryIO, Final, cast

import numpy as np
from numpy.typing import NDArray

from groundwire.adapters.local.filesystem import atomic_files

Array = NDArray[Any]
HeaderFields = Mapping[str, object]

_HEADER: Final = "header.json"
_CHUNK_BYTES: Final = 1 << 24


class ArrayWriter:
    """Writes the arrays of a folder that nobody reads yet, a part at a time."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._files: dict[str, BinaryIO] = {}
        self._array_headers: dict[str, dict[str, object]] = {}

    def append(self, name: str, rows: Array) -> None:
        """Further rows of the array; each part has the same type and shape of a row."""
        told = self._array_headers.setdefault(
            name, {"dtype": rows.dtype.str, "row": list(rows.shape[1:]), "rows": 0, "room": 0, "crc": 0}
        )
        if name not in self._files:
            self._files[name] = (self._folder / f"{name}.bin").open("xb")
        content = _bytes(rows)
        for start in range(0, len(content), _CHUNK_BYTES):
            part = content[start : start + _CHUNK_BYTES]
            self._files[name].write(part)
            told["crc"] = zlib.crc32(part, cast("int", told["crc"]))
        told["rows"] = cast("int", told["rows"]) + len(rows)

    def reserve_rows(self, name: str, rows: int) -> None:
        """Behind the array rows can be written in memory; on disk the room takes none."""
        file, told = self._files[name], self._array_headers[name]
        size = file.tell() // max(cast("int", told["rows"]), 1)
        told["room"] = rows
        file.truncate(file.tell() + rows * size)

    def finish(self, header_fields: HeaderFields) -> None:
        """All is on disk, and whoever opens the folder from now on finds it."""
        for file in self._files.values():
            file.flush()
            os.fsync(file.fileno())
        self.close()
        body = json.dumps({"facts": header_fields, "arrays": self._array_headers})
        atomic_files.replace(self._folder / _HEADER, f"{body}\n{zlib.crc32(body.encode()):08x}\n".encode())

    def close(self) -> None:
        """No more is written."""
        for file in self._files.values():
            file.close()


class ArrayFolder:
    """The arrays of a folder that was finished.

    Raises:
        ValueError: there is no such folder, or something in it is not as it was written.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._header = _read(folder)
        held = cast("dict[str, dict[str, Any]]", json.loads(self._header))
        self.header_fields: HeaderFields = held["facts"]
        self._array_headers = held["arrays"]

    def array(self, name: str, *, verify_checksum: bool) -> Array:
        """The array, mapped; writing to it changes only this process's copy.

        Args:
            name: as it was written.
            verify_checksum: its checksum is compared, for which all of it is read.
        """
        array = self.array_with_reserve(name)[: self.row_count(name)]
        if verify_checksum and zlib.crc32(_bytes(array)) != self._array_headers[name]["crc"]:
            raise ValueError(f"{name} is damaged")
        return array

    def array_with_reserve(self, name: str) -> Array:
        """The array and the room behind it, as `array` maps it."""
        told = self._array_headers[name]
        dtype, shape = np.dtype(told["dtype"]), (told["rows"] + told["room"], *told["row"])
        path = self._folder / f"{name}.bin"
        if not dtype.isnative or _size(path) != int(np.prod(shape, dtype=np.int64)) * dtype.itemsize:
            raise ValueError(f"{name} is not as long as it was")
        if 0 in shape:
            return np.empty(shape, dtype)
        # As a plain array: every operation on numpy's own kind of mapped array costs a little more.
        return np.memmap(path, dtype, "c", shape=shape).view(np.ndarray)

    def row_count(self, name: str) -> int:
        """How many rows the array has."""
        return int(self._array_headers[name]["rows"])

    def check_not_replaced(self) -> None:
        """All arrays opened so far were of one folder; Raises ValueError when another took its place meanwhile."""
        if _read(self._folder) != self._header:
            raise ValueError("another folder took the place of this one")


def _bytes(array: Array) -> memoryview:
    return np.ascontiguousarray(array).reshape(-1).view(np.uint8).data


def _read(folder: Path) -> str:
    try:
        body, checksum, _ = (folder / _HEADER).read_text(encoding="utf-8").split("\n")
    except OSError as error:
        raise ValueError(f"{folder} cannot be read") from error
    if f"{zlib.crc32(body.encode()):08x}" != checksum:
        raise ValueError(f"{folder / _HEADER} is damaged")
    return body


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError as error:
        raise ValueError(f"{path} cannot be read") from error
