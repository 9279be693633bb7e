"""A sheet is divided into its tables, each with its own header and caption, in every format of sheets."""

import struct
from collections.abc import Callable, Sequence

import pytest

from groundwire_readers import WorkerParser
from groundwire_readers.contents.parsed import Block
from groundwire_readers.dispatch import read_document
from tests.readers.open_files import open_file, table
from tests.readers.steps import MOST_GROWTH
from tests.readers.workbooks import records
from tests.readers.workbooks.sheets import Cell, with_sheet, workbook
from tests.support.documents.step_count import growth_of_steps

_Rows = Sequence[Sequence[str]]


def _csv(rows: _Rows) -> bytes:
    return "".join(";".join(row) + "\r\n" for row in rows).encode()


def _xlsx(rows: _Rows) -> bytes:
    return workbook([[Cell(text) for text in row] for row in rows])


def _xls(rows: _Rows) -> bytes:
    cells = (records.label(y, x, text) for y, row in enumerate(rows) for x, text in enumerate(row) if text)
    return records.binary_workbook(b"".join(cells))


def _ods(rows: _Rows) -> bytes:
    return open_file("spreadsheet", table("Figures", [list(row) for row in rows]))


_FORMATS: dict[str, Callable[[_Rows], bytes]] = {"xlsx": _xlsx, "xls": _xls, "csv": _csv, "ods": _ods}


@pytest.fixture(params=_FORMATS)
def file_type(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def _tables(parser: WorkerParser, file_type: str, rows: _Rows) -> list[Block]:
    return [block for block in parser.parse(_FORMATS[file_type](rows), file_type).blocks if block.text != "Figures"]


_STOCK = [["Code", "Name"], ["A0", "Alpha"], ["A1", "Beta"]]
_STAFF = [["Contact", "Phone"], ["Ann Lee", "555-0101"], ["Bob Roe", "555-0102"]]
_ROOMS = [["Guest", "Host"], ["Cid Fox", "Ann Lee"], ["Dan Orr", "Bob Roe"]]


def _as_rows(rows: _Rows) -> tuple[tuple[str, ...], ...]:
    return tuple(map(tuple, rows))


@pytest.mark.parametrize("below", [[[], *_STAFF], [[], [], *_STAFF], [[], [], *_ROOMS]])
def test_tables_apart_by_empty_rows_have_their_own_headers(parser: WorkerParser, file_type: str, below: _Rows) -> None:
    names = [row for row in below if row]
    found = _tables(parser, file_type, [*_STOCK, *below])
    assert [block.rows for block in found] == [_as_rows(_STOCK), _as_rows(names)]


@pytest.mark.parametrize(
    "below",
    [
        [[], ["A2", "Gamma"], ["A3", "Delta"]],
        [[], [], ["A2", "Gamma"], ["A3", "Delta"]],
        [[], ["Group of spares"], ["A2", "Gamma"], ["A3", "Delta"]],
        [[], ["Group of spares"], [], ["A2", "Gamma"], ["A3", "Delta"]],
    ],
)
def test_an_empty_row_within_a_table_keeps_its_header(parser: WorkerParser, file_type: str, below: _Rows) -> None:
    (found,) = _tables(parser, file_type, [*_STOCK, *below])
    assert found.rows == _as_rows([[*row, ""][:2] for row in [*_STOCK, *below] if row])


def test_tables_side_by_side_are_read_one_after_the_other(parser: WorkerParser, file_type: str) -> None:
    left = [["Item", "Shelf"], ["hinge", "upper"], ["bolt", "lower"], ["nut", "lower"]]
    right = [["Contact", "Room"], ["Ann Lee", "east"], ["Bob Roe", "west"]]
    rows = [[*one, "", *other] for one, other in zip(left, [*right, ["", ""]], strict=True)]
    assert [block.rows for block in _tables(parser, file_type, rows)] == [_as_rows(left), _as_rows(right)]


def test_an_empty_column_before_figures_divides_no_table(parser: WorkerParser, file_type: str) -> None:
    rows = [["Revenue of", "Region", "", "First half", "Second half"], ["pumps", "north", "", "12.5", "13.5"]]
    rows += [["valves", "south", "", "10.5", "11.5"]]
    (found,) = _tables(parser, file_type, rows)
    assert found.rows[1] == ("pumps", "north", "12.5", "13.5")


@pytest.mark.parametrize("gap", [[], [[]], [[], []]])
def test_lines_above_the_names_of_columns_are_the_caption(parser: WorkerParser, file_type: str, gap: _Rows) -> None:
    lines = [["Stock list, depot north"], ["printed on 3 May"]]
    (found,) = _tables(parser, file_type, [*lines, *gap, *_STOCK])
    assert (found.caption, found.rows) == ("Stock list, depot north\nprinted on 3 May", _as_rows(_STOCK))


def test_lines_below_a_table_are_paragraphs_after_it(parser: WorkerParser, file_type: str) -> None:
    found = _tables(parser, file_type, [*_STOCK, [], ["Figures are net."]])
    assert [block.text for block in found[1:]] == ["Figures are net."]
    assert found[0].rows == _as_rows(_STOCK)


_SPANNED = [["Depot", "Part"], ["Kiel", "WX 4400"], ["", "WX 4401"], ["", "WX 4402"], ["Aarau", "WX 4403"]]


def test_a_cell_that_spans_rows_is_a_label_of_them(parser: WorkerParser) -> None:
    area = records.record(0xE5, struct.pack("<HHHHHHHHH", 2, 1, 3, 0, 0, 9, 9, 0, 5))
    filled = [(y, x, text) for y, row in enumerate(_SPANNED) for x, text in enumerate(row) if text]
    body = "".join(_row(y + 1, _text(f"{chr(65 + x)}{y + 1}", text)) for y, x, text in filled)
    merged = f'<sheetData>{body}</sheetData><mergeCells><mergeCell ref="A2:A4"/><mergeCell ref="B1:C1"/></mergeCells>'
    binary = records.binary_workbook(b"".join([*(records.label(*cell) for cell in filled), area]))
    open_table = table("Figures", _SPANNED).replace(
        "<table:table-cell><text:p>Kiel", '<table:table-cell table:number-rows-spanned="3"><text:p>Kiel'
    )
    contents = {"xlsx": with_sheet(merged), "xls": binary, "ods": open_file("spreadsheet", open_table)}
    for file_type, content in contents.items():
        found = parser.parse(content, file_type).blocks[1]
        assert (found.rows, found.labels) == (_as_rows(_SPANNED), ((1, 0, 4),))


@pytest.mark.parametrize("line", ["sep=;\n", "sep=;\r\n", '"sep=;"\n', "SEP=;\n", "\ufeffsep=;\n"])
def test_the_line_that_declares_the_separator_is_no_row(parser: WorkerParser, line: str) -> None:
    content = f"{line}site, part;stock\nKiel, WX;0\nKiel, WY;1\n".encode()
    assert parser.parse(content, "csv").blocks[0].rows == (
        ("site, part", "stock"),
        ("Kiel, WX", "0"),
        ("Kiel, WY", "1"),
    )


@pytest.mark.parametrize(
    ("text", "row"),
    [
        ("a;b\n1,5;2,5\n3,5;4,5\n", ("1,5", "2,5")),
        ("a|b|c\nx, y|2|3\n", ("x, y", "2", "3")),
        ("a\tb\nx, y; z\t2\n", ("x, y; z", "2")),
        ('a,b\n"x\ny; z",2\n', ("x y; z", "2")),
        ("Stock list, depot\n\nItem;Shelf\nbolt;A\n", ("bolt", "A")),
    ],
)
def test_cells_are_apart_by_the_separator_of_most_lines(parser: WorkerParser, text: str, row: Sequence[str]) -> None:
    assert parser.parse(text.encode(), "csv").blocks[0].rows[1] == row


def _text(place: str, text: str) -> str:
    return f'<c r="{place}" t="str"><v>{text}</v></c>'


def _row(number: int, *cells: str) -> str:
    return f'<row r="{number}">{"".join(cells)}</row>'


_SHAPES: dict[str, Callable[[int], str]] = {
    "one cell in each column": lambda size: "".join(
        _row(n, _text(f"{_letters(n)}{n}", f"word {n}"), _text(f"A{n}", "1")) for n in range(1, size)
    ),
    "an empty row after each": lambda size: "".join(
        _row(2 * n, _text(f"A{n}", f"word {n}"), _text(f"B{n}", f"other {n}")) for n in range(1, size)
    ),
    "an empty column after each": lambda size: "".join(
        _row(y, *(_text(f"{_letters(2 * n)}{y}", f"{y} of {n}") for n in range(1, size))) for y in range(1, 9)
    ),
    "lines of one cell": lambda size: "".join(_row(2 * n, f"<c><v>{n}</v></c>") for n in range(1, size)),
}


def _letters(number: int) -> str:
    return (_letters((number - 1) // 26) if number > 26 else "") + chr(65 + (number - 1) % 26)


@pytest.mark.parametrize("shape", _SHAPES.values(), ids=_SHAPES)
def test_sheets_are_divided_in_linear_time(shape: Callable[[int], str]) -> None:
    def work(size: int) -> Callable[[], object]:
        content = with_sheet(f"<sheetData>{shape(size)}</sheetData>")
        return lambda: read_document(content, "xlsx")

    # Up to a million places, a grid may be far larger than its cells.
    assert growth_of_steps(work, 1_100, 3_300) < MOST_GROWTH
