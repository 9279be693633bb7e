"""A number that a cell stores with more digits than it shows is beside its row, in no text, and the same everywhere."""

from collections.abc import Callable, Mapping
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire_readers.contents.parsed import Block
from groundwire_readers.contents.raw_values import with_raw_value
from groundwire_readers.contents.tables import table_blocks
from groundwire_readers.dispatch import read_document
from groundwire_readers.text.normalisation import normalise
from groundwire_readers.text.runs import END, VALUE
from tests.readers.open_files import open_file
from tests.readers.workbooks import records
from tests.readers.workbooks.sheets import Cell, workbook

_SHOWN = (("Site", "Stock"), ("Kiel", "3.14"), ("Aarau", "2.50"))


def _xlsx() -> bytes:
    rows = [("Site", "Stock"), ("Kiel", 3.14159), ("Aarau", 2.5)]
    return workbook([[Cell(name), Cell(value, "0.00" if isinstance(value, float) else 0)] for name, value in rows])


def _html() -> bytes:
    rows = "<tr><td>Kiel<td sdval='3.14159'>3.14<tr><td>Aarau<td sdval='2.5'>2.50"
    return f"<table><tr><th>Site<th>Stock{rows}</table>".encode()


def _open(kind: str) -> bytes:
    def cell(text: str, value: str = "") -> str:
        held = f' office:value-type="float" office:value="{value}"' if value else ""
        return f"<table:table-cell{held}><text:p>{text}</text:p></table:table-cell>"

    rows = [
        cell("Site") + cell("Stock"),
        cell("Kiel") + cell("3.14", "3.14159"),
        cell("Aarau") + cell("2.50", "2.5"),
    ]
    body = "".join(f"<table:table-row>{row}</table:table-row>" for row in rows)
    return open_file(kind, f'<table:table table:name="Stock">{body}</table:table>')


FILES: Mapping[str, Callable[[], bytes]] = {
    "xlsx": _xlsx,
    "html": _html,
    "ods": lambda: _open("spreadsheet"),
    "odt": lambda: _open("text"),
}


def _table(content: bytes, file_type: str) -> Block:
    [found] = [block for block in read_document(content, file_type).blocks if block.rows]
    return found


@pytest.mark.parametrize("file_type", FILES)
def test_the_text_has_the_shown_figure_and_the_row_its_raw_value(file_type: str) -> None:
    found = _table(FILES[file_type](), file_type)
    assert (found.rows, found.raw_values) == (_SHOWN, ((1, "3.14159"),))
    assert "14159" not in found.text


def test_a_binary_workbook_keeps_the_value_of_which_the_general_format_shows_fewer_digits() -> None:
    cells = [(0, 0, "Site"), (0, 1, "Stock"), (1, 0, "Kiel")]
    texts = b"".join(records.label(*each) for each in cells)
    found = _table(records.binary_workbook(texts + records.number(1, 1, 1234567.8912345)), "xls")
    assert found.raw_values == ((1, "1234567.8912345"),)


@pytest.mark.parametrize(
    ("shown", "value", "is_marked"),
    [
        ("18.2%", "0.182", False),
        ("3.4 M", "3400000", False),
        ("00045", "45", False),
        ("2,480.00", "2480", False),
        ("(1,250)", "-1250", False),
        ("yes", "1", False),
        ("0.30", "0.30000000000000004", False),
        ("18%", "0.182", True),
        ("3.5 M", "3456789", True),
        ("1/3", "0.3333", True),
    ],
)
def test_only_rounding_makes_a_raw_value(shown: str, value: str, *, is_marked: bool) -> None:
    marked = with_raw_value(shown, Decimal(format(float(value), ".15g")))
    assert (marked != shown) is is_marked
    assert normalise(marked) == normalise(shown)


@given(st.text(st.sampled_from([VALUE, END, "1", "a", ".", " "])))
def test_the_mark_hides_no_words_of_a_file(text: str) -> None:
    blocks = list(table_blocks([[text, "cell"]], None))
    shown = "".join(block.text for block in blocks) + "".join(
        value for block in blocks for _, value in block.raw_values
    )
    assert shown.count("a") == text.count("a")
