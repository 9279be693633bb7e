"""Tables whose cells wrap: lines between two bands or rules are one row, and a dark bar has the names of columns."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from groundwire_readers.readers.pdf.page_content import PageBox, PageContent
from groundwire_readers.readers.pdf.tables.finder import find_tables
from tests.readers.pdf_tables.layout import LINE, Text, page

LEFT, RIGHT, TOP, HEIGHT = 40.0, 560.0, 100.0, 70.0
PLACES = (45.0, 300.0, 400.0, 500.0)
HEADS = (("Measure",), ("2023", "Actual"), ("2024", "Target"), ("2024", "Met/", "Not Met"))
ROWS = (
    (
        ("1A", "Share of boats that are led", "to their quay within an hour", "of their coming"),
        ("81.5%",),
        ("85%",),
        ("Not Met",),
    ),
    (("2B", "Number of cranes that work", "at night"), ("1,204",), ("1,200",), ("Met",)),
    (("3C", "Share of masters who keep", "the book of the harbour", "by hand"), ("-*",), ("40%",), ("Not Met",)),
)
READ = (
    ("Measure", "2023 Actual", "2024 Target", "2024 Met/ Not Met"),
    *(tuple(" ".join(cell) for cell in row) for row in ROWS),
)


def row(cells: Sequence[Sequence[str]], top: float, *, is_bold: bool = False, is_centred: bool = False) -> list[Text]:
    texts: list[Text] = []
    for x, cell in zip(PLACES, cells, strict=True):
        start = top + (HEIGHT - LINE * len(cell)) / 2 if is_centred else top + 4
        texts += [Text(x, start + LINE * number, line, is_bold=is_bold) for number, line in enumerate(cell)]
    return texts


def box(top: float, bottom: float) -> PageBox:
    return PageBox(LEFT, top, RIGHT, bottom)


def wrapped(kind: str, *, is_centred: bool, below: Sequence[Text] = ()) -> PageContent:
    tops = [TOP + HEIGHT * (number + 1) for number in range(len(ROWS))]
    texts = row(HEADS, TOP, is_bold=True, is_centred=True)
    texts += [text for top, cells in zip(tops, ROWS, strict=True) for text in row(cells, top, is_centred=is_centred)]
    bar = box(TOP, TOP + HEIGHT)
    shades = {"bands": [box(tops[1], tops[2])], "shades": [box(top + 1, top + HEIGHT - 1) for top in tops]}
    lines = [box(top + HEIGHT, top + HEIGHT + 0.5) for top in tops] if kind == "rules" else []
    upright = (
        [PageBox(x - 3, top, x - 3, top + HEIGHT) for x in PLACES[1:] for top in tops] if kind == "upright" else []
    )
    shown = page([*texts, *below], [*lines, *upright])
    return replace(shown, areas=(bar, *shades.get(kind, [])), bars=(bar,))


@pytest.mark.parametrize("is_centred", [False, True], ids=["at the top", "centred"])
@pytest.mark.parametrize("kind", ["bands", "shades", "rules", "upright", "distance"])
def test_lines_of_one_band_are_one_row_and_a_bar_names_the_columns(kind: str, *, is_centred: bool) -> None:
    [table] = find_tables(wrapped(kind, is_centred=is_centred))
    assert table.rows == READ
    assert table.header_rows == 1


@pytest.mark.parametrize("kind", ["bands", "shades", "rules", "distance"])
def test_text_below_such_a_table_is_no_row(kind: str) -> None:
    top = TOP + HEIGHT * (len(ROWS) + 1) + 14
    below = [
        Text(45, top + LINE * number, "A star stands for a year in which no boat was counted at all")
        for number in (0, 1)
    ]
    [table] = find_tables(wrapped(kind, is_centred=False, below=below))
    assert table.rows == READ


def test_text_between_two_rules_of_a_page_is_no_table() -> None:
    sides = [
        Text(x, 110 + LINE * number, "boats that come in after dark pay") for number in range(12) for x in (45, 330)
    ]
    assert not find_tables(page(sides, [box(90, 90.5), box(420, 420.5)]))
