"""Text that only looks like a table is none."""

import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import replace

import pytest

from groundwire_readers.readers.pdf.page_content import PageBox, PageContent, PageWord
from groundwire_readers.readers.pdf.tables.finder import find_tables
from tests.readers.pdf_tables.layout import LETTER, LINE, SIZE, Text, page, width

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


def columns(texts: Mapping[float, Sequence[str]]) -> PageContent:
    return page([Text(x, 100 + LINE * row, line) for x, each in texts.items() for row, line in enumerate(each) if line])


PARAGRAPH = (
    "the boats of the harbour come in after dark",
    "and pay their dues to the master of cranes",
    "so that the lamps and ropes are paid for by",
    "those who use them and not by the town that",
    "has no boats.",
)
BESIDE = {
    "an address": ("Harbour Office", "12 Quay Street", "Port Royal", "AB1 2CD", "Tel. 0123 4567"),
    "a list": ("• Boats", "• Cranes and ropes", "• Lamps", "• Fines", "• Bells of the night"),
    "names": ("John Doe", "Jane Roe", "Max Muster", "Erika Muster", "Otto Normal"),
}


@pytest.mark.parametrize("name", BESIDE)
def test_a_paragraph_beside_short_lines_is_no_table(name: str) -> None:
    assert not find_tables(columns({50: PARAGRAPH, 400: BESIDE[name]}))
    assert not find_tables(columns({50: BESIDE[name], 300: PARAGRAPH}))


@pytest.mark.parametrize("lengths", [(45, 45), (28, 28, 28), (18, 18, 18, 18)])
@pytest.mark.parametrize("rows", [2, 4])
def test_short_columns_of_prose_are_no_table(lengths: Sequence[int], rows: int) -> None:
    texts = {50 + 520 / len(lengths) * at: wrap(5 * at, length)[:rows] for at, length in enumerate(lengths)}
    assert not find_tables(columns(texts))


def wrap(first: int, length: int) -> list[str]:
    return textwrap.wrap(" ".join([*WORDS[first:], *WORDS, *WORDS]), length)


@pytest.mark.parametrize("mark", ["•", "–", "1."])
def test_items_in_two_columns_are_no_table(mark: str) -> None:
    items = [f"{mark} {name}" for name in ("Boats", "Cranes and ropes", "Lamps", "Fines of the night")]
    assert not find_tables(columns({50: items, 330: items[::-1]}))


def test_addresses_beside_each_other_are_no_table() -> None:
    left = ("Harbour Office", "12 Quay Street", "Port Royal", "AB1 2CD")
    assert not find_tables(columns({50: left, 330: ("Erika Muster", "Kaistraße 7", "20095 Hamburg", "Germany")}))
    assert not find_tables(columns({50: ("Bill to:", *left[:1]), 330: ("Ship to:", "Erika Muster")}))


def test_names_and_what_they_mean_are_a_table() -> None:
    rows = (
        ("Quay", "the place where boats are tied up"),
        ("Pier", "a walk above the water"),
        ("Dues", "what boats pay"),
    )
    names, meanings = zip(*rows, strict=True)
    [table] = find_tables(columns({50: names, 150: meanings}))
    assert table.rows == rows


def test_two_lines_with_a_label_and_words_each_are_a_table() -> None:
    rows = (("Owner", "John Doe", "Keeper", "Jane Roe"), ("Quay", "Outer", "Pier", "North"))
    [table] = find_tables(columns({50 + 130 * at: texts for at, texts in enumerate(zip(*rows, strict=True))}))
    assert table.rows == rows


def test_the_last_entries_of_contents_are_no_table() -> None:
    texts = [Text(80, 100, f"9.1 Of harbours {'. ' * 37}179")]
    for row, (name, number) in enumerate((("10 Fines", "181"), ("Index", "183")), 1):
        texts += [Text(50, 100 + LINE * row, name, is_bold=True), Text(560, 100 + LINE * row, number, "right")]
    assert not find_tables(page(texts))


def test_justified_items_and_sentences_are_no_table() -> None:
    mark, *item = justified(100, ["11.", *WORDS[:7]])
    mark = replace(mark, box=replace(mark.box, left=mark.box.left + 20, right=mark.box.right + 20))
    sentences = [
        *justified(100 + LINE, [*WORDS[:6], "quay."], 50, 300),
        *justified(100 + LINE, ["The", *WORDS[:5]], 312, 500),
    ]
    assert not find_tables(PageContent(1, 612, 792, (mark, *item, *sentences), ()))


@pytest.mark.parametrize("shift", [0, 200], ids=["right", "left"])
@pytest.mark.parametrize("axis", [("3.60", "3.40", "3.20", "3.00", "2.80"), ("1,200", "900", "600", "300", "0")])
def test_numbers_of_a_chart_beside_a_table_are_in_no_row(axis: Sequence[str], shift: int) -> None:
    rows = [("Town", "May", "June"), *((f"Quay {row}", f"3.{10 + row}", f"2.{40 + row}") for row in range(9))]
    texts = [
        Text(x, 100 + LINE * number, cell)
        for number, row in enumerate(rows)
        for x, cell in zip((50 + shift, 150 + shift, 220 + shift), row, strict=True)
    ]
    side = 330 - 1.5 * shift
    chart = [Text(side, 96 + 26 * number, step) for number, step in enumerate(axis)]
    months = [Text(side + 40 + 30 * number, 226, month) for number, month in enumerate("JFMAM")]
    [table] = find_tables(page([*texts, *chart, *months]))
    assert table.rows == tuple(rows)


def test_numbers_in_equal_steps_that_belong_to_rows_stay_in_them() -> None:
    rows = [("Town", "Boats", "Rank"), *((f"Quay {row}", f"{7 * row * row}", str(9 - row)) for row in range(1, 9))]
    texts = [
        Text(x, 100 + LINE * number, cell)
        for number, row in enumerate(rows)
        for x, cell in zip((50, 200, 330), row, strict=True)
    ]
    [table] = find_tables(page(texts))
    assert table.rows == tuple(rows)
