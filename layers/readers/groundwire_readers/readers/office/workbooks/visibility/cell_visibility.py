"""Decision whether a cell's content is visible, from its format, conditional formatting and the fonts of its text."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from groundwire_readers.readers.office.workbooks.visibility.cell_styles import (
    CellFill,
    CellFont,
    CellStyle,
    CellStyles,
    hides_value,
    is_invisible,
)
from groundwire_readers.readers.office.workbooks.visibility.constant_formulas import ConditionTruth
from groundwire_readers.readers.office.workbooks.visibility.sheet_areas import CellCondition, SheetAreas

_NO_STYLE: Final = CellStyle()
_UNKNOWN_FILL: Final = CellFill(None, is_filled=True)
"""Fill of a cell whose background a table style or an image sets."""


@dataclass(frozen=True, slots=True)
class SheetCell:
    """A cell; `style` is the index of its format, `is_text` whether its value is a text, not a number."""

    column: int
    row: int
    style: int
    is_text: bool


@dataclass(frozen=True, slots=True)
class SheetFormats:
    """Formats of one worksheet: cell formats and conditional areas."""

    styles: CellStyles
    areas: SheetAreas

    def style_at(self, index: int) -> CellStyle:
        """Return the format of this index; an unknown index has the format of a plain cell."""
        formats = self.styles.cells
        return formats[index] if index < len(formats) else _NO_STYLE

    def invisible_parts(self, cell: SheetCell, fonts: Sequence[CellFont | None]) -> list[bool]:
        """Return, for each part of the cell's text, whether it is invisible.

        Args:
            cell: a cell in a visible row and column.
            fonts: the font of each part; None for the font of the cell.
        """
        style = self.style_at(cell.style)
        if hides_value(style.code, is_text=cell.is_text):
            return [True] * len(fonts)
        if not self.areas.may_compare(len(fonts)):
            return [True] * len(fonts)
        part_fonts = [font or style.font for font in fonts]
        are_visible = not any(is_invisible(font, style.fill) for font in part_fonts)
        candidates = self.areas.hiding if are_visible else self.areas.conditioned
        if not candidates and are_visible:
            return [False] * len(fonts)
        conditions = self.areas.conditions_at(cell.column, cell.row, candidates)
        if conditions is None:
            return [True] * len(fonts)
        applicable = [condition for condition in conditions if not (cell.is_text and condition.is_for_numbers)]
        return self._invisible_under_conditions(applicable, cell, style, part_fonts)

    def _invisible_under_conditions(
        self, conditions: Sequence[CellCondition], cell: SheetCell, style: CellStyle, fonts: Sequence[CellFont]
    ) -> list[bool]:
        """Return the result of `invisible_parts` for a cell with these conditions, ordered by priority."""
        hiding = [condition.style for condition in conditions if condition.may_hide]
        if any(hides_value(condition.code, is_text=cell.is_text) for condition in hiding):
            return [True] * len(fonts)
        always = [condition.style for condition in conditions if condition.truth is ConditionTruth.ALWAYS]
        fill = next((condition.fill for condition in always if condition.fill is not None), style.fill)
        if not fill.is_filled and self.areas.is_filled(cell.column, cell.row):
            fill = _UNKNOWN_FILL
        first_font = next((condition.font for condition in always if condition.font is not None), None)
        displayed_fonts = [_with_colour_of(first_font, font) for font in fonts]
        return [_is_invisible(font, fill, conditions) for font in displayed_fonts]


def _is_invisible(font: CellFont, fill: CellFill, conditions: Sequence[CellCondition]) -> bool:
    """Return whether text in the font is invisible on the fill, considering conditions that may apply.

    Text that is invisible by default stays hidden unless a condition that depends on cells may make it visible. Text
    that is visible by default is hidden if a constant condition, whose value is not computed, may hide it.
    """
    if font.is_tiny:
        return True
    is_hidden = is_invisible(font, fill)
    deciding = ConditionTruth.SOMETIMES if is_hidden else ConditionTruth.CONSTANT
    displayed = (
        (_with_colour_of(condition.style.font, font), condition.style.fill or fill)
        for condition in conditions
        if condition.truth is deciding
    )
    if is_hidden:
        return all(is_invisible(*pair) for pair in displayed)
    return any(is_invisible(*pair) for pair in displayed)


def _with_colour_of(coloured: CellFont | None, font: CellFont) -> CellFont:
    return font if coloured is None else replace(font, colour=coloured.colour)
