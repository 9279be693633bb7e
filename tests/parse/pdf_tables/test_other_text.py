"""Text that only looks like a table is none."""

from collections.abc import Sequence

import pytest

from groundwire.adapters.parse.readers.pdf.page_content import PageBox, PageContent, PageWord
from groundwire.adapters.parse.readers.pdf.tables.finder import find_tables
from tests.parse.pdf_tables.layout import LETTER, LINE, SIZE, Text, page, width

TEXT = "the boats of the harbour come in after dark and pay their dues to the master of cranes at night"
WORDS = TEXT.split()


def justified(y: float, words: Sequence[str], left: float = 50, right: float = 560) -> list[PageWord]:
    blank = (right - left - sum(map(width, words))) / (len(words) - 1)
    placed: list[PageWord] = []
    for text in words:
        placed.append(PageWord(text, PageBox(left, y, left + width(text), y + SIZE), 0, SIZE, is_bold=False, font="F"))
        left += width(text) + blank
    return placed


@pytest.mark.parametrize("leader", [" . . . . . . . ", "......... "])
def test_contents_with_leaders_are_no_table(leader: str) -> None:
    texts: list[Text] = []
    for number in range(1, 12):
        y = 100 + LINE * number
        texts += [Text(50, y, f"{number}"), Text(80, y, f"Of harbours {leader * (1 + number % 3)}")]
        texts.append(Text(560, y, str(3 * number), "right"))
    assert not find_tables(page(texts))


def test_numbers_after_leaders_that_fall_and_rise_are_a_table() -> None:
    values = ["1,204", "77", "9,310", "45"]
    texts = [
        text
        for row, value in enumerate(values)
        for text in (
            Text(50, 100 + LINE * row, f"Dues of pier {'. ' * 20}"),
            Text(560, 100 + LINE * row, value, "right"),
        )
    ]
    [table] = find_tables(page(texts))
    assert [row[-1] for row in table.rows] == values


def test_lines_drawn_apart_to_full_width_are_no_table() -> None:
    words = (*justified(100, WORDS[:7]), *justified(100 + LINE, WORDS[7:14]))
    assert words[1].box.left - words[0].box.right > 2 * LETTER
    assert not find_tables(PageContent(1, 612, 792, words, ()))


def test_prose_in_two_columns_is_no_table() -> None:
    texts: list[Text] = []
    for row in range(20):
        texts += [Text(50, 100 + LINE * row, " ".join(WORDS[row % 5 : row % 5 + 9]))]
        texts += [Text(330, 100 + LINE * row, " ".join(WORDS[row % 7 : row % 7 + 9]))]
    assert not find_tables(page(texts))


def test_a_numbered_list_is_no_table() -> None:
    texts = [
        text
        for row in range(6)
        for text in (
            Text(50, 100 + LINE * row, f"{row + 1}."),
            Text(80, 100 + LINE * row, " ".join(WORDS[row : row + 6])),
        )
    ]
    assert not find_tables(page(texts))
