"""Tables of a PDF that have no rules come out row by row; what only looks like one is left alone."""

import pytest

from groundwire.adapters.parse import WorkerParser
from groundwire.adapters.parse.readers.pdf.borderless_tables import rebuild_borderless_tables
from groundwire.domain.documents.parsed import Block, BlockKind
from tests.support.documents.pdf import placed

RUN = "SKU-8847 A-12 450 -23 SKU-9201 780 778 OK SKU-4563 D-22 156 CRITICAL"


def heading(text: str, page: int = 1) -> Block:
    return Block(BlockKind.HEADING, text, level=2, page=page)


def prose(text: str, page: int = 1) -> Block:
    return Block(BlockKind.PARAGRAPH, text, page=page)


def test_rows_that_were_run_together_are_under_their_names_with_the_cells_that_end_the_last() -> None:
    names, rest, after = (
        heading("Product Code Location Expected Actual Status"),
        prose("935 +15 OK"),
        prose("Analysis:"),
    )
    table, last = rebuild_borderless_tables([names, prose(RUN), rest, after])
    assert table.kind is BlockKind.TABLE
    assert table.rows == (
        ("Product Code Location Expected Actual Status",),
        ("SKU-8847 A-12 450 -23",),
        ("SKU-9201 780 778 OK",),
        ("SKU-4563 D-22 156 CRITICAL 935 +15 OK",),
    )
    assert table.page == 1
    assert last == after


def test_rows_with_a_word_for_each_name_have_columns() -> None:
    (table,) = rebuild_borderless_tables(
        [heading("Code Place State"), prose("AB-1 North OK AB-2 South LATE AB-3 West OK")]
    )
    assert table.rows == (
        ("Code", "Place", "State"),
        ("AB-1", "North", "OK"),
        ("AB-2", "South", "LATE"),
        ("AB-3", "West", "OK"),
    )
    assert table.text == "Code | Place | State\nAB-1 | North | OK\nAB-2 | South | LATE\nAB-3 | West | OK"


def test_names_may_be_in_the_same_run_as_the_rows() -> None:
    apart = rebuild_borderless_tables([heading("Product Code Location Expected Actual"), prose(RUN)])
    assert rebuild_borderless_tables([prose(f"Product Code Location Expected Actual {RUN}")]) == apart


@pytest.mark.parametrize(
    "above", [heading("2.1 Stock of the warehouse"), heading("Stock"), heading("Code Place Plan State", 2)]
)
def test_a_heading_that_names_no_columns_stays_one_and_the_rows_become_lines(above: Block) -> None:
    assert rebuild_borderless_tables([above, prose(RUN)]) == [
        above,
        prose("SKU-8847 A-12 450 -23\nSKU-9201 780 778 OK\nSKU-4563 D-22 156 CRITICAL"),
    ]


@pytest.mark.parametrize(
    "text",
    [
        "SKU-8847 is broken, SKU-9201 is old and SKU-4563 was lost on the way.",
        "SKU-8847 A-12 450 SKU-9201 780 778",
        "RFC-2119, RFC-8174, RFC-9110",
        "See also AB-1 North AB-2 South AB-3 West",
        "10 20 30 40 50 60",
        "",
    ],
)
def test_prose_and_lists_are_no_table(text: str) -> None:
    blocks = [heading("Code Place Expected"), prose(text)]
    assert rebuild_borderless_tables(blocks) == blocks


def test_a_sparse_table_on_a_page_keeps_each_row_together(parser: WorkerParser) -> None:
    told = "This is the report of the stock in the warehouse of the east as of the last day of the month."
    columns = (82, 170, 250, 312, 380, 450)
    lines = [
        ("Article", "Place", "Expected", "Actual", "Variance", "Status"),
        ("SKU-8847", "A-12", "450", "", "", ""),
        ("", "B-07", "", "289", "-23", ""),
        ("SKU-9201", "", "780", "778", "", "OK"),
        ("SKU-4563", "D-22", "156", "", "", "CRITICAL"),
        ("", "", "", "180", "-24", ""),
    ]
    cells = [
        (x, 660 - 26 * at, 10, text)
        for at, line in enumerate(lines)
        for x, text in zip(columns, line, strict=True)
        if text
    ]
    document = parser.parse(placed([(72, 740, 18, "Stock report"), (72, 700, 10, told), *cells]), "pdf")
    assert [row for block in document.blocks for (row,) in block.rows] == [
        "Article Place Expected Actual Variance Status",
        "SKU-8847 A-12 450 B-07 289 -23",
        "SKU-9201 780 778 OK",
        "SKU-4563 D-22 156 CRITICAL 180 -24",
    ]
