"""Cells of workbooks: each shows what the program shows, once, at its place."""

import struct
from collections.abc import Sequence

import pytest

from groundwire_readers import UnreadableDocument, WorkerParser
from groundwire_readers.contents.parsed import ParsedDocument, ReadingDefect
from tests.readers.compound_files import compound
from tests.readers.office import xlsx
from tests.readers.workbooks import records
from tests.readers.workbooks.sheets import with_sheet

_ERRORS = ("#NULL!", "#DIV/0!", "#VALUE!", "#REF!", "#NAME?", "#NUM!", "#N/A")
_ERROR_NUMBERS = (0x00, 0x07, 0x0F, 0x17, 0x1D, 0x24, 0x2A)


def _rows(document: ParsedDocument) -> tuple[tuple[str, ...], ...]:
    (table,) = [block for block in document.blocks if block.rows]
    return table.rows


def _sheet(parser: WorkerParser, *cells: str) -> ParsedDocument:
    return parser.parse(with_sheet(f"<sheetData><row>{''.join(cells)}</row></sheetData>"), "xlsx")


def test_errors_and_truth_values_are_as_the_program_shows_them(parser: WorkerParser) -> None:
    cells = [f'<c t="e"><v>{error}</v></c>' for error in _ERRORS]
    document = _sheet(parser, *cells, '<c t="b"><v>1</v></c>', '<c t="b"><f>1=2</f><v>0</v></c>')
    assert _rows(document) == ((*_ERRORS, "TRUE", "FALSE"),)


def test_values_of_other_types_are_read(parser: WorkerParser) -> None:
    cells = (
        '<c t="d"><v>2024-02-03T14:30:00</v></c>',
        '<c t="str"><f>A1</f><v>made _x0041_</v></c>',
        '<c t="inlineStr"><is><r><t>rich </t></r><r><rPr><b/></rPr><t>text</t></r><rPh><t>kana</t></rPh></is></c>',
        "<c><v>no number</v></c>",
        '<c t="s"><v>7</v></c>',
        '<c r="B1" t="str"><v>again</v></c>',
    )
    assert _rows(_sheet(parser, *cells)) == (("2024-02-03 14:30:00", "again", "rich text", "no number"),)


def test_a_formula_without_a_stored_result_is_a_counted_defect(parser: WorkerParser) -> None:
    cells = ("<c><v>2</v></c>", "<c><f>A1*2</f></c>", "<c><f>A1*3</f><v/></c>", '<c t="str"><f>""</f><v></v></c>')
    document = _sheet(parser, *cells)
    assert document.defects == {ReadingDefect.UNKNOWN_RESULT: 2}
    assert [block.text for block in document.blocks] == ["Figures", "2"]


def test_a_sheet_has_its_number_though_an_empty_one_is_before_it(parser: WorkerParser) -> None:
    document = parser.parse(xlsx({"Empty": [], "Stock": [["a", "b"]]}), "xlsx")
    assert [(block.page, block.text) for block in document.blocks] == [(2, "Stock"), (2, "a | b")]


def test_cells_of_a_binary_workbook_show_what_the_program_shows(parser: WorkerParser) -> None:
    codes = ["0.0%", '0.0 "mm"', "yyyy-mm-dd", '"no. "@']
    whole, hundredth = (37 << 2) | 2, (1234 << 2) | 3
    short = struct.unpack("<Q", struct.pack("<d", 0.5))[0] >> 32
    several = struct.pack("<HH", 1, 0) + b"".join(
        struct.pack("<HI", style, value)
        for style, value in ((2, whole), (0, hundredth), (1, short), (0, (2**30 - 5) << 2 | 2))
    )
    cells = (
        records.number(0, 0, 0.182, 1)
        + records.number(0, 1, 45325.0, 3)
        + records.label(0, 2, "wörd")
        + records.record(0xBD, several + struct.pack("<H", 3))
        + records.record(0x027E, records.place(2, 0, 2) + struct.pack("<I", whole))
        + records.formula(2, 1, struct.pack("<d", 0.25), 1)
        + records.formula(2, 2, b"\0" * 6 + b"\xff\xff")
        + records.text_result("made")
        + records.formula(2, 3, b"\1\0\1\0\0\0\xff\xff")
        + b"".join(
            records.record(0x0205, records.place(3, at) + bytes([code, 1])) for at, code in enumerate(_ERROR_NUMBERS)
        )
    )
    rows = _rows(parser.parse(records.binary_workbook(cells, codes), "xls"))
    assert [row[:4] for row in rows] == [
        ("18.2%", "2024-02-03", "wörd", ""),
        ("37.0 mm", "12.34", "50.0%", "-5"),
        ("37.0 mm", "25.0%", "made", "TRUE"),
        _ERRORS[:4],
    ]
    assert rows[3] == _ERRORS


def _font(flags: int = 0, position: int = 0, name: bytes = b"Arial") -> bytes:
    fixed = struct.pack("<HHHHHBBBB", 200, flags, 0, 400, position, 0, 0, 0, 0)
    return records.record(0x31, fixed + bytes([len(name), 0]) + name)


def _rich(text: bytes, runs: Sequence[tuple[int, int]]) -> bytes:
    """Shared strings with one text, whose runs have a start and the number of a font."""
    rich = struct.pack("<HBH", len(text), 8, len(runs)) + text + b"".join(struct.pack("<HH", *run) for run in runs)
    return records.record(0xFC, struct.pack("<II", 1, 1) + rich)


def test_runs_of_a_binary_workbook_are_struck_and_raised_as_people_see_them(parser: WorkerParser) -> None:
    # No font has the number 4, so that the fifth one has 5.
    fonts = _font() + _font(flags=8) + _font(position=1) + _font(name=b"Wingdings") + _font(position=2)
    text, runs = b"1821 EUR2H3", ((0, 1), (2, 0), (8, 2), (9, 0), (10, 5))
    shared = _rich(text, runs)
    styles = records.record(0xE0, struct.pack("<HH16x", 3, 0)) + records.record(0xE0, struct.pack("<HH16x", 1, 0))
    cells = (
        records.record(0xFD, records.place(0, 0) + bytes(4))
        + records.label(0, 1, "\u00fc")
        + records.label(0, 2, "gone")
        + records.label(0, 3, "kept")
    )
    cells = cells.replace(records.place(0, 1), records.place(0, 1, 1)).replace(
        records.place(0, 2), records.place(0, 2, 2)
    )
    # The formats of cells follow the first one, which the workbook has of its own.
    book = records.binary_workbook(
        cells, more=fonts + shared + records.record(0xE0, struct.pack("<HH16x", 0, 0)) + styles
    )
    assert _rows(parser.parse(book, "xls")) == (("21 EUR^2 H3", "✓", "kept"),)


def test_runs_of_a_binary_workbook_that_go_back_repeat_no_text(parser: WorkerParser) -> None:
    cells = records.record(0xFD, records.place(0, 0) + bytes(4)) + records.label(0, 1, "x")
    book = records.binary_workbook(cells, more=_font() + _rich(b"abcdefgh", [(5, 0), (0, 0), (5, 0), (0, 0)]))
    assert _rows(parser.parse(book, "xls")) == (("abcdefgh", "x"),)


def test_the_text_of_a_formula_of_a_binary_workbook_may_be_one_letter(parser: WorkerParser) -> None:
    awaited = b"\0\0\0\0\0\0\xff\xff"
    cells = (
        records.formula(0, 0, awaited)
        + records.record(0x0207, b"\1\0\0A")
        + records.formula(0, 1, awaited)
        + records.record(0x0207, b"\2\0\0No")
    )
    assert _rows(parser.parse(records.binary_workbook(cells), "xls")) == (("A", "No"),)


def test_shared_texts_of_a_binary_workbook_go_on_in_the_next_record(parser: WorkerParser) -> None:
    texts = ["plain", "with *runs", "halves of |漢字 |here", "last"]
    cells = b"".join(records.record(0xFD, records.place(at, 0) + struct.pack("<I", at)) for at in range(len(texts) + 1))
    rows = _rows(parser.parse(records.binary_workbook(cells, shared=texts), "xls"))
    assert rows == (("plain",), ("with runs",), ("halves of 漢字 here",), ("last",))


def test_hidden_rows_and_columns_of_a_binary_workbook_are_left_out(parser: WorkerParser) -> None:
    hidden = records.record(0x7D, struct.pack("<HHHHHH", 1, 1, 0, 0, 1, 0))
    hidden += records.record(0x0208, struct.pack("<HHHHHHI", 1, 0, 3, 0, 0, 0, 0x20))
    cells = b"".join(records.label(row, column, f"{row}{column}") for row in range(3) for column in range(3))
    assert _rows(parser.parse(records.binary_workbook(hidden + cells), "xls")) == (("00", "02"), ("20", "22"))


def test_charts_within_a_binary_sheet_end_before_it_does(parser: WorkerParser) -> None:
    chart = records.record(0x0809, bytes(16)) + records.number(0, 0, 9) + records.record(0x0A)
    cells = records.label(0, 0, "before") + chart + records.label(0, 1, "after")
    assert _rows(parser.parse(records.binary_workbook(cells), "xls")) == (("before", "after"),)


def test_workbooks_from_before_excel_97_have_texts_in_their_code_page(parser: WorkerParser) -> None:
    code_page = records.record(0x42, struct.pack("<H", 1251))
    cells = records.label(0, 0, "Курс", is_unicode=False) + records.number(0, 1, 0.5, 1)
    book = records.binary_workbook(cells, ["0%"], is_unicode=False, more=code_page)
    assert _rows(parser.parse(book, "xls")) == (("Курс", "50%"),)


def test_days_of_a_binary_workbook_may_count_from_1904(parser: WorkerParser) -> None:
    cells = records.number(0, 0, 0, 1) + records.label(0, 1, "x")
    book = records.binary_workbook(cells, ["yyyy-mm-dd"], is_1904=True)
    assert _rows(parser.parse(book, "xls")) == (("1904-01-01", "x"),)


@pytest.mark.parametrize(
    ("book", "reason"),
    [
        (records.binary_workbook(b"", more=records.record(0x2F, bytes(6))), "encrypted"),
        (compound({"Workbook": bytes(4096)}), "damaged"),
        (compound({"Workbook": b""}), "damaged"),
        (records.binary_workbook(b""), "no text"),
    ],
)
def test_a_binary_workbook_that_cannot_be_read_is_refused(parser: WorkerParser, book: bytes, reason: str) -> None:
    with pytest.raises(UnreadableDocument, match=reason):
        parser.parse(book, "xls")
