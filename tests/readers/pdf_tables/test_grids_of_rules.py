"""Tables with rules: cells are read by their places, and nothing that is drawn in them is lost."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from groundwire_readers.readers.pdf.page_content import PageBox
from groundwire_readers.readers.pdf.tables.finder import find_tables
from tests.readers.pdf_tables.layout import LINE, Text, page

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
    rows = [("ClientRun", "", ""), ("Blood", "X", ""), ("Heart", "", "X")]
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
    assert table.rows[0] == ("ClientRun", "Screening", "Baseline")


def test_a_stamp_across_a_table_appears_with_its_caption() -> None:
    texts = [Text(x, 100 + LINE * row, cell) for row in range(4) for x, cell in ((50, "Dues"), (300, f"{row},204"))]
    content = page(texts)
    [stamp] = page([Text(150, 115, "DRAFT")]).words
    [table] = find_tables(replace(content, words=(*content.words, replace(stamp, angle=90))))
    assert table.caption == "DRAFT"
    assert len(table.rows) == 4


def bill(rows: Sequence[tuple[str, ...]], leading: float = LINE) -> tuple[list[Text], list[PageBox]]:
    """The rows below names of columns, with rules around all, below the names and between columns alone."""
    names = ("Item", "Pieces", "Amount")
    bottom = 120 + leading * len(rows)
    level = [PageBox(40, y, 520, y) for y in (90, 110, bottom)]
    upright = [PageBox(x, 90, x, bottom) for x in ACROSS]
    texts = [Text(x + 10, 95, name) for x, name in zip(ACROSS, names, strict=False)]
    for number, row in enumerate(rows):
        y = 114 + leading * number
        texts += [Text(x + 10, y, cell) for x, cell in zip(ACROSS, row, strict=False) if cell]
    return texts, [*level, *upright]


def body_of(rows: Sequence[tuple[str, ...]]) -> tuple[tuple[str, ...], ...]:
    [table] = find_tables(page(*bill(rows)))
    assert table.rows[0] == ("Item", "Pieces", "Amount")
    return tuple(table.rows[1:])


def test_rows_between_which_no_rule_is_are_read_one_by_one() -> None:
    rows = (("Boats", "2", "40.00"), ("Cranes", "1", "7.50"), ("Ropes", "12", "3.10"))
    assert body_of(rows) == rows


def test_two_rows_without_a_rule_between_them_are_two() -> None:
    rows = (("Boats", "2", "40.00"), ("Cranes", "1", "7.50"))
    assert body_of(rows) == rows


def test_a_number_above_its_deviation_is_one_row() -> None:
    assert body_of((("Boats of", "2.0", "40.0"), ("the night", "(0.1)", "(1.3)"))) == (
        ("Boats of the night", "2.0 (0.1)", "40.0 (1.3)"),
    )


def test_the_rest_of_a_label_below_its_values_belongs_to_them() -> None:
    rows = (
        ("Hire of the large", "2", "40.00"),
        ("Crane, by night", "", ""),
        ("Ropes", "12", "3.10"),
        ("Lamps for the", "1", "7.50"),
        ("Outer Quay", "", ""),
    )
    assert body_of(rows) == (
        ("Hire of the large Crane, by night", "2", "40.00"),
        ("Ropes", "12", "3.10"),
        ("Lamps for the Outer Quay", "1", "7.50"),
    )


def test_the_beginning_of_a_label_above_its_values_belongs_to_them() -> None:
    rows = (
        ("Hire of the large", "", ""),
        ("Crane, by night", "2", "40.00"),
        ("Ropes", "12", "3.10"),
        ("Lamps for the", "", ""),
        ("Outer Quay", "1", "7.50"),
    )
    assert body_of(rows) == (
        ("Hire of the large Crane, by night", "2", "40.00"),
        ("Ropes", "12", "3.10"),
        ("Lamps for the Outer Quay", "1", "7.50"),
    )


def test_the_label_of_a_part_is_a_row_of_its_own() -> None:
    rows = (("By night:", "", ""), ("Boats", "2", "40.00"), ("Cranes", "1", "7.50"), ("By day:", "", ""))
    assert body_of((*rows, ("Ropes", "12", "3.10"))) == (*rows, ("Ropes", "12", "3.10"))


def test_labels_with_room_around_divide_rows_of_text() -> None:
    texts, rules = bill([], 14)
    columns = {
        50: ("Boats", "", "", "", "Cranes", "", ""),
        210: ("come", "in after", "dark", "", "are led", "to the", "quay"),
    }
    texts += [Text(x, 114 + 14 * at, text) for x, column in columns.items() for at, text in enumerate(column) if text]
    rules = [PageBox(40, y, 520, y) for y in (90, 110, 240)] + [PageBox(x, 90, x, 240) for x in ACROSS]
    [table] = find_tables(page(texts, rules))
    assert table.rows[1:] == (("Boats", "come in after dark", ""), ("Cranes", "are led to the quay", ""))


def test_columns_that_only_the_header_s_rules_divide_hold_in_the_body() -> None:
    rows = (("Boats of the night", "2", "40.00"), ("Cranes", "1", "7.50"), ("Ropes", "12", "3.10"))
    texts, rules = bill(rows)
    rules = [rule if rule.left != rule.right or rule.left in (40, 520) else replace(rule, bottom=110) for rule in rules]
    [table] = find_tables(page(texts, rules))
    assert table.rows == (("Item", "Pieces", "Amount"), *rows)


def test_columns_of_numbers_in_one_cell_are_columns() -> None:
    texts: list[Text] = [
        Text(50, 95, "Dues of"),
        Text(300, 95, "2021", "right"),
        Text(380, 95, "2022", "right"),
        Text(440, 95, "Paid"),
    ]
    rows = (("Boats", "40", "41"), ("Cranes", "7", "8"), ("Ropes", "3", "4"), ("Lamps", "12", "14"))
    for number, row in enumerate(rows):
        y = 114 + LINE * number
        texts += [Text(50, y, row[0]), Text(300, y, row[1], "right"), Text(380, y, row[2], "right")]
        texts.append(Text(440, y, "yes"))
    level = [PageBox(40, y, 520, y) for y in (90, 110, 180)]
    upright = [PageBox(x, 90, x, 180) for x in (40, 420, 520)]
    [table] = find_tables(page(texts, [*level, *upright]))
    assert [row[:3] for row in table.rows if row[0] != "Dues of"] == [*rows]


@pytest.mark.parametrize("boxes", [1, 2])
def test_labels_with_leaders_name_the_rows_of_boxes_at_their_right(boxes: int) -> None:
    rows = [("8 Total wages", "8", "52,310"), ("9a Interest", "9a", "418"), ("10 Dividends", "10", "20")]
    heights = [90.0 + 20 * row for row in range(4)]
    shown = [(label, *figures[-boxes:]) for label, *figures in rows]
    edges = [400.0 + 60 * column for column in range(boxes + 1)]
    texts = [
        text
        for y, (label, *figures) in zip(heights, shown, strict=False)
        for text in (
            Text(40, y + 5, f"{label} {' '.join('.' * 28)}"),
            *(Text(x + 5, y + 5, figure) for x, figure in zip(edges, figures, strict=False)),
        )
    ]
    level = [PageBox(edges[0], y, edges[-1], y) for y in heights]
    upright = [PageBox(x, heights[0], x, heights[-1]) for x in edges]
    [table] = find_tables(page([*texts, Text(40, 160, "Nothing else is due.")], [*level, *upright]))
    assert [tuple(cell.rstrip(" .") for cell in row) for row in table.rows] == shown


def test_text_beside_a_grid_is_no_label_of_it() -> None:
    texts = [Text(x + 170, y + 8, "pier 4") for y in DOWN[:-1] for x in ACROSS[:2]]
    prose = [Text(20, y + 8, "The boats lie at the quay") for y in DOWN[:-1]]
    level = [PageBox(ACROSS[1], y, ACROSS[-1], y) for y in DOWN]
    [table] = find_tables(page([*texts, *prose], [*level, *UPRIGHT[1:]]))
    assert table.rows == (("pier 4", "pier 4"),) * 3
