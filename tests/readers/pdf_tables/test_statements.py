"""Tables of numbers without rules are read row by row, each value under its own column's name."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from groundwire_readers.readers.pdf.page_content import PageContent
from groundwire_readers.readers.pdf.tables.finder import find_tables
from groundwire_readers.readers.pdf.tables.found_table import FoundTable
from tests.readers.pdf_tables.layout import LINE, Text, page, statement


def only_table(content: PageContent) -> FoundTable:
    [table] = find_tables(content)
    return table


def test_the_years_above_the_values_are_the_header() -> None:
    table = only_table(
        page(
            statement(
                [
                    ("", "2021", "2022"),
                    ("Dues of the harbour", "1,234", "2,345"),
                    ("Repairs", "(56)", "(78)"),
                ]
            )
        )
    )
    assert table.header_rows == 1
    assert table.rows == (
        ("", "2021", "2022"),
        ("Dues of the harbour", "1,234", "2,345"),
        ("Repairs", "(56)", "(78)"),
    )


def test_a_name_above_a_single_column_of_values_is_its_header() -> None:
    rows = (("", "2021"), ("Boats", "1,012"), ("Cranes", "37"), ("Piers", "(7)"))
    table = only_table(page(statement(rows)))
    assert (table.header_rows, table.rows) == (1, rows)


def test_a_period_above_the_names_of_columns_belongs_to_the_table() -> None:
    period = Text(440, 86, "Year Ended March 31,", "middle")
    table = only_table(page([period, *statement([("", "2021", "2022"), ("Dues", "1", "2"), ("Fees", "5", "6")])]))
    assert any("Year Ended March 31," in cell for row in table.rows[: table.header_rows] for cell in row)


def test_a_title_in_the_middle_of_the_page_stays_out_of_the_table() -> None:
    title = Text(305, 86, "Dues of the harbour", "middle")
    rows = (("", "2021", "2022"), ("Dues", "1", "2"), ("Fees", "5", "6"))
    assert only_table(page([title, *statement(rows)])).rows == rows


def test_rows_of_data_without_names_above_them_have_no_header() -> None:
    table = only_table(page(statement([("Boats", "12", "14"), ("Cranes", "3", "5"), ("Piers", "7", "7")])))
    assert table.header_rows == 0
    assert table.rows[0] == ("Boats", "12", "14")


def test_currency_signs_and_closing_brackets_far_from_their_number_belong_to_it() -> None:
    texts: list[Text] = []
    for row, (label, left, right) in enumerate([("Dues", "40,667", "37,700"), ("Loss", "(1,272", "(415")]):
        y = 100 + LINE * row
        texts.append(Text(50, y, label))
        for end, value in ((420, left), (520, right)):
            texts += [Text(end - 60, y, "$"), Text(end, y, value, "right")]
            texts += [Text(end + 5, y, ")")] if value.startswith("(") else []
    assert only_table(page(texts)).rows == (("Dues", "$ 40,667", "$ 37,700"), ("Loss", "$ (1,272)", "$ (415)"))


def test_a_sign_close_to_the_number_of_the_column_before_is_in_its_own_number() -> None:
    texts: list[Text] = []
    for row, (first, second) in enumerate([("40,667", "37,700"), ("30,177", "35,178"), ("10,202", "11,303")]):
        y = 100 + LINE * row
        texts += [Text(50, y, "Cash of the harbour"), Text(400, y, first, "right")]
        texts += [Text(404, y, "$"), Text(450, y, second, "right")]
    assert [row[1:] for row in only_table(page(texts)).rows] == [
        ("40,667", "$ 37,700"),
        ("30,177", "$ 35,178"),
        ("10,202", "$ 11,303"),
    ]


def test_european_numbers_and_percentages_stay_whole() -> None:
    table = only_table(
        page(statement([("Hafen", "1.234,56", "12,5 %"), ("Kran", "987,00", "3,1 %"), ("Steg", "12,10", "-4 %")]))
    )
    assert table.rows == (("Hafen", "1.234,56", "12,5 %"), ("Kran", "987,00", "3,1 %"), ("Steg", "12,10", "-4 %"))


def test_empty_cells_leave_the_others_in_their_columns() -> None:
    rows = (("Boats", "1", "", "3"), ("Cranes", "", "5", "6"), ("Piers", "7", "8", ""), ("Buoys", "10", "11", "12"))
    assert only_table(page(statement(rows))).rows == rows


def test_a_label_on_two_lines_is_one_row() -> None:
    texts = statement(
        [("Dues", "10", "20"), ("Repairs of cranes and of boats", "", ""), ("of the harbour", "30", "40")]
    )
    assert only_table(page(texts)).rows == (
        ("Dues", "10", "20"),
        ("Repairs of cranes and of boats of the harbour", "30", "40"),
    )


def test_a_name_over_two_columns_appears_once() -> None:
    texts = [
        Text(515, 86, "Nine Months", "middle"),
        Text(335, 86, "Three Months", "middle"),
        *statement(
            [
                ("", "2021", "2022", "2021", "2022"),
                ("Dues", "1", "2", "3", "4"),
                ("Fees", "5", "6", "7", "8"),
            ]
        ),
    ]
    table = only_table(page(texts))
    stated = " ".join(cell for row in table.rows for cell in row).split()
    assert stated.count("Nine") == stated.count("Three") == 1
    assert table.rows[table.header_rows :] == (("Dues", "1", "2", "3", "4"), ("Fees", "5", "6", "7", "8"))


def test_marks_in_narrow_columns_stay_under_their_visits() -> None:
    rows = (
        ("", "Screening", "Baseline", "Month 12"),
        ("Consent", "X", "", ""),
        ("Vital signs", "", "X", "X"),
        ("Blood", "X", "", "X"),
    )
    table = only_table(page(statement(rows)))
    assert table.rows == rows
    assert table.header_rows == 1


def test_sideways_words_do_not_disturb_a_table() -> None:
    content = page(statement([("Boats", "12", "14"), ("Cranes", "3", "5"), ("Piers", "7", "7")]))
    [stamp] = page([Text(300, 100, "DRAFT")]).words
    stamped = replace(content, words=(*content.words, replace(stamp, angle=90)))
    assert find_tables(stamped)[0].rows == find_tables(content)[0].rows


@pytest.mark.parametrize("sign", ["$", "€", "₹", "US$", "R$", "CHF", "EUR", "kr"])
def test_a_currency_in_a_column_of_its_own_is_part_of_the_number_beside_it(sign: str) -> None:
    texts = [Text(420, 100, "2023", "right"), Text(540, 100, "2024", "right")]
    for row, (label, *values) in enumerate(
        [("Dues", "40,667", "37,700"), ("Repairs", "930", "35"), ("Loss", "2", "8")]
    ):
        y = 114 + LINE * row
        texts.append(Text(50, y, label))
        for end, value in zip((420, 540), values, strict=True):
            texts += [*([] if row == 1 else [Text(end - 70, y, sign)]), Text(end, y, value, "right")]
    assert only_table(page(texts)).rows == (
        ("", "2023", "2024"),
        ("Dues", f"{sign} 40,667", f"{sign} 37,700"),
        ("Repairs", "930", "35"),
        ("Loss", f"{sign} 2", f"{sign} 8"),
    )


def test_a_named_column_of_currencies_is_one() -> None:
    rows = (("Country", "Currency", "Rate"), ("Norway", "NOK", "11.30"), ("Poland", "PLN", "4.31"))
    texts = [
        Text(50 + 150 * column, 100 + LINE * row, cell)
        for row, cells in enumerate(rows)
        for column, cell in enumerate(cells)
    ]
    assert only_table(page(texts)).rows == rows


def test_a_sign_close_to_a_label_is_part_of_the_number_far_from_it() -> None:
    texts: list[Text] = []
    for row, (label, value) in enumerate([("Dues of boats", "40,667"), ("Fees of crane", "30,177"), ("Sum", "10,202")]):
        y = 100 + LINE * row
        texts += [Text(50, y, label), Text(120, y, "$"), Text(300, y, value, "right")]
    assert [row[1] for row in only_table(page(texts)).rows] == ["$ 40,667", "$ 30,177", "$ 10,202"]


@pytest.mark.parametrize("currency", ["€", "EUR", "kr"])
def test_a_currency_behind_its_number_stays_there(currency: str) -> None:
    rows = [("Lamp", f"12,50 {currency}", f"1,00 {currency}"), ("Rope", f"3,20 {currency}", f"0,50 {currency}")]
    assert [row[1:] for row in only_table(page(statement(rows))).rows] == [row[1:] for row in rows]


def wrapped(rows: Sequence[tuple[int, tuple[str, ...]]]) -> list[Text]:
    """Cells in columns of 150 points; the rows are at these numbers of lines from the top."""
    places = [(50 + 150 * column, 100 + 12 * row, cell) for row, cells in rows for column, cell in enumerate(cells)]
    return [Text(x, y, cell) for x, y, cell in places if cell]


def test_the_last_row_of_a_table_has_the_rest_of_its_label() -> None:
    rows = [
        (0, ("Measure", "2023", "2024")),
        (1, ("Share of filters that", "81.5%", "85%")),
        (2, ("are new",)),
        (4, ("Length of all the cables", "210", "245")),
        (5, ("that are in the dry",)),
        (6, ("store",)),
    ]
    assert only_table(page(wrapped(rows))).rows == (
        ("Measure", "2023", "2024"),
        ("Share of filters that are new", "81.5%", "85%"),
        ("Length of all the cables that are in the dry store", "210", "245"),
    )


def test_a_label_and_a_text_that_both_continue_are_one_row() -> None:
    rows = [
        (0, ("Part", "Duty", "Page")),
        (1, ("Filter of the hall", "New ones twice a year", "12")),
        (2, ("in the north", "by the keeper of the hall")),
        (3, ("Pump", "Tested under load", "15")),
        (4, ("Cable and rope", "Hung in the dry store", "18")),
        (5, ("of all lengths", "behind the hall")),
    ]
    assert only_table(page(wrapped(rows))).rows[1:] == (
        ("Filter of the hall in the north", "New ones twice a year by the keeper of the hall", "12"),
        ("Pump", "Tested under load", "15"),
        ("Cable and rope of all lengths", "Hung in the dry store behind the hall", "18"),
    )


def test_rows_in_lower_case_without_a_value_stay_rows() -> None:
    rows = [(row, (f"part {row}", "in the store", "" if row == 3 else str(row))) for row in range(1, 6)]
    table = only_table(page(wrapped([(0, ("Part", "Place", "Count")), *rows])))
    assert len(table.rows) == 6


def test_a_sentence_below_a_table_is_not_part_of_its_last_row() -> None:
    rows = [(0, ("Part", "2023", "2024")), (1, ("Filter", "12", "13")), (2, ("Pump", "8", "9"))]
    below = (3, ("Figures of the harbour office.",))
    assert only_table(page(wrapped([*rows, below]))).rows == tuple(cells for _, cells in rows)
