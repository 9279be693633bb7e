"""Names of columns on several lines are one header, joined per column, with every piece."""

from collections.abc import Sequence

import pytest

from groundwire_readers.readers.pdf.page_content import PageBox
from groundwire_readers.readers.pdf.tables.finder import find_tables
from groundwire_readers.readers.pdf.tables.found_table import FoundTable
from tests.readers.pdf_tables.layout import LINE, Text, page

PLACES = (50.0, 200.0, 330.0, 460.0)
NUMBERS = (("Boats", "12", "40.00", "480.00"), ("Cranes", "1", "7.50", "7.50"), ("Ropes", "3", "3.10", "9.30"))
NAMES = (
    ("Heron", "Outer quay", "John", "May"),
    ("Gull", "Inner quay", "Jane", "June"),
    ("Tern", "Pier", "Max", "July"),
)


def table_of(
    header: Sequence[tuple[str, ...]], rows: Sequence[tuple[str, ...]], *, is_bold: bool = False, is_ruled: bool = False
) -> FoundTable:
    texts = [
        Text(x, 100 + LINE * number, cell, is_bold=is_bold and number < len(header))
        for number, row in enumerate((*header, *rows))
        for x, cell in zip(PLACES, row, strict=True)
        if cell
    ]
    y = 98 + LINE * len(header)
    [table] = find_tables(page(texts, [PageBox(50, y, 520, y)] if is_ruled else []))
    return table


HEADERS = {
    "two lines": [("Item", "Number", "Price", "Amount"), ("", "of pieces", "per piece", "in total")],
    "three lines": [
        ("", "Number", "Price", "Amount"),
        ("Item", "of pieces", "per piece", "in total"),
        ("", "that are sold", "as sold", "(euros)"),
    ],
    "with a label on each": [
        ("Kind of", "Number", "Price", "Amount"),
        ("item as", "of pieces", "per piece", "in total"),
        ("they come", "(all)", "", "2021"),
    ],
}


@pytest.mark.parametrize("name", HEADERS)
def test_names_above_numbers_are_joined_per_column(name: str) -> None:
    header = HEADERS[name]
    table = table_of(header, NUMBERS)
    assert table.header_rows == 1
    assert table.rows == (tuple(" ".join(filter(None, column)) for column in zip(*header, strict=True)), *NUMBERS)


@pytest.mark.parametrize("form", ["is_bold", "is_ruled"])
def test_names_above_words_are_the_header_by_their_form(form: str) -> None:
    header = [("Name of", "Place of", "Keeper", "Since"), ("the Boat", "the Boat", "(all)", "When")]
    table = table_of(header, NAMES, **{form: True})
    assert (table.header_rows, table.rows) == (
        1,
        (("Name of the Boat", "Place of the Boat", "Keeper (all)", "Since When"), *NAMES),
    )


def test_words_without_such_a_form_have_no_header() -> None:
    assert table_of([], NAMES).header_rows == 0
