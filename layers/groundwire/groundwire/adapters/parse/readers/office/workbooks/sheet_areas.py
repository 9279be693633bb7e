"""Areas of a worksheet whose cells look otherwise than their own formats: under a condition, or in a table."""

import re
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final
from xml.parsers import expat

from groundwire.adapters.parse.containers.xml_tree import parse_xml
from groundwire.adapters.parse.containers.zip_package import read_entry
from groundwire.adapters.parse.readers.office.package_parts import relationships
from groundwire.adapters.parse.readers.office.workbooks.cell_styles import CellStyles, ConditionalStyle
from groundwire.adapters.parse.readers.office.workbooks.hidden_ranges import read_xml

_SHEET: Final = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_REFERENCE: Final = re.compile(r"\$?([A-Z]{0,3})\$?(\d{0,7})")
_LAST_COLUMN, _LAST_ROW = 16_384, 1_048_576
_AREAS_MAX: Final = 1_000
"""Maximum number of areas that a cell is compared with; beyond it, no cell counts as hidden by its look."""
_TRUE: Final = ("TRUE", "TRUE()", "1", "1=1")
_COLOURED: Final = ("colorScale", "dataBar", "iconSet")
_MARKS: Final = (b"conditionalFormatting", b"<picture", b"tablePart")


@dataclass(frozen=True, slots=True)
class CellArea:
    """Rectangle of cells; rows and columns count from 1."""

    left: int
    top: int
    right: int
    bottom: int

    def has(self, column: int, row: int) -> bool:
        """Return whether the cell is in the area."""
        return self.left <= column <= self.right and self.top <= row <= self.bottom


@dataclass(slots=True)
class SheetAreas:
    """Areas of one worksheet.

    Attributes:
        coloured: cells in them may have another colour than their own. filled: the unfilled ones among them may.
        hiding: formats of cells whose condition always holds, with their areas.
    """

    coloured: list[CellArea] = field(default_factory=list[CellArea])
    filled: list[CellArea] = field(default_factory=list[CellArea])
    hiding: list[tuple[CellArea, ConditionalStyle]] = field(default_factory=list[tuple[CellArea, ConditionalStyle]])

    @property
    def are_too_many(self) -> bool:
        """State of the lists: true when they have more areas than a cell is compared with."""
        return len(self.coloured) + len(self.filled) + len(self.hiding) > _AREAS_MAX


def read_sheet_areas(package: zipfile.ZipFile, path: str, part: bytes, styles: CellStyles) -> SheetAreas:
    """Return the areas of the worksheet at `path`.

    Raises:
        DocumentRefused: see `read_xml`.
    """
    areas = SheetAreas()
    if not any(mark in part for mark in _MARKS):
        return areas
    reader = _Reader(areas, styles)
    parser = expat.ParserCreate(namespace_separator=" ")
    parser.CharacterDataHandler = reader.text
    read_xml(part, reader.start, reader.end, parser)
    for one in relationships(package, path).values():
        if one.kind == "table" and not one.is_external and (content := read_entry(package, one.target)):
            table = parse_xml(content)
            if any(info.get("name") for info in table.iter(f"{_SHEET} tableStyleInfo")):
                areas.filled += areas_of(table.get("ref", ""))
    return areas


class _Reader:
    """Handler of a worksheet's conditions and of the picture behind its cells."""

    def __init__(self, areas: SheetAreas, styles: CellStyles) -> None:
        self._areas = areas
        self._styles = styles
        self._within: list[CellArea] = []
        self._rule: dict[str, str] | None = None
        self._formula: list[str] | None = None

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        name = tag.removeprefix(f"{_SHEET} ")
        if name == "conditionalFormatting":
            self._within = list(areas_of(attributes.get("sqref", "")))
        elif name == "cfRule":
            self._rule, self._formula = attributes, []
        elif name in _COLOURED:
            self._colour()
        elif name == "picture":
            self._areas.filled.append(CellArea(1, 1, _LAST_COLUMN, _LAST_ROW))

    def text(self, data: str) -> None:
        if self._formula is not None:
            self._formula.append(data)

    def end(self, tag: str) -> None:
        if tag != f"{_SHEET} cfRule" or self._rule is None:
            return
        number = self._rule.get("dxfId", "")
        known = self._styles.conditional
        place = int(number) if number.isascii() and number.isdecimal() and len(number) < 8 else len(known)  # noqa: PLR2004
        formula = "".join(self._formula or ()).strip().lstrip("=").replace(" ", "").upper()
        if place < len(known):
            self._add(known[place], is_always=self._rule.get("type") == "expression" and formula in _TRUE)
        self._rule = self._formula = None

    def _colour(self) -> None:
        if not self._areas.are_too_many:
            self._areas.coloured += self._within

    def _add(self, style: ConditionalStyle, *, is_always: bool) -> None:
        if style.is_coloured:
            self._colour()
        if is_always and not self._areas.are_too_many and (style.hides_numbers or style.hides_texts):
            self._areas.hiding += [(area, style) for area in self._within]


def areas_of(references: str) -> Iterator[CellArea]:
    """Yield the areas of references such as "A1:B9 D4 E:F"."""
    for reference in references.split():
        first, _, last = reference.upper().partition(":")
        left, top = _place(first, 1, 1)
        right, bottom = _place(last, _LAST_COLUMN, _LAST_ROW) if last else (left, top)
        yield CellArea(left, top, right, bottom)


def _place(reference: str, column: int, row: int) -> tuple[int, int]:
    found = _REFERENCE.fullmatch(reference)
    if found is None:
        return column, row
    return column_number(found[1]) or column, int(found[2] or row)


def column_number(letters: str) -> int:
    """Return the column's number, such as 28 for "AB"; 0 for no letters."""
    number = 0
    for letter in letters:
        number = number * 26 + ord(letter) - ord("A") + 1
    return number
