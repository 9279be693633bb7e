"""One description of a table with spans, and how each format writes it."""

import struct
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape

from tests.readers.office import docx, paragraph, pptx, run
from tests.readers.open_files import epub, open_file
from tests.readers.workbooks import records
from tests.readers.workbooks.sheets import with_sheet


@dataclass(frozen=True)
class Span:
    """A cell with the number of columns and rows that it spans."""

    text: str
    columns: int = 1
    rows: int = 1


@dataclass(frozen=True)
class Grid:
    """Rows of cells without those that a span covers; the first ones are declared as header where a format can."""

    rows: Sequence[Sequence[Span]]
    header_rows: int = 1

    def placed(self) -> Iterator[tuple[int, int, Span]]:
        """Yield each cell with its row and its column."""
        taken: set[tuple[int, int]] = set()
        for y, row in enumerate(self.rows):
            x = 0
            for cell in row:
                while (y, x) in taken:
                    x += 1
                yield y, x, cell
                taken |= {(y + dy, x + dx) for dy in range(cell.rows) for dx in range(cell.columns)}

    def texts(self) -> tuple[tuple[str, ...], ...]:
        """The texts by row and column; the covered places are empty."""
        texts = {(y, x): cell.text for y, x, cell in self.placed()}
        width = max(x + cell.columns for _, x, cell in self.placed())
        return tuple(tuple(texts.get((y, x), "") for x in range(width)) for y in range(len(self.rows)))

    def covered(self) -> dict[tuple[int, int], tuple[int, int, Span]]:
        """Each covered place with the place of its cell."""
        return {
            (y + dy, x + dx): (y, x, cell)
            for y, x, cell in self.placed()
            for dy in range(cell.rows)
            for dx in range(cell.columns)
            if dx or dy
        }


def _tags(grid: Grid, header: str) -> str:
    rows = ""
    for number, row in enumerate(grid.rows):
        tag = header if number < grid.header_rows else "td"
        cells = "".join(
            f'<{tag} colspan="{cell.columns}" rowspan="{cell.rows}">{escape(cell.text)}</{tag}>' for cell in row
        )
        rows += f"<tr>{cells}</tr>"
    return f"<table>{rows}</table>"


def _word(grid: Grid) -> bytes:
    covered, cells = grid.covered(), {(y, x): cell for y, x, cell in grid.placed()}
    rows = ""
    for y, texts in enumerate(grid.texts()):
        row = "<w:tr>" + ("<w:trPr><w:tblHeader/></w:trPr>" if y < grid.header_rows else "")
        for x in range(len(texts)):
            own = cells.get((y, x))
            top, left, cell = covered.get((y, x), (y, x, own or Span("")))
            if x > left:
                continue
            merged = "" if cell.rows == 1 else f'<w:vMerge w:val="{"restart" if y == top else "continue"}"/>'
            text = paragraph(run(own.text if own else ""))
            row += f'<w:tc><w:tcPr><w:gridSpan w:val="{cell.columns}"/>{merged}</w:tcPr>{text}</w:tc>'
        rows += f"{row}</w:tr>"
    return docx(f"<w:tbl>{rows}</w:tbl>")


def _slide(grid: Grid) -> bytes:
    covered, cells = grid.covered(), {(y, x): cell for y, x, cell in grid.placed()}
    rows = ""
    for y, texts in enumerate(grid.texts()):
        rows += "<a:tr>"
        for x in range(len(texts)):
            cell = cells.get((y, x), Span(""))
            spans = f'gridSpan="{cell.columns}" rowSpan="{cell.rows}"'
            if (y, x) in covered:
                top, left, _ = covered[y, x]
                spans = f'hMerge="{int(x > left)}" vMerge="{int(y > top)}"'
            text = f"<a:p><a:r><a:t>{escape(cell.text)}</a:t></a:r></a:p>"
            rows += f"<a:tc {spans}><a:txBody>{text}</a:txBody></a:tc>"
        rows += "</a:tr>"
    table = f"<a:graphic><a:graphicData><a:tbl>{rows}</a:tbl></a:graphicData></a:graphic>"
    return pptx([[f"<p:graphicFrame>{table}</p:graphicFrame>"]], {})


def _open(kind: str) -> Callable[[Grid], bytes]:
    def written(grid: Grid) -> bytes:
        covered, cells = grid.covered(), {(y, x): cell for y, x, cell in grid.placed()}
        rows: list[str] = []
        for y, texts in enumerate(grid.texts()):
            row = ""
            for x in range(len(texts)):
                cell = cells.get((y, x), Span(""))
                spans = "".join(
                    f' table:number-{unit}-spanned="{count}"'
                    for unit, count in (("columns", cell.columns), ("rows", cell.rows))
                    if count > 1
                )
                text = f"<text:p>{escape(cell.text)}</text:p>" if cell.text else ""
                tag = "covered-table-cell" if (y, x) in covered else "table-cell"
                row += f"<table:{tag}{spans}>{text}</table:{tag}>"
            rows.append(f"<table:table-row>{row}</table:table-row>")
        return open_file(kind, f'<table:table table:name="Figures">{"".join(rows)}</table:table>')

    return written


def _xlsx(grid: Grid) -> bytes:
    rows: dict[int, str] = {}
    merged = ""
    for y, x, cell in grid.placed():
        place = f"{chr(65 + x)}{y + 1}"
        rows[y] = rows.get(y, "") + (f'<c r="{place}" t="str"><v>{escape(cell.text)}</v></c>' if cell.text else "")
        if cell.columns * cell.rows > 1:
            merged += f'<mergeCell ref="{place}:{chr(64 + x + cell.columns)}{y + cell.rows}"/>'
    body = "".join(f'<row r="{y + 1}">{row}</row>' for y, row in rows.items())
    return with_sheet(f"<sheetData>{body}</sheetData>" + (f"<mergeCells>{merged}</mergeCells>" if merged else ""))


def _xls(grid: Grid) -> bytes:
    cells = b"".join(records.label(y, x, cell.text) for y, x, cell in grid.placed() if cell.text)
    areas = [
        struct.pack("<HHHH", y, y + cell.rows - 1, x, x + cell.columns - 1)
        for y, x, cell in grid.placed()
        if cell.columns * cell.rows > 1
    ]
    merged = records.record(0xE5, struct.pack("<H", len(areas)) + b"".join(areas)) if areas else b""
    return records.binary_workbook(cells + merged)


def _csv(grid: Grid) -> bytes:
    return "".join(";".join(row) + "\r\n" for row in grid.texts()).encode()


def _markdown(grid: Grid) -> bytes:
    first, *others = (f"| {' | '.join(row)} |\n" for row in grid.texts())
    return f"{first}|{'---|' * len(grid.texts()[0])}\n{''.join(others)}".encode()


WRITERS: Mapping[str, Callable[[Grid], bytes]] = {
    "html": lambda grid: _tags(grid, "th").encode(),
    "epub": lambda grid: epub({"a.xhtml": _tags(grid, "th")}),
    "xml": lambda grid: f"<d><p>Text.</p>{_tags(grid, 'th')}</d>".encode(),
    "docx": _word,
    "odt": _open("text"),
    "pptx": _slide,
    "xlsx": _xlsx,
    "xls": _xls,
    "ods": _open("spreadsheet"),
    "csv": _csv,
    "md": _markdown,
}
"""Content of a file with the table, by its type."""
