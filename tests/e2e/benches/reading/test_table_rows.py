"""Rows are whole when the words of a line are in one of them, in order, and no other line is."""

from bench.reading.share import Share
from bench.reading.table_rows import row_figures
from bench.reading.visual_lines import TableLine, row

SHEET = [
    ["Cash", "28,408", "23,646"],
    ["Receivables, net", "19,549", "28,184"],
    ["Inventories", "7,351", "4,946"],
    ["Total", "55,308", "56,776"],
]
"""A balance sheet whose lines are its rows."""


def lines_of(rows: list[list[str]]) -> list[TableLine]:
    return [row(place, cells) for place, cells in enumerate(rows)]


def text_of(rows: list[list[str]]) -> str:
    return "\n".join(" | ".join(cells) for cells in rows)


def test_a_table_as_it_is_seen_is_whole_and_in_order() -> None:
    found = row_figures(lines_of(SHEET), [SHEET], text_of(SHEET))
    assert (found.whole, found.combined, found.out_of_order) == (Share(4, 4), Share(4, 4), Share(0, 4))


def test_a_table_upside_down_is_whole_and_all_rows_but_one_are_out_of_order() -> None:
    turned = SHEET[::-1]
    found = row_figures(lines_of(SHEET), [turned], text_of(turned))
    assert (found.whole, found.out_of_order) == (Share(4, 4), Share(3, 4))


def test_a_row_out_of_its_place_counts_once() -> None:
    moved = [SHEET[3], *SHEET[:3]]
    assert row_figures(lines_of(SHEET), [moved], text_of(moved)).out_of_order == Share(1, 4)


def test_a_row_with_its_numbers_exchanged_or_missing_is_not_whole() -> None:
    given = [["Cash", "23,646", "28,408"], ["Receivables, net", "19,549"], *SHEET[2:]]
    found = row_figures(lines_of(SHEET), [given], text_of(given))
    assert (found.whole, found.combined) == (Share(2, 4), Share(2, 4))


def test_rows_that_are_joined_by_columns_are_not_whole() -> None:
    joined = [["Cash Receivables, net", "28,408 19,549", "23,646 28,184"], *SHEET[2:]]
    assert row_figures(lines_of(SHEET), [joined], text_of(joined)).whole == Share(2, 4)


def test_each_line_of_a_row_is_found_in_it() -> None:
    seen = [["Skin biopsy", "Small punch", "Exposure"], ["(optional)", "biopsy for later", "to lidocaine"]]
    given = [["Skin biopsy (optional)", "Small punch biopsy for later", "Exposure to lidocaine"]]
    assert row_figures(lines_of(seen), [given], text_of(given)).whole == Share(2, 2)


def test_a_table_that_is_given_as_lines_of_text_keeps_its_lines_together_without_rows() -> None:
    found = row_figures(lines_of(SHEET), [], "\n".join("  ".join(cells) for cells in SHEET))
    assert (found.whole, found.combined, found.out_of_order) == (Share(0, 4), Share(4, 4), Share(0, 0))


def test_a_line_that_is_seen_twice_needs_two_rows() -> None:
    seen = [*SHEET[:1], *SHEET]
    assert row_figures(lines_of(seen), [SHEET], text_of(SHEET)).whole == Share(4, 5)


def test_a_line_with_the_beginning_of_another_is_no_sign_of_disorder() -> None:
    seen = [*SHEET, ["Total net", "55,308", "56,776"]]
    given = [seen[-1], *SHEET]
    assert row_figures(lines_of(seen), [given[:1], given[1:]], text_of(given)).out_of_order == Share(0, 5)
