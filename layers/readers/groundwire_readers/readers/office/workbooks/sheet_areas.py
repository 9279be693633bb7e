"""Areas of a worksheet whose cells look otherwise than their own formats: under a condition, or in a table."""

import re
import zipfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final
from xml.parsers import expat

from groundwire_readers.containers.xml_tree import parse_xml
from groundwire_readers.containers.zip_package import read_entry
from groundwire_readers.readers.office.package_parts import RELATIONSHIP_NAMESPACE, relationships
from groundwire_readers.readers.office.workbooks.cell_styles import CellFill, CellStyles, ConditionalStyle
from groundwire_readers.readers.office.workbooks.constant_formulas import Holding, holding_of
from groundwire_readers.readers.office.workbooks.hidden_ranges import read_xml

_SHEET: Final = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_PICTURE_ID: Final = f"{RELATIONSHIP_NAMESPACE} id"
_REFERENCE: Final = re.compile(r"\$?([A-Z]{0,3})\$?(\d{0,7})")
_LAST_COLUMN, _LAST_ROW = 16_384, 1_048_576
_COMPARISONS_MAX: Final = 20_000_000
"""Maximum number of comparisons of cells with areas, some seconds; beyond it, what any of them may hide is hidden."""
_FONT_COST: Final = 10
"""Time to judge one font, as a multiple of that of a comparison with an area."""
_LAST: Final = 2**31
_COLOURED: Final = ("colorScale", "dataBar")
_UNKNOWN_FILL: Final = CellFill(None, is_filled=True)
_FIGURE_COLOUR: Final = ConditionalStyle(hides_numbers=False, hides_texts=False, font=None, fill=_UNKNOWN_FILL)
_MARKS: Final = (b"conditionalFormatting", b"picture", b"tablePart")
_HEADED_TABLE: Final = re.compile(r"TableStyle(?:Medium\d{1,2}|Light(?:8|9|1[0-4]))")
_FILLED_TABLE: Final = re.compile(r"TableStyleDark\d{1,2}")


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


@dataclass(frozen=True, slots=True)
class CellCondition:
    """Format that cells have while a condition holds; `is_of_figures` is whether only numbers have it."""

    style: ConditionalStyle
    holding: Holding
    priority: int
    is_of_figures: bool = False

    @property
    def may_hide(self) -> bool:
        """State of the condition: true when it may hide what is in every cell of its areas."""
        style = self.style
        is_styled = style.hides_numbers or style.hides_texts or style.font is not None or style.fill is not None
        return is_styled and self.holding in (Holding.ALWAYS, Holding.CONSTANT)


@dataclass(frozen=True, slots=True)
class ConditionedCells:
    """Areas with the conditions of their cells."""

    areas: Sequence[CellArea]
    conditions: Sequence[CellCondition]


@dataclass(slots=True)
class SheetAreas:
    """Areas of one worksheet.

    Attributes:
        conditioned: those with conditions. hiding: the ones among them of which a condition may hide all cells.
        filled: unfilled cells in them have the ground of a table or of a picture.
    """

    conditioned: list[ConditionedCells] = field(default_factory=list[ConditionedCells])
    hiding: list[ConditionedCells] = field(default_factory=list[ConditionedCells])
    filled: list[CellArea] = field(default_factory=list[CellArea])
    comparisons_left: int = _COMPARISONS_MAX

    def conditions_at(self, column: int, row: int, groups: Sequence[ConditionedCells]) -> list[CellCondition] | None:
        """Return the conditions of a cell, the first one first; None when too many areas were compared."""
        found: list[CellCondition] = []
        for group in groups:
            if self._is_in(group.areas, column, row):
                self.comparisons_left -= len(group.conditions)
                found += group.conditions
        if self.comparisons_left < 0:
            return None
        return sorted(found, key=lambda condition: condition.priority)

    def may_compare(self, fonts: int) -> bool:
        """Return whether so many fonts of a text may be compared with its ground; one font always may."""
        self.comparisons_left -= _FONT_COST * (fonts - 1)
        return fonts == 1 or self.comparisons_left >= 0

    def is_filled(self, column: int, row: int) -> bool:
        """Return whether an unfilled cell has the ground of a table or of a picture."""
        return self._is_in(self.filled, column, row)

    def _is_in(self, areas: Sequence[CellArea], column: int, row: int) -> bool:
        self.comparisons_left -= len(areas)
        return self.comparisons_left >= 0 and any(area.has(column, row) for area in areas)


def read_sheet_areas(package: zipfile.ZipFile, path: str, part: bytes, styles: CellStyles) -> SheetAreas:
    """Return the areas of the worksheet at `path`.

    Raises:
        UnreadableDocument: see `read_xml`.
    """
    areas = SheetAreas()
    if not any(mark in part for mark in _MARKS):
        return areas
    related = relationships(package, path)
    own = {name: one.target for name, one in related.items() if not one.is_external}
    pictures = {name for name, target in own.items() if related[name].kind == "image" and read_entry(package, target)}
    reader = _Reader(areas, styles, pictures)
    parser = expat.ParserCreate(namespace_separator=" ")
    parser.CharacterDataHandler = reader.text
    read_xml(part, reader.start, reader.end, parser)
    for name, target in own.items():
        if related[name].kind == "table" and (content := read_entry(package, target)):
            areas.filled += _filled_areas(content, styles)
    return areas


def _filled_areas(content: bytes, styles: CellStyles) -> Iterator[CellArea]:
    """Yield the areas of a table that its style fills: its first row, or all of it."""
    table = parse_xml(content)
    names = {info.get("name", "") for info in table.iter(f"{_SHEET} tableStyleInfo")}
    for area in areas_of(table.get("ref", "")):
        if any(_FILLED_TABLE.fullmatch(name) or name in styles.filled_tables for name in names):
            yield area
        elif table.get("headerRowCount") != "0" and any(map(_HEADED_TABLE.fullmatch, names)):
            yield CellArea(area.left, area.top, area.right, area.top)


class _Reader:
    """Handler of a worksheet's conditions and of the picture behind its cells."""

    def __init__(self, areas: SheetAreas, styles: CellStyles, pictures: set[str]) -> None:
        self._areas = areas
        self._styles = styles
        self._pictures = pictures
        self._within: list[CellArea] = []
        self._conditions: list[CellCondition] = []
        self._rule: dict[str, str] | None = None
        self._formula: list[str] = []

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        name = tag.removeprefix(f"{_SHEET} ")
        if name == "conditionalFormatting":
            self._within, self._conditions = list(areas_of(attributes.get("sqref", ""))), []
        elif name == "cfRule":
            self._rule, self._formula = attributes, []
        # Scales and bars colour cells with numbers alone.
        elif name in _COLOURED and self._rule is not None:
            self._conditions.append(CellCondition(_FIGURE_COLOUR, Holding.SOMETIMES, _LAST, is_of_figures=True))
        elif name == "picture" and attributes.get(_PICTURE_ID) in self._pictures:
            self._areas.filled.append(CellArea(1, 1, _LAST_COLUMN, _LAST_ROW))

    def text(self, data: str) -> None:
        if self._rule is not None:
            self._formula.append(data)

    def end(self, tag: str) -> None:
        if tag == f"{_SHEET} cfRule" and self._rule is not None:
            self._end_rule(self._rule)
            self._rule = None
        elif tag == f"{_SHEET} conditionalFormatting" and self._conditions:
            group = ConditionedCells(self._within, self._conditions)
            self._areas.conditioned.append(group)
            hiding = [condition for condition in group.conditions if condition.may_hide]
            self._areas.hiding += [ConditionedCells(group.areas, hiding)] if hiding else []

    def _end_rule(self, rule: dict[str, str]) -> None:
        known = self._styles.conditional
        place = _number(rule.get("dxfId", ""), len(known))
        if place < len(known):
            is_expression = rule.get("type") == "expression"
            holding = holding_of("".join(self._formula)) if is_expression else Holding.SOMETIMES
            self._conditions.append(CellCondition(known[place], holding, _number(rule.get("priority", ""), _LAST)))


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
    # `E:F` has no rows and `3:7` no columns: such areas reach to the end of the sheet.
    return column_number(found[1]) or column, int(found[2] or row)


def column_number(letters: str) -> int:
    """Return the column's number, such as 28 for "AB"; 0 for no letters."""
    number = 0
    for letter in letters:
        number = number * 26 + ord(letter) - ord("A") + 1
    return number


def _number(text: str, default: int) -> int:
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 8 else default  # noqa: PLR2004
