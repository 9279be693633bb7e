"""Areas of a worksheet where cells may look unlike their own format: conditional formatting, tables, images."""

import re
import zipfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from groundwire_readers.containers.xml_tree import parse_xml
from groundwire_readers.containers.zip_package import read_entry
from groundwire_readers.readers.office.package_parts import RELATIONSHIP_NAMESPACE, relationships
from groundwire_readers.readers.office.workbooks.visibility.cell_styles import (
    CellFill,
    CellStyles,
    ConditionalStyle,
    hides_any,
)
from groundwire_readers.readers.office.workbooks.visibility.constant_formulas import ConditionTruth, condition_truth
from groundwire_readers.readers.office.workbooks.xml_events import read_xml

_SHEET: Final = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_PICTURE_ID: Final = f"{RELATIONSHIP_NAMESPACE} id"
_REFERENCE: Final = re.compile(r"\$?([A-Z]{0,3})\$?(\d{0,7})")
_LAST_COLUMN, _LAST_ROW = 16_384, 1_048_576
_MAX_COMPARISONS: Final = 20_000_000
"""Maximum number of comparisons of cells with areas (some seconds); beyond it, content that may be hidden is."""
_FONT_COST: Final = 10
"""Cost of checking one font, in comparisons of a cell with an area."""
_LAST_PRIORITY: Final = 2**31
"""Priority of rules without one: after all others."""
_COLOURING_RULES: Final = ("colorScale", "dataBar")
"""Rules that fill cells with numbers in varying colours."""
_UNKNOWN_FILL: Final = CellFill(None, is_filled=True)
_NUMBER_COLOUR: Final = ConditionalStyle(code=None, font=None, fill=_UNKNOWN_FILL)
_RELEVANT_MARKUP: Final = (b"conditionalFormatting", b"picture", b"tablePart")
_HEADER_FILLING_STYLE: Final = re.compile(r"TableStyle(?:Medium\d{1,2}|Light(?:8|9|1[0-4]))")
_TABLE_FILLING_STYLE: Final = re.compile(r"TableStyleDark\d{1,2}")


@dataclass(frozen=True, slots=True)
class CellArea:
    """Rectangular range of cells; rows and columns count from 1, both ends included."""

    left: int
    top: int
    right: int
    bottom: int

    def contains_cell(self, column: int, row: int) -> bool:
        """Return whether the range contains the cell."""
        return self.left <= column <= self.right and self.top <= row <= self.bottom


@dataclass(frozen=True, slots=True)
class CellCondition:
    """Conditional formatting rule: its format, when it applies, and whether only to numbers (`is_for_numbers`)."""

    style: ConditionalStyle
    truth: ConditionTruth
    priority: int
    is_for_numbers: bool = False

    @property
    def may_hide(self) -> bool:
        """Effect of the rule: true if it may hide all cells of its areas, since it does not depend on them."""
        style = self.style
        is_styled = hides_any(style.code) or style.font is not None or style.fill is not None
        return is_styled and self.truth in (ConditionTruth.ALWAYS, ConditionTruth.CONSTANT)


@dataclass(frozen=True, slots=True)
class ConditionedCells:
    """Areas with the conditional formatting rules of their cells."""

    areas: Sequence[CellArea]
    conditions: Sequence[CellCondition]


@dataclass(slots=True)
class SheetAreas:
    """Areas of one worksheet, with a budget of comparisons.

    Attributes:
        conditioned: areas with conditional formatting.
        hiding: areas with rules that may hide all their cells.
        filled: areas whose unfilled cells have the background of a table or of an image.
        comparisons_left: comparisons that the worksheet may still use.
    """

    conditioned: list[ConditionedCells] = field(default_factory=list[ConditionedCells])
    hiding: list[ConditionedCells] = field(default_factory=list[ConditionedCells])
    filled: list[CellArea] = field(default_factory=list[CellArea])
    comparisons_left: int = _MAX_COMPARISONS

    def conditions_at(self, column: int, row: int, groups: Sequence[ConditionedCells]) -> list[CellCondition] | None:
        """Return the rules of a cell by priority; None if the budget of comparisons is used up."""
        conditions: list[CellCondition] = []
        for group in groups:
            if self._is_in(group.areas, column, row):
                self.comparisons_left -= len(group.conditions)
                conditions += group.conditions
        if self.comparisons_left < 0:
            return None
        return sorted(conditions, key=lambda condition: condition.priority)

    def may_compare(self, fonts: int) -> bool:
        """Return whether the budget allows checking so many fonts of a text; a single font always is."""
        self.comparisons_left -= _FONT_COST * (fonts - 1)
        return fonts == 1 or self.comparisons_left >= 0

    def is_filled(self, column: int, row: int) -> bool:
        """Return whether an unfilled cell has the background of a table or of an image."""
        return self._is_in(self.filled, column, row)

    def _is_in(self, areas: Sequence[CellArea], column: int, row: int) -> bool:
        self.comparisons_left -= len(areas)
        return self.comparisons_left >= 0 and any(area.contains_cell(column, row) for area in areas)


def read_sheet_areas(package: zipfile.ZipFile, path: str, part: bytes, styles: CellStyles) -> SheetAreas:
    """Return the areas of the worksheet at `path`.

    Raises:
        UnreadableDocument: see `read_xml`.
    """
    areas = SheetAreas()
    if not any(mark in part for mark in _RELEVANT_MARKUP):
        return areas
    related = relationships(package, path)
    targets = {name: relationship.target for name, relationship in related.items() if not relationship.is_external}
    pictures = {
        name for name, target in targets.items() if related[name].kind == "image" and read_entry(package, target)
    }
    reader = _Reader(areas, styles, pictures)
    read_xml(part, reader.start, reader.end, reader.text)
    for name, target in targets.items():
        if related[name].kind == "table" and (content := read_entry(package, target)):
            areas.filled += _filled_areas(content, styles)
    return areas


def _filled_areas(content: bytes, styles: CellStyles) -> Iterator[CellArea]:
    """Yield the areas of a table that its style fills: the header row, or the whole table."""
    table = parse_xml(content)
    names = {info.get("name", "") for info in table.iter(f"{_SHEET} tableStyleInfo")}
    for area in areas_of(table.get("ref", "")):
        if any(_TABLE_FILLING_STYLE.fullmatch(name) or name in styles.filled_tables for name in names):
            yield area
        elif table.get("headerRowCount") != "0" and any(map(_HEADER_FILLING_STYLE.fullmatch, names)):
            yield CellArea(area.left, area.top, area.right, area.top)


class _Reader:
    """Handler of the conditional formatting and the background image of a worksheet."""

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
        # Colour scales and data bars apply only to numbers.
        elif name in _COLOURING_RULES and self._rule is not None:
            self._conditions.append(
                CellCondition(_NUMBER_COLOUR, ConditionTruth.SOMETIMES, _LAST_PRIORITY, is_for_numbers=True)
            )
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
        formats = self._styles.conditional
        index = _number(rule.get("dxfId", ""), len(formats))
        if index < len(formats):
            is_expression = rule.get("type") == "expression"
            truth = condition_truth("".join(self._formula)) if is_expression else ConditionTruth.SOMETIMES
            self._conditions.append(
                CellCondition(formats[index], truth, _number(rule.get("priority", ""), _LAST_PRIORITY))
            )


def areas_of(references: str) -> Iterator[CellArea]:
    """Yield the areas of a list of references such as "A1:B9 D4 E:F"."""
    for reference in references.split():
        first, _, last = reference.upper().partition(":")
        left, top = _cell_of(first, 1, 1)
        right, bottom = _cell_of(last, _LAST_COLUMN, _LAST_ROW) if last else (left, top)
        yield CellArea(left, top, right, bottom)


def _cell_of(reference: str, column: int, row: int) -> tuple[int, int]:
    match = _REFERENCE.fullmatch(reference)
    if match is None:
        return column, row
    # `E:F` has no rows and `3:7` no columns: such areas extend to the end of the sheet.
    return column_number(match[1]) or column, int(match[2] or row)


def column_number(letters: str) -> int:
    """Return the number of a column, such as 28 for "AB"; 0 without letters."""
    number = 0
    for letter in letters:
        number = number * 26 + ord(letter) - ord("A") + 1
    return number


def _number(text: str, default: int) -> int:
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 8 else default  # noqa: PLR2004
