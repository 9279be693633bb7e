"""Removal of hidden content from workbooks before the parser library reads them: cells, macro sheets, hidden sheets."""

import re
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from io import BytesIO
from itertools import groupby
from typing import Final

from groundwire_readers.containers.zip_package import open_package, read_entry
from groundwire_readers.contents.parsed import Block, BlockKind
from groundwire_readers.readers.office.package_parts import main_part, relationships
from groundwire_readers.readers.office.workbooks.cell_styles import read_cell_styles
from groundwire_readers.readers.office.workbooks.cell_visibility import SheetFormats
from groundwire_readers.readers.office.workbooks.hidden_cells import without_hidden_cells
from groundwire_readers.readers.office.workbooks.hidden_ranges import read_xml
from groundwire_readers.readers.office.workbooks.rich_texts import SharedTexts, may_have_fonts
from groundwire_readers.readers.office.workbooks.sheet_areas import read_sheet_areas

_SHEET: Final = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_WORKSHEET_FOLDER: Final = "xl/worksheets/"
_SHARED_STRINGS: Final = "xl/sharedStrings.xml"
_HIDING_MARKUP: Final = (b"hidden", b"conditionalFormatting")
_MACRO_SHEETS: Final = ("xlMacrosheet", "xlIntlMacrosheet")
_ATTRIBUTE_VALUE: Final = re.compile(rb"\"([^\"]*)\"")
_LISTED_SHEET: Final = re.compile(rb"<(?:\w{1,20}:)?sheet\b[^>]{0,1000}/>")


@dataclass(frozen=True, slots=True)
class VisibleWorkbook:
    """A workbook without invisible cell content; `hiding_sheets` counts the sheets whose formats hid any."""

    content: bytes
    hiding_sheets: int


def visible_workbook(content: bytes) -> VisibleWorkbook:
    """Return the workbook with hidden cells emptied and macro sheets removed, or the same bytes if nothing is hidden.

    Raises:
        UnreadableDocument: damaged, encrypted, or more than is safe to unpack.
    """
    with open_package(content) as package:
        parts = [
            relationship
            for relationship in relationships(package, main_part(package)).values()
            if not relationship.is_external
        ]
        rewritten = dict(_without_macro_sheets(package))
        styles = read_cell_styles(package)
        shared = read_entry(
            package,
            next(
                (relationship.target for relationship in parts if relationship.kind == "sharedStrings"), _SHARED_STRINGS
            ),
        )
        texts = SharedTexts(shared, styles.colours)
        hides_any = styles.may_hide_content or bool(texts.fonts)
        hiding_sheets = 0
        in_folder = (
            name for name in package.namelist() if name.startswith(_WORKSHEET_FOLDER) and name.endswith(".xml")
        )
        for path in dict.fromkeys(
            [*in_folder, *(relationship.target for relationship in parts if relationship.kind == "worksheet")]
        ):
            part = read_entry(package, path)
            if hides_any or any(mark in part for mark in _HIDING_MARKUP) or may_have_fonts(part):
                areas = read_sheet_areas(package, path, part, styles)
                visible, is_hiding = without_hidden_cells(part, SheetFormats(styles, areas, texts))
                hiding_sheets += is_hiding
                rewritten |= {path: visible} if visible != part else {}
        visible_texts = texts.visible_part()
        # The parser library reads shared strings from this path, whatever part the workbook refers to.
        rewritten |= {_SHARED_STRINGS: visible_texts} if visible_texts != read_entry(package, _SHARED_STRINGS) else {}
        return VisibleWorkbook(_with_parts(package, rewritten) if rewritten else content, hiding_sheets)


def _with_parts(package: zipfile.ZipFile, parts: Mapping[str, bytes]) -> bytes:
    target = BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as rewritten:
        for name in dict.fromkeys([*package.namelist(), *parts]):
            rewritten.writestr(name, parts[name] if name in parts else read_entry(package, name))
    return target.getvalue()


def _without_macro_sheets(package: zipfile.ZipFile) -> Iterator[tuple[str, bytes]]:
    """Yield the workbook part without macro sheets, which the parser library refuses, if it has such sheets."""
    path = main_part(package)
    macros = {
        name.encode()
        for name, relationship in relationships(package, path).items()
        if relationship.kind in _MACRO_SHEETS
    }
    if macros:

        def kept(sheet: re.Match[bytes]) -> bytes:
            return sheet[0] if macros.isdisjoint(_ATTRIBUTE_VALUE.findall(sheet[0])) else b""

        yield path, _LISTED_SHEET.sub(kept, read_entry(package, path))


def hidden_sheets(content: bytes) -> frozenset[str]:
    """Return the names of the hidden sheets."""
    with open_package(content) as package:
        workbook = read_entry(package, main_part(package))
        listed = list(_workbook_sheets(workbook)) if workbook else []
    return frozenset(sheet.get("name", "") for sheet in listed if sheet.get("state", "visible") != "visible")


def with_sheet_numbers(blocks: Sequence[Block], hidden: frozenset[str]) -> list[Block]:
    """Return the blocks of visible sheets, with the sheet number as page and group, and the sheet name as heading."""
    numbered: list[Block] = []
    number = 0
    is_visible = True
    for is_name, run in groupby(blocks, key=lambda block: block.kind is BlockKind.HEADING):
        for block in run:
            if is_name:
                number += 1
                # The parser library adds this suffix to the names of hidden sheets.
                is_visible = block.text.removesuffix(" (hidden)") not in hidden
            if is_visible:
                level = 1 if is_name else 0
                numbered.append(replace(block, level=level, page=number, group=number))
    return numbered


def _workbook_sheets(part: bytes) -> Iterator[Mapping[str, str]]:
    """Yield the attributes of each `sheet` element of the workbook part."""
    sheets: list[Mapping[str, str]] = []

    def start(tag: str, attributes: dict[str, str]) -> None:
        if tag == f"{_SHEET} sheet":
            sheets.append(attributes)

    read_xml(part, start, lambda _: None)
    yield from sheets
