"""What an office package hides from its readers, told by its own XML."""

import zipfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from io import BytesIO
from itertools import groupby
from typing import Final

from groundwire.adapters.parse.hidden_runs import read_xml, without_hidden_runs
from groundwire.domain.documents import Block, BlockKind
from groundwire.domain.errors import DocumentRefused

_SHEET_TAG: Final = "http://schemas.openxmlformats.org/spreadsheetml/2006/main sheet"
_PART_MAX: Final = 256 * 1_048_576
_RATIO_MAX: Final = 100
_ENTRIES_MAX: Final = 10_000
"""A package beyond these is a bomb, or no document."""


def without_hidden_text(content: bytes) -> bytes:
    """The Word file without runs that are formatted as hidden; the same bytes when there are none."""
    with _package(content) as package:
        parts = [name for name in package.namelist() if name.startswith("word/") and name.endswith(".xml")]
        hiding = {name: part for name in parts if b"vanish" in (part := package.read(name))}
        if not hiding:
            return content
        shown = {name: without_hidden_runs(part) for name, part in hiding.items()}
        target = BytesIO()
        with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as rewritten:
            for entry in package.infolist():
                rewritten.writestr(entry.filename, shown.get(entry.filename) or package.read(entry))
        return target.getvalue()


def hidden_sheets(content: bytes) -> frozenset[str]:
    """Names of the sheets that the workbook does not show."""
    with _package(content) as package:
        if "xl/workbook.xml" not in package.namelist():
            return frozenset()
        listed = list(_workbook_sheets(package.read("xl/workbook.xml")))
    return frozenset(sheet.get("name", "") for sheet in listed if sheet.get("state", "visible") != "visible")


def sheets(blocks: Sequence[Block], hidden: frozenset[str]) -> list[Block]:
    """The blocks with their sheet as page and group, its name as heading; those of hidden sheets are out."""
    found: list[Block] = []
    number = 0
    shown = True
    for is_name, run in groupby(blocks, key=lambda block: block.kind is BlockKind.HEADING):
        for block in run:
            if is_name:
                number += 1
                shown = block.text.removesuffix(" (hidden)") not in hidden
            if shown:
                level = 1 if is_name else 0
                found.append(replace(block, level=level, page=number, group=number))
    return found


def _package(content: bytes) -> zipfile.ZipFile:
    """The opened package, once its own directory says that it is safe to unpack."""
    try:
        package = zipfile.ZipFile(BytesIO(content))
    except (zipfile.BadZipFile, ValueError, OSError, NotImplementedError) as error:
        raise DocumentRefused("it is damaged: open it in its own program and save it anew") from error
    entries = package.infolist()
    unpacked, packed = sum(entry.file_size for entry in entries), sum(entry.compress_size for entry in entries)
    if len(entries) > _ENTRIES_MAX or unpacked > _PART_MAX or unpacked > _RATIO_MAX * max(packed, 10_240):
        raise DocumentRefused("it unpacks to more than is safe to read")
    if any(entry.flag_bits & 1 for entry in entries):
        raise DocumentRefused("it is encrypted: save it without a password")
    return package


def _workbook_sheets(part: bytes) -> Iterator[Mapping[str, str]]:
    """The attributes of each sheet that the workbook lists."""
    found: list[Mapping[str, str]] = []

    def start(tag: str, attributes: dict[str, str]) -> None:
        if tag == _SHEET_TAG:
            found.append(attributes)

    read_xml(part, start, lambda _: None)
    yield from found
