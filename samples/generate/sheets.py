"""Manuscripts as workbooks: one sheet for each heading of level 2, its table first and the remarks below."""

import re
from pathlib import Path

from frozen import MOMENT
from manuscript import Block, Paragraph, Part, Table, front, parts
from openpyxl import Workbook
from openpyxl.styles import Alignment, Font, PatternFill
from openpyxl.utils import get_column_letter
from openpyxl.worksheet.worksheet import Worksheet

HEAD_FONT, HEAD_FILL = Font(bold=True, color="FFFFFF"), PatternFill("solid", fgColor="0B5563")
NUMBER = re.compile(r"\d+(\.\d+)?")
WIDEST_COLUMN = 60


def write(blocks: list[Block], target: Path) -> None:
    """Write a manuscript as a workbook; plain figures become numbers, everything else stays text."""
    title, _subtitle, body = front(blocks)
    workbook = Workbook()
    workbook.properties.title, workbook.properties.creator = title, "Weirhaven Instruments B.V."
    workbook.properties.created = MOMENT
    workbook.remove(workbook.worksheets[0])
    for part in parts(body):
        _fill(workbook.create_sheet(part.title), part)
    workbook.save(str(target))


def _fill(sheet: Worksheet, part: Part) -> None:
    for block in part.blocks:
        if isinstance(block, Table):
            _table(sheet, block)
    for block in part.blocks:
        if isinstance(block, Paragraph):
            sheet.append([])
            sheet.append([block.text])
    sheet.freeze_panes = "A2"
    sheet.page_setup.orientation, sheet.page_setup.fitToHeight = "landscape", 0
    sheet.sheet_properties.pageSetUpPr.fitToPage = True


def _table(sheet: Worksheet, table: Table) -> None:
    for row in table.rows:
        sheet.append([_value(text) for text in row])
    for cell in sheet[1]:
        cell.font, cell.fill, cell.alignment = HEAD_FONT, HEAD_FILL, Alignment(wrap_text=True, vertical="top")
    for number, column in enumerate(zip(*table.rows, strict=True), start=1):
        width = min(max(len(text) for text in column) + 3, WIDEST_COLUMN)
        sheet.column_dimensions[get_column_letter(number)].width = width


def _value(text: str) -> str | int | float:
    if not NUMBER.fullmatch(text):
        return text
    return float(text) if "." in text else int(text)
