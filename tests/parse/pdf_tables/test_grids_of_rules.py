"""Tables with rules: cells are read by their places, and nothing that is drawn in them is lost."""

from dataclasses import replace

from groundwire.adapters.parse.readers.pdf.page_content import PageBox
from groundwire.adapters.parse.readers.pdf.tables.finder import find_tables
from tests.parse.pdf_tables.layout import LINE, Text, page

ACROSS = (40.0, 200.0, 360.0, 520.0)
DOWN = (90.0, 130.0, 170.0, 210.0)
LEVEL = [PageBox(ACROSS[0], y, ACROSS[-1], y) for y in DOWN]
UPRIGHT = [PageBox(x, DOWN[0], x, DOWN[-1]) for x in ACROSS]


def test_lines_of_one_cell_are_read_together() -> None:
    texts = [
        Text(x + 10, y + 8 + LINE * line, f"{name}{row}{column} {line}")
        for row, y in enumerate(DOWN[:-1])
        for line, name in enumerate(("pier", "quay"))
        for column, x in enumerate(ACROSS[:-1])
    ]
    [table] = find_tables(page(texts, [*LEVEL, *UPRIGHT]))
    assert table.rows == tuple(
        tuple(f"pier{row}{column} 0 quay{row}{column} 1" for column in range(3)) for row in range(3)
    )


def test_columns_outside_of_the_upright_rules_belong_to_the_table() -> None:
    rows = [("Boats", "12", "14"), ("Cranes", "3", "5"), ("Piers", "7", "9")]
    heights = [90.0 + 20 * row for row in range(4)]
    texts = [
        Text(x + 10, y + 5, cell)
        for y, row in zip(heights, rows, strict=False)
        for x, cell in zip(ACROSS, row, strict=False)
    ]
    level = [PageBox(ACROSS[0], y, ACROSS[-1], y) for y in heights]
    upright = [PageBox(x, heights[0], x, heights[-1]) for x in ACROSS[1:3]]
    [table] = find_tables(page(texts, [*level, *upright]))
    assert table.rows == tuple(rows)


def test_names_set_sideways_in_a_grid_are_read() -> None:
    rows = [("Visit", "", ""), ("Blood", "X", ""), ("Heart", "", "X")]
    texts = [
        Text(x + 10, y + 10, cell)
        for y, row in zip(DOWN, rows, strict=False)
        for x, cell in zip(ACROSS, row, strict=False)
        if cell
    ]
    content = page(texts, [*LEVEL, *UPRIGHT])
    upright = page([Text(250, 100, "Screening"), Text(400, 100, "Baseline")]).words
    turned = tuple(replace(word, angle=90) for word in upright)
    [table] = find_tables(replace(content, words=(*content.words, *turned)))
    assert table.rows[0] == ("Visit", "Screening", "Baseline")


def test_a_stamp_across_a_table_is_said_with_its_caption() -> None:
    texts = [Text(x, 100 + LINE * row, cell) for row in range(4) for x, cell in ((50, "Dues"), (300, f"{row},204"))]
    content = page(texts)
    [stamp] = page([Text(150, 115, "DRAFT")]).words
    [table] = find_tables(replace(content, words=(*content.words, replace(stamp, angle=90))))
    assert table.caption == "DRAFT"
    assert len(table.rows) == 4
