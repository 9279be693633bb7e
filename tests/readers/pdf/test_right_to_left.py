"""Lines of right-to-left scripts are read in logical order, whatever they hold of other scripts."""

import ctypes
import ctypes.util
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire_readers.contents.parsed import Block
from groundwire_readers.dispatch import read_document
from groundwire_readers.readers.pdf.text_layer.logical_order import MIRRORED, logical_order
from tests.readers.pdf.any_script import WIDTH, any_script

HEBREW = ("שלום", "מחיר", "הגמל", "לוח", 'צה"ל')
ARABIC = ("مضخة", "سعرها", "ريال", "من")
OTHERS = ("WX-4400", "Hartwell Desk", "v2.4.1", "f(x)", "https://example.org/a/b", "a@example.org")
NUMBERS = ("12", "1,250.50", "2024-2027", "2024-05-01", "12:30", "3/5/2024", "+49-30-1234567", "50%")
RIGHT, TOP = 540, 700


def visual(text: str) -> str:
    """Return a right-to-left line as it is shown, from left to right, by FriBidi's implementation of UAX #9."""
    name = ctypes.util.find_library("fribidi")
    if name is None:
        pytest.skip("FriBidi is not installed")
    library = ctypes.CDLL(name)
    count = len(text)
    levels = (ctypes.c_int8 * count)()
    line = (ctypes.c_uint32 * count)(*map(ord, text))
    direction = ctypes.c_int(0x111)
    library.fribidi_log2vis(line, count, ctypes.byref(direction), None, None, None, levels)
    places = list(range(count))
    for level in range(max(levels), 0, -1):
        start = 0
        while start < count:
            end = start
            while end < count and levels[places[end]] >= level:
                end += 1
            places[start:end] = reversed(places[start:end])
            start = end + 1
    return "".join(MIRRORED.get(text[place], text[place]) if levels[place] % 2 else text[place] for place in places)


def logical(text: str, *, is_right_to_left: bool = True) -> str:
    return "".join(character for _, character in logical_order(text, is_right_to_left=is_right_to_left))


def read(*lines: Sequence[str]) -> list[Block]:
    placed = [(RIGHT - WIDTH * len(line), TOP - 14 * number, line) for number, line in enumerate(lines)]
    return list(read_document(any_script(*placed), "pdf").blocks)


@st.composite
def _lines(draw: st.DrawFn) -> str:
    letters = draw(st.sampled_from((HEBREW, ARABIC)))
    words = draw(st.lists(st.sampled_from((*letters, *letters, *OTHERS, *NUMBERS)), min_size=1, max_size=8))
    framed = [f"({word})" if draw(st.booleans()) and word in letters else word for word in words]
    return " ".join((letters[0], *framed, letters[1]))


@given(_lines())
def test_the_logical_order_of_a_line_looks_as_the_line_does(line: str) -> None:
    seen = visual(line)
    places = [place for place, _ in logical_order(seen, is_right_to_left=True)]
    assert sorted(places) == list(range(len(line)))
    assert visual(logical(seen)) == seen


@pytest.mark.parametrize("script", [HEBREW, ARABIC])
@pytest.mark.parametrize("part", [*OTHERS, *NUMBERS, "(WX-4400)", "[12]", "-5"])
@pytest.mark.parametrize("place", [0, 1, 2])
def test_a_part_of_another_script_or_a_number_is_whole_and_in_its_place(
    script: tuple[str, ...], part: str, place: int
) -> None:
    words = list(script[:2])
    words.insert(place, part)
    assert logical(visual(" ".join(words))) == " ".join(words)


@pytest.mark.parametrize("text", ["2024-05-01", "+49-30-123456", "15%", "12-15"])
def test_a_number_of_an_arabic_line_that_is_shown_in_its_usual_order_is_kept(text: str) -> None:
    assert logical(f"{ARABIC[1][::-1]} {text} {ARABIC[0][::-1]}") == f"{ARABIC[0]} {text} {ARABIC[1]}"


def test_hebrew_words_of_an_english_line_are_in_their_order() -> None:
    shown = f"The words {HEBREW[1][::-1]} {HEBREW[0][::-1]} mean a price"
    assert logical(shown, is_right_to_left=False) == f"The words {HEBREW[0]} {HEBREW[1]} mean a price"


def test_an_english_line_that_has_hebrew_words_keeps_its_order_on_a_hebrew_page() -> None:
    english = f"The word {HEBREW[0]} is on page two and {HEBREW[1]} is on page ten."
    shown = english.replace(HEBREW[0], HEBREW[0][::-1]).replace(HEBREW[1], HEBREW[1][::-1])
    hebrew = visual(" ".join(HEBREW * 3))
    assert english in " ".join(block.text for block in read(hebrew, hebrew, hebrew, shown))


@pytest.mark.parametrize("part", ["WX-4400", "Hartwell Desk", "1,250.50", "(WX-4400)"])
def test_a_line_of_a_page_is_one_paragraph_in_logical_order(part: str) -> None:
    line = f"{HEBREW[0]} {HEBREW[1]} {part} {HEBREW[2]} {HEBREW[3]}"
    assert [block.text for block in read(visual(line))] == [line]


def test_ligatures_are_opened_after_the_reordering() -> None:
    # A font names the letters of a ligature, or its presentation form.
    glyphs = ("م", "لا", "س", "ل", "ا", " ", "ز", "و", "ج", "ي", " ", "\ufefb")
    assert [block.text for block in read(glyphs)] == ["لا يجوز السلام"]


def test_marks_stay_with_their_letters() -> None:
    assert [block.text for block in read(("ד", "ל", "י", " ", "ב", "ו", "ט"))] == ["טוב ילד"]


def test_words_of_a_cell_are_in_the_order_of_a_line_and_columns_from_the_right() -> None:
    rows = [("קוד הגמל", "שם של לוח"), ("WX-4400", "מחיר 15%"), ("KL-2200", "שלום לוח")]
    placed = [
        (right - WIDTH * len(cell), TOP - 20 * number, visual(cell))
        for number, row in enumerate(rows)
        for right, cell in zip((540, 300), row, strict=True)
    ]
    blocks = read_document(any_script(*placed), "pdf").blocks
    assert [block.rows for block in blocks] == [tuple(rows)]


def test_a_label_and_its_value_are_one_line() -> None:
    label, value = "שם הגמל:", "לוח"
    blocks = read_document(any_script((400, TOP, visual(label)), (200, TOP, visual(value))), "pdf").blocks
    assert [block.text for block in blocks] == [f"{label} {value}"]
