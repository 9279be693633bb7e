"""Reader of workbooks (xlsx and its kin): the sheets that a person sees, with the text that each cell shows."""

import zipfile
from dataclasses import dataclass
from typing import Final

from groundwire_readers.containers.zip_package import open_package, read_entry
from groundwire_readers.contents.contents import Contents
from groundwire_readers.contents.parsed import ReadingDefect
from groundwire_readers.readers.office.package_parts import core_properties
from groundwire_readers.readers.office.workbooks.cell_values import CellValues
from groundwire_readers.readers.office.workbooks.listed_sheets import ListedSheet, WorkbookSheets, read_sheets
from groundwire_readers.readers.office.workbooks.rich_texts import shared_texts
from groundwire_readers.readers.office.workbooks.sheet_cells import SheetTexts, read_sheet
from groundwire_readers.readers.office.workbooks.sheet_tables import sheet_blocks
from groundwire_readers.readers.office.workbooks.visibility.cell_styles import CellStyles, read_cell_styles
from groundwire_readers.readers.office.workbooks.visibility.cell_visibility import SheetFormats
from groundwire_readers.readers.office.workbooks.visibility.sheet_areas import read_sheet_areas

_MOST_COUNTED: Final = 100_000
_HIDING_MARKUP: Final = b"conditionalFormatting"


def read(content: bytes) -> Contents:
    """Return the contents of the workbook; its pages are its sheets.

    Raises:
        UnreadableDocument: damaged, encrypted, or more than is safe to unpack.
    """
    with open_package(content) as package:
        book = OpenWorkbook.read(package)
        title, properties = core_properties(package)
        sheets = [(sheet, book.texts_of(sheet)) for sheet in book.sheets.visible]
    blocks = [
        block for sheet, texts in sheets for block in sheet_blocks(sheet.name, sheet.number, texts.rows, texts.labels)
    ]
    return Contents(
        blocks,
        title,
        max((block.page or 0 for block in blocks), default=0),
        properties=properties,
        defects={
            ReadingDefect.HIDDEN_TEXT: sum(texts.hides_any for _, texts in sheets),
            ReadingDefect.UNKNOWN_RESULT: min(sum(texts.unknown_results for _, texts in sheets), _MOST_COUNTED),
        },
    )


@dataclass(frozen=True, slots=True)
class OpenWorkbook:
    """A workbook whose sheets can be read one after the other."""

    package: zipfile.ZipFile
    sheets: WorkbookSheets
    styles: CellStyles
    values: CellValues

    @classmethod
    def read(cls, package: zipfile.ZipFile) -> "OpenWorkbook":
        """Return the workbook of a package.

        Raises:
            UnreadableDocument: damaged.
        """
        sheets, styles = read_sheets(package), read_cell_styles(package)
        texts = shared_texts(read_entry(package, sheets.shared_strings), styles.colours)
        return cls(package, sheets, styles, CellValues(texts, sheets.is_1904))

    def texts_of(self, sheet: ListedSheet) -> SheetTexts:
        """Return what a sheet shows.

        Raises:
            UnreadableDocument: damaged.
        """
        part = read_entry(self.package, sheet.path) if sheet.path else b""
        if not part:
            return SheetTexts()
        areas = read_sheet_areas(self.package, sheet.path, part, self.styles)
        has_fonts = any(not isinstance(text, str) for text in self.values.texts)
        may_hide = self.styles.may_hide_content or has_fonts or _HIDING_MARKUP in part
        return read_sheet(part, SheetFormats(self.styles, areas), self.values, may_hide=may_hide)
