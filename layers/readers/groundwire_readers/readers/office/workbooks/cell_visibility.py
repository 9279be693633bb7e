"""Visibility of what is in a cell: its format, the conditions that hold for it, and the fonts of its text."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from groundwire_readers.readers.office.workbooks.cell_styles import (
    CellFill,
    CellFont,
    CellStyle,
    CellStyles,
    is_unseen,
)
from groundwire_readers.readers.office.workbooks.constant_formulas import Holding
from groundwire_readers.readers.office.workbooks.rich_texts import SharedTexts
from groundwire_readers.readers.office.workbooks.sheet_areas import CellCondition, SheetAreas

_NO_STYLE: Final = CellStyle()
_UNKNOWN_FILL: Final = CellFill(None, is_filled=True)


@dataclass(frozen=True, slots=True)
class SheetCell:
    """A cell; `style` is the number of its format, `is_text` whether it holds a text."""

    column: int
    row: int
    style: int
    is_text: bool


@dataclass(frozen=True, slots=True)
class SheetLook:
    """Look of the cells of a sheet."""

    styles: CellStyles
    areas: SheetAreas
    texts: SharedTexts

    def unseen(self, cell: SheetCell, fonts: Sequence[CellFont | None]) -> list[bool]:
        """Return for each part of the cell's text whether nobody sees it.

        Args:
            cell: the cell, in a visible row and column.
            fonts: fonts of the parts; None for that of the cell.
        """
        known = self.styles.cells
        style = known[cell.style] if cell.style < len(known) else _NO_STYLE
        if style.hides_texts if cell.is_text else style.hides_numbers:
            return [True] * len(fonts)
        if not self.areas.may_compare(len(fonts)):
            return [True] * len(fonts)
        own = [font or style.font for font in fonts]
        is_plain = not any(is_unseen(font, style.fill) for font in own)
        groups = self.areas.hiding if is_plain else self.areas.conditioned
        if not groups and is_plain:
            return [False] * len(fonts)
        conditions = self.areas.conditions_at(cell.column, cell.row, groups)
        if conditions is None:
            return [True] * len(fonts)
        held = [one for one in conditions if not (cell.is_text and one.is_of_figures)]
        return self._unseen_under(held, cell, style, own)

    def _unseen_under(
        self, conditions: Sequence[CellCondition], cell: SheetCell, style: CellStyle, fonts: Sequence[CellFont]
    ) -> list[bool]:
        """Return what `unseen` does for a cell with these conditions, the first one first."""
        hiding = [one.style for one in conditions if one.may_hide]
        if any(one.hides_texts if cell.is_text else one.hides_numbers for one in hiding):
            return [True] * len(fonts)
        always = [one.style for one in conditions if one.holding is Holding.ALWAYS]
        fill = next((one.fill for one in always if one.fill is not None), style.fill)
        if not fill.is_filled and self.areas.is_filled(cell.column, cell.row):
            fill = _UNKNOWN_FILL
        first = next((one.font for one in always if one.font is not None), None)
        shown = [_with_colour_of(first, font) for font in fonts]
        return [_is_unseen(font, fill, conditions) for font in shown]


def _is_unseen(font: CellFont, fill: CellFill, conditions: Sequence[CellCondition]) -> bool:
    if font.is_tiny:
        return True
    is_hidden = is_unseen(font, fill)
    deciding = Holding.SOMETIMES if is_hidden else Holding.CONSTANT
    looks = (
        (_with_colour_of(one.style.font, font), one.style.fill or fill) for one in conditions if one.holding is deciding
    )
    # Text in the colour of its ground is seen at times if any condition gives it another look.
    if is_hidden:
        return all(is_unseen(*look) for look in looks)
    return any(is_unseen(*look) for look in looks)


def _with_colour_of(other: CellFont | None, font: CellFont) -> CellFont:
    return font if other is None else CellFont(other.colour, font.is_tiny)
