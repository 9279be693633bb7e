"""Arrays in files of one folder, for mapping into memory: `<name>.bin` holds only the numbers.

`header.json` is written last. It holds header fields, each array's type, shape and reserve, and its own checksum. An
array that it does not list does not exist.
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
    """Writer of the arrays of a folder that nobody reads yet, a part at a time."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._files: dict[str, BinaryIO] = {}
        self._array_headers: dict[str, dict[str, object]] = {}

    def append(self, name: str, rows: Array) -> None:
        """Append rows to the array; each part has the same type and row shape."""
        array_header = self._array_headers.setdefault(
            name, {"dtype": rows.dtype.str, "row": list(rows.shape[1:]), "rows": 0, "room": 0, "crc": 0}
        )
        if name not in self._files:
            # The folder is new, so that a file of this name is a mistake.
            self._files[name] = (self._folder / f"{name}.bin").open("xb")
        content = _bytes(rows)
        for start in range(0, len(content), _CHUNK_BYTES):
            part = content[start : start + _CHUNK_BYTES]
            self._files[name].write(part)
            array_header["crc"] = zlib.crc32(part, cast("int", array_header["crc"]))
        array_header["rows"] = cast("int", array_header["rows"]) + len(rows)

    def reserve_rows(self, name: str, rows: int) -> None:
        """Reserve rows behind the array, to be written in memory; the sparse file takes no disk space for them."""
        file, array_header = self._files[name], self._array_headers[name]
        size = file.tell() // max(cast("int", array_header["rows"]), 1)
        array_header["room"] = rows
        file.truncate(file.tell() + rows * size)

    def finish(self, header_fields: HeaderFields) -> None:
        """Sync all files and write the header, which makes the folder readable."""
        for file in self._files.values():
            file.flush()
            # Before the header: after a power cut it must not name arrays that are not on disk.
            os.fsync(file.fileno())
        self.close()
        body = json.dumps({"facts": header_fields, "arrays": self._array_headers})
        atomic_files.replace(self._folder / _HEADER, f"{body}\n{zlib.crc32(body.encode()):08x}\n".encode())

    def close(self) -> None:
        """Close the files."""
        for file in self._files.values():
            file.close()


class ArrayFolder:
    """Arrays of a finished folder.

    Raises:
        ValueError: there is no such folder, or its content is not as written.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._header = _read(folder)
        header = cast("dict[str, dict[str, Any]]", json.loads(self._header))
        self.header_fields: HeaderFields = header["facts"]
        self._array_headers = header["arrays"]

    def array(self, name: str, *, verify_checksum: bool) -> Array:
        """Map the array; writing to it changes only this process's copy.

        Args:
            name: name of the array.
            verify_checksum: compare the checksum, which reads the whole array.
        """
        array = self.array_with_reserve(name)[: self.row_count(name)]
        if verify_checksum and zlib.crc32(_bytes(array)) != self._array_headers[name]["crc"]:
            raise ValueError(f"{name} is damaged")
        return array

    def array_with_reserve(self, name: str) -> Array:
        """Map the array with its reserve, as `array` does."""
        array_header = self._array_headers[name]
        dtype, shape = (
            np.dtype(array_header["dtype"]),
            (array_header["rows"] + array_header["room"], *array_header["row"]),
        )
        path = self._folder / f"{name}.bin"
        # The folder may have been copied from a machine with another order of bytes.
        if not dtype.isnative or _size(path) != int(np.prod(shape, dtype=np.int64)) * dtype.itemsize:
            raise ValueError(f"{name} is not as long as it was")
        # The system cannot map an empty file.
        if 0 in shape:
            return np.empty(shape, dtype)
        # As a plain array: every operation on numpy's memmap type costs a little more.
        return np.memmap(path, dtype, "c", shape=shape).view(np.ndarray)

    def row_count(self, name: str) -> int:
        """Return the number of rows of the array."""
        return int(self._array_headers[name]["rows"])

    def check_not_replaced(self) -> None:
        """Check that all arrays opened so far are of one folder.

        Raises:
            ValueError: another folder has replaced it meanwhile.
        """
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
