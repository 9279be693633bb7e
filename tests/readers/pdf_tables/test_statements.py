"""Tables of numbers without rules are read row by row, each value under its own column's name."""

from dataclasses import replace

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
