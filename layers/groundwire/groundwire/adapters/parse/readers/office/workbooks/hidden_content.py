"""Removal of hidden content from Office packages, by their XML."""

import zipfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from io import BytesIO
from itertools import groupby
from typing import Final

from groundwire.adapters.parse.containers.zip_package import open_package, read_entry
from groundwire.adapters.parse.readers.office.workbooks.hidden_cells import without_hidden_cells
from groundwire.adapters.parse.readers.office.workbooks.hidden_ranges import read_xml
from groundwire.domain.documents.parsed import Block, BlockKind

_SHEET_TAG: Final = "http://schemas.openxmlformats.org/spreadsheetml/2006/main sheet"


def without_hidden_rows_and_columns(content: bytes) -> bytes:
    """Return the workbook with the cells of hidden rows and columns emptied; the same bytes when there are none."""
    return _rewrite_parts(content, "xl/worksheets/", b"hidden=", without_hidden_cells)


def _rewrite_parts(content: bytes, folder: str, marker: bytes, rewrite: Callable[[bytes], bytes]) -> bytes:
    """Return the package with those parts of a folder rewritten that contain `marker`."""
    with open_package(content) as package:
        names = [name for name in package.namelist() if name.startswith(folder) and name.endswith(".xml")]
        affected = {name: found for name in names if marker in (found := read_entry(package, name))}
        if not affected:
            return content
        target = BytesIO()
        with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as rewritten:
            for entry in package.infolist():
                whole = (
                    rewrite(affected[entry.filename])
                    if entry.filename in affected
                    else read_entry(package, entry.filename)
                )
                rewritten.writestr(entry.filename, whole)
        return target.getvalue()


def hidden_sheets(content: bytes) -> frozenset[str]:
    """Return the names of the sheets that the workbook does not show."""
    with open_package(content) as package:
        if "xl/workbook.xml" not in package.namelist():
            return frozenset()
        listed = list(_workbook_sheets(package.read("xl/workbook.xml")))
    return frozenset(sheet.get("name", "") for sheet in listed if sheet.get("state", "visible") != "visible")


def with_sheet_numbers(blocks: Sequence[Block], hidden: frozenset[str]) -> list[Block]:
    """Return the blocks of visible sheets, with the sheet's number as page and group and its name as heading."""
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


def _workbook_sheets(part: bytes) -> Iterator[Mapping[str, str]]:
    """Yield the attributes of each sheet that the workbook lists."""
    found: list[Mapping[str, str]] = []

    def start(tag: str, attributes: dict[str, str]) -> None:
        if tag == _SHEET_TAG:
            found.append(attributes)

    read_xml(part, start, lambda _: None)
    yield from found
