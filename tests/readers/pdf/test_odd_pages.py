"""Pages that no program draws are read within the limits of any document, by the confined worker."""

from collections.abc import Callable
from typing import Final

import pytest

from groundwire_readers import WorkerParser
from groundwire_readers.dispatch import read_document
from tests.readers.pdf.drawing import FIXED, Page, drawn, filled, lines, text

SEEN = "The tariff of the night is paid at the quay."

ODD = {
    "a font without size": text(72, 700, "nothing", 0),
    "a font of a hundred thousand points": text(72, 700, "nothing", 100_000),
    "letters of no width": "BT /F1 10 Tf 0 0 0 0 72 700 Tm (nothing) Tj ET ",
    "letters outside of any page": "BT /F1 10 Tf 1 0 0 1 1e38 1e38 Tm (nothing) Tj ET ",
    "areas without height": "".join(filled(72, y, 100, 0) for y in range(100)),
    "an area of all pages": "q 1 1 1 rg -1e9 -1e9 2e9 2e9 re f Q ",
    "a hundred thousand rules": "".join(
        f"{i % 600} {i // 600} m {i % 600 + 9} {i // 600} l S\n" for i in range(100_000)
    ),
    "a rule of a hundred thousand corners": "0 0 m "
    + "".join(f"{i % 600} {i % 700} l " for i in range(100_000))
    + "S\n",
    "clips in each other": "".join(f"q 0 0 {600 - i} 700 re W n " for i in range(500)) + "Q " * 500,
}


@pytest.mark.parametrize("name", ODD)
def test_the_text_of_an_odd_page_is_read(parser: WorkerParser, name: str) -> None:
    document = parser.parse(drawn([ODD[name] + text(72, 600, SEEN)]), "pdf")
    assert SEEN in " ".join(block.text for block in document.blocks)


@pytest.mark.parametrize(
    ("shown", "words"),
    [
        ("[(We invest) -210 (in) -210 (boats) -120 (men)] TJ", "We invest in boatsmen"),
        ("2 Tc (We invest) Tj 0 Tc", "We invest"),
        ("[(Tariff 10) -120 (V)] TJ", "Tariff 10V"),
    ],
)
def test_a_gap_between_tight_letters_is_a_space(parser: WorkerParser, shown: str, words: str) -> None:
    line = f"BT /F1 10 Tf 1 0 0 1 72 700 Tm {shown} ET "
    [block] = parser.parse(drawn([line]), "pdf").blocks
    assert block.text == words


PLACES: Final[dict[str, Callable[[int], tuple[float, float]]]] = {
    "in lines": lambda i: (20 + i % 100 * 5, 780 - i // 100 * 1.5),
    "scattered": lambda i: (i * 7919 % 600, i * 104_729 % 780),
}


@pytest.mark.parametrize("place", PLACES)
def test_thirty_thousand_words_on_a_page_are_read(parser: WorkerParser, place: str) -> None:
    where = PLACES[place]
    places = [where(number) for number in range(30_000)]
    words = "".join(text(x, y, f"w{number}", 6) for number, (x, y) in enumerate(places))
    document = parser.parse(drawn([words]), "pdf")
    assert sum(block.text.count("w") for block in document.blocks) >= 29_000


def test_thirty_thousand_words_at_one_place_are_no_more_work_than_beside_each_other(parser: WorkerParser) -> None:
    document = parser.parse(drawn(["".join(text(100, 700, f"w{number}", 6) for number in range(30_000))]), "pdf")
    assert document.blocks[0].text.startswith("w0")


def test_a_page_of_a_million_characters_is_read(parser: WorkerParser) -> None:
    page = Page(lines(10, 9_000, ["boat " * 2_000] * 100, 1.9), width=14_000, height=14_000)
    document = parser.parse(drawn([page, text(72, 700, SEEN)]), "pdf")
    assert document.pages == 2


def test_two_thousand_pages_are_read_to_the_last(parser: WorkerParser) -> None:
    pages = [text(72, 700, f"On the quay number {number} the tariff is due.") for number in range(2_000)]
    document = parser.parse(drawn(pages), "pdf")
    assert document.blocks[-1].page == 2_000


def _letter_by_letter(x: float, y: float, words: str) -> str:
    """The words with a text object for each letter, as browsers draw them."""
    return "".join(text(x + 6 * place, y, letter, 10, FIXED) for place, letter in enumerate(words) if letter != " ")


def test_letters_of_a_tall_page_of_few_words_stay_words() -> None:
    rows = [(f"part {number}", f"in {number}", f"{number:02}") for number in range(30)]
    page = "".join(
        _letter_by_letter(72 + 180 * column, 740 - 12 * number, word)
        for number, row in enumerate(rows)
        for column, word in enumerate(row)
    )
    shown = " ".join(block.text for block in read_document(drawn([page]), "pdf").blocks)
    assert shown.replace(" | ", " ").split() == " ".join(" ".join(row) for row in rows).split()
