"""The text layer of a PDF is a reference: its words in order, its rows of tables, its numbered headings."""

import pytest

from bench.reading.page_words import outline_of, pages_of
from bench.reading.text_layer import numbered_headings, reference_words
from bench.reading.visual_lines import VisualLine, table_lines, visual_lines
from tests.e2e.benches.reading.pdf_pages import Placed, pdf_of, text_at


def lines_of(content: bytes) -> list[list[VisualLine]]:
    return [visual_lines(number, page) for number, page in enumerate(pages_of(content), 1)]


def words_of(content: bytes) -> list[str]:
    return reference_words(list(pages_of(content)))


def sheet(top: float = 700) -> list[Placed]:
    rows = [("Cash and equivalents", "28,408", "23,646"), ("Receivables", "(19)", "28,184"), ("Total", "$ 1.5", "-")]
    return [
        (x, top - 15 * at, cell) for at, row in enumerate(rows) for x, cell in zip((50, 300, 400), row, strict=True)
    ]


def test_lines_with_a_label_and_numbers_are_rows_of_a_table() -> None:
    prose = [(50, 730, "A sentence before the table that has 3 numbers in it, 4 and 5.")]
    (first, second, third) = table_lines(lines_of(pdf_of([[*prose, *sheet()]])))

    assert first.words == ("cash", "and", "equivalents", "28,408", "23,646")
    assert second.words == ("receivables", "19", "28,184")
    assert (first.numbers, second.numbers, third.numbers) == (2, 2, 2)
    assert [first.place, second.place, third.place] == sorted({first.place, second.place, third.place})


def test_one_line_alone_and_prose_in_columns_are_no_table() -> None:
    left, right = "The left column has a sentence in it", "and the right one has another sentence"
    columns = [(x, 600 - 12 * at, text) for at in range(12) for x, text in ((50, left), (320, right))]
    assert table_lines(lines_of(pdf_of([[(50, 700, "Page"), (300, 700, "5")]]))) == []
    assert table_lines(lines_of(pdf_of([columns]))) == []


def test_columns_of_prose_are_read_one_after_the_other() -> None:
    left, right = "the left column has a sentence here", "and the right one has another sentence"
    columns = [(x, 600 - 12 * at, text) for at in range(12) for x, text in ((50, left), (320, right))]
    (lines,) = lines_of(pdf_of([columns]))
    assert [line.text for line in lines] == [left] * 12 + [right] * 12


def test_a_visible_space_that_the_layer_lacks_parts_words() -> None:
    drawn = "BT /F1 10 Tf 50 700 Td [(We invest) -190 (in boats)] TJ ET BT /F1 10 Tf 2 Tc 50 600 Td (spaced) Tj ET "
    assert words_of(pdf_of([[]], more=drawn)) == ["we", "invest", "in", "boats", "spaced"]


def test_a_table_of_contents_is_no_table() -> None:
    entries = [(x, 700 - 15 * at, text) for at in range(3) for x, text in ((50, f"Chapter {at}"), (400, str(at + 1)))]
    assert table_lines(lines_of(pdf_of([entries, [], []]))) == []
    assert len(table_lines(lines_of(pdf_of([entries])))) == 3


@pytest.mark.parametrize(
    ("rotation", "turn"), [(0, "1 0 0 1"), (90, "0 1 -1 0"), (180, "-1 0 0 -1"), (270, "0 -1 1 0")]
)
def test_a_page_is_seen_as_it_is_turned(rotation: int, turn: str) -> None:
    drawn = text_at(300, 400, "upright words", turn=turn) + text_at(100, 100, "aside", turn="0.6 0.8 -0.8 0.6")
    (lines,) = lines_of(pdf_of([[]], rotation=rotation, more=drawn))
    assert [line.text for line in lines if "upright" in line.text] == ["upright words"]


def test_running_heads_page_numbers_and_contents_are_no_words_of_the_reference() -> None:
    def page(number: int) -> list[Placed]:
        letters = ("ab", "cd", "ef")[number - 1]
        body = [
            (50 + 50 * right, 700 - 20 * at, f"{letter}{word}")
            for at, word in enumerate(("one", "two"))
            for right, letter in enumerate(letters)
        ]
        return [(50, 770, f"Quarterly report, page {number}"), *body, (300, 20, f"- {number} -")]

    content = pdf_of([[(50, 650, "Notices . . . . . . . . vii"), *page(1)], page(2), page(3)])
    assert words_of(content) == [
        letter + word for pair in ("ab", "cd", "ef") for word in ("one", "two") for letter in pair
    ]


def test_text_that_nobody_sees_is_no_reference() -> None:
    hidden = text_at(50, 600, "undrawn", mode=3) + text_at(50, 650, "tiny", size=1)
    assert words_of(pdf_of([[(50, 700, "seen here")]], more=hidden)) == ["seen", "here"]


def test_the_mark_of_a_note_is_a_word_of_its_own() -> None:
    drawn = text_at(50, 700, "signs", size=10) + text_at(72.8, 704, "a", size=6)
    assert words_of(pdf_of([[]], more=drawn)) == ["signs", "a"]


def test_letters_in_columns_of_their_own_are_words() -> None:
    drawn = "BT /F1 10 Tf 60 Tc 50 700 Td (XX) Tj ET\n"
    assert words_of(pdf_of([[]], more=drawn)) == ["x", "x"]


def test_a_word_that_a_line_parts_is_whole_and_a_hyphen_of_its_own_parts_two() -> None:
    content = pdf_of([[(50, 700, "information is infor-"), (50, 688, "mation; non-"), (50, 676, "paper, paper, non")]])
    assert words_of(content) == ["information", "is", "information", "non", "paper", "paper", "non"]


def test_numbered_headings_are_lines_with_a_number_of_a_section() -> None:
    texts = ["1.1. Purpose", "1.2 /etc : Files", "1.1. Purpose", "1003.1 Standard", "2.5 is a number", "3.1 Ends so."]
    content = pdf_of([[(50, 700 - 15 * at, text) for at, text in enumerate(texts)]])
    assert numbered_headings(lines_of(content)) == ["1.1. Purpose", "1.2 /etc : Files"]


def test_the_outline_is_read_in_order() -> None:
    assert outline_of(pdf_of([[(50, 700, "x")]], outline=["Access", "Holdings"])) == ["Access", "Holdings"]
