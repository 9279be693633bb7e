"""Export of an index in one file: JSON lines in gzip, one gzip member per document.

    {"groundwire": "index", "schema": 1, "tenant": "t_…", "model": {"name": "…", "dimension": 384}}
    {"doc_id": "…", "version": 3, "rows": [{"uid": "…", …, "vector": "base64", "windows": ["base64", …]}, …],
     "images": [{"uid": "…", …}, …], "raw_values": {"uid": ["3.14159", …], …}}
    …
    {"end": {"documents": 12}}

Members are written one by one. A killed run leaves whole documents and at most one incomplete member, which the next
run removes. "images" and "raw_values" are left out where they are empty. A vector is little-endian float32 in base64.
"""

import base64
import gzip
import json
import os
import zlib
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import IO, Any, Final, cast

from groundwire.adapters.codecs import segment_json
from groundwire.adapters.local.filesystem import os_errors
from groundwire.domain.errors import InvalidInput
from groundwire.domain.text.json_values import load_mapping, require_mapping
from groundwire.ports import DocumentVersion, ModelId, SegmentInput
from groundwire.services.reindex.index_transfer import ExportedDocument, IndexHeader

FORMAT_VERSION: Final = 1
_REMEDY: Final = "name a file in another folder"
_READ_BYTES: Final = 1 << 20


class IndexExportFile:
    """One export file; every method raises Unavailable where the disk fails."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def resume(self, header: IndexHeader) -> frozenset[DocumentVersion]:
        """Return the documents of an earlier run, and cut off an incomplete member.

        Raises:
            InvalidInput: the file is the export of another index, or no export.
        """
        if not self._path.exists():
            return frozenset()
        found, whole_end = [*self._exported_versions(header)], 0
        with os_errors.translate_os_errors(self._path.parent, _REMEDY), self._path.open("rb") as file:
            for end, line in _gzip_members(file):
                if "end" in line:
                    break
                whole_end = end
        with os_errors.translate_os_errors(self._path.parent, _REMEDY), self._path.open("r+b") as file:
            file.truncate(whole_end)
        return frozenset(found)

    def append(self, header: IndexHeader, document: Iterable[ExportedDocument]) -> int:
        """Append the documents and the end line; return the number of appended documents."""
        written = 0
        with os_errors.translate_os_errors(self._path.parent, _REMEDY), _open_private(self._path) as file:
            if file.tell() == 0:
                _write(file, _header_line(header))
            for each in document:
                _write(file, _document_line(each))
                written += 1
            _write(file, {"end": {"documents": written}})
        return written

    def header(self) -> IndexHeader:
        """Return the header of a complete file.

        Raises:
            InvalidInput: the file is no export, or incomplete.
        """
        ended = False
        first: IndexHeader | None = None
        for line in self._lines():
            first = first or _header(line)
            ended = "end" in line
        if first is None or not ended:
            raise InvalidInput(
                f"{self._path} is not a complete copy of an index: run `groundwire index export` again until it ends."
            )
        return first

    def documents(self, header: IndexHeader) -> Iterator[ExportedDocument]:
        """Return all documents, one in memory at a time.

        Raises:
            InvalidInput: the file is no export, or was changed.
        """
        for line in self._lines():
            if "rows" in line:
                with _translate_format_errors():
                    document = _document(line, header.model)
                yield document

    def count(self) -> int:
        """Return the number of documents."""
        return sum("rows" in line for line in self._lines())

    def _exported_versions(self, header: IndexHeader) -> Iterator[DocumentVersion]:
        lines = self._lines()
        first = next(lines, None)
        if first is None and self._size() > 0:
            raise InvalidInput(f"{self._path} is not a copy of an index, and is left as it is: name another file.")
        if first is not None and _header(first) != header:
            raise InvalidInput(f"{self._path} is the copy of another index, or of another model: name another file.")
        for line in lines:
            if "rows" in line:
                with _translate_format_errors():
                    version = DocumentVersion(str(line["doc_id"]), int(line["version"]))
                yield version

    def _size(self) -> int:
        with os_errors.translate_os_errors(self._path.parent, _REMEDY):
            return self._path.stat().st_size

    def _lines(self) -> Iterator[Mapping[str, Any]]:
        if not self._path.is_file():
            raise InvalidInput(f"There is no file {self._path}.")
        with os_errors.translate_os_errors(self._path.parent, _REMEDY), self._path.open("rb") as file:
            for _end, line in _gzip_members(file):
                yield line


def _open_private(path: Path) -> IO[bytes]:
    """Open for appending, readable by the owner only: the file holds texts of documents."""
    return os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600), "ab")


def _gzip_members(file: IO[bytes]) -> Iterator[tuple[int, Mapping[str, Any]]]:
    """Yield the JSON and end position of each complete member; stops at an incomplete one."""
    position, pending = 0, b""
    while True:
        # 31 selects the format of gzip; the module `gzip` would not tell where a member ends.
        member, pieces, consumed = zlib.decompressobj(wbits=31), list[bytes](), 0
        while not member.eof:
            chunk = pending or file.read(_READ_BYTES)
            pending = b""
            if not chunk:
                return
            try:
                pieces.append(member.decompress(chunk))
            except zlib.error:
                return
            consumed += len(chunk)
        pending = member.unused_data
        position += consumed - len(pending)
        yield position, _parse_object(b"".join(pieces))


@contextmanager
def _translate_format_errors() -> Generator[None]:
    """Raise InvalidInput for a line that has not the written form."""
    try:
        yield
    except (KeyError, TypeError, ValueError) as error:
        raise InvalidInput("The file is not a copy of an index, or one that somebody changed.") from error


def _parse_object(text: bytes) -> Mapping[str, Any]:
    return require_mapping(load_mapping(text), InvalidInput("The file is not a copy of an index."))


def _write(file: IO[bytes], line: Mapping[str, object]) -> None:
    text = json.dumps(line, ensure_ascii=False, separators=(",", ":")) + "\n"
    # Without a time, so that equal documents are equal bytes.
    file.write(gzip.compress(text.encode(), compresslevel=5, mtime=0))
    file.flush()


def _header_line(header: IndexHeader) -> Mapping[str, object]:
    model = {"name": header.model.name, "dimension": header.model.dimension}
    return {"groundwire": "index", "schema": FORMAT_VERSION, "tenant": header.tenant, "model": model}


def _header(line: Mapping[str, Any]) -> IndexHeader:
    if line.get("groundwire") != "index" or line.get("schema") != FORMAT_VERSION:
        raise InvalidInput("The file is not a copy of an index, or one of another version of Groundwire.")
    with _translate_format_errors():
        return IndexHeader(str(line["tenant"]), ModelId(str(line["model"]["name"]), int(line["model"]["dimension"])))


def _document_line(document: ExportedDocument) -> Mapping[str, object]:
    rows = [_row_line(row) for row in document.rows]
    images = {"images": [_row_line(row) for row in document.image_rows]} if document.image_rows else {}
    # Beside the rows, since the first release refuses a row with a member that it does not know.
    values = {row.segment.uid: row.segment.raw_values for row in document.rows if row.segment.raw_values}
    later = {"raw_values": values} if values else {}
    return {"doc_id": document.version.doc_id, "version": document.version.version, "rows": rows, **images, **later}


def _row_line(row: SegmentInput) -> Mapping[str, object]:
    vectors = {"vector": _to_base64(row.vector), "windows": [_to_base64(each) for each in row.windows]}
    return {**segment_json.to_members(row.segment), **vectors}


def _document(line: Mapping[str, Any], model: ModelId) -> ExportedDocument:
    values = require_mapping(line.get("raw_values", {}), InvalidInput("The file is not a copy of an index."))
    rows, images = (
        [_row(row, 4 * model.dimension, values) for row in cast("Sequence[Mapping[str, Any]]", given)]
        for given in (line["rows"], line.get("images", ()))
    )
    return ExportedDocument(DocumentVersion(str(line["doc_id"]), int(line["version"])), rows, images)


def _row(row: Mapping[str, Any], size: int, values: Mapping[str, Any]) -> SegmentInput:
    segment = segment_json.from_members(row)
    segment = replace(segment, raw_values=tuple(values.get(segment.uid, ())))
    vector, *windows = (base64.b64decode(each) for each in (row["vector"], *row["windows"]))
    if any(len(each) != size for each in (vector, *windows)):
        raise InvalidInput(f"A vector of {segment.uid} has not the dimension that the file names.")
    return SegmentInput(segment, vector, tuple(windows))


def _to_base64(content: bytes) -> str:
    return base64.b64encode(content).decode()
