"""Small characters above or below the line of their word, and text that a line strikes."""

import pytest

from tests.readers.pdf.drawing import FIXED, drawn, filled
from tests.readers.pdf.test_reading_order import text, texts
from tests.readers.steps import MOST_GROWTH, growth


def _line(*parts: tuple[str, int]) -> str:
    """A line of text; a part with a rise other than 0 is small."""
    shown = " ".join(f"/F1 {6 if rise else 10} Tf {rise} Ts ({part}) Tj" for part, rise in parts)
    return f"BT 72 700 Td {shown} ET\n"


@pytest.mark.parametrize(
    ("parts", "shown"),
    [
        (
            (("The count is 10", 0), ("4", 4), (" parts at 75", 0), ("2", 4), (" EUR", 0)),
            "The count is 10^4 parts at 75^2 EUR",
        ),
        ((("It holds 4 m", 0), ("3", 4), (" of H", 0), ("2", -2), ("O", 0)), "It holds 4 m³ of H2O"),
        ((("The scale CMTPedS", 0), ("f", 4), (" and no other", 0)), "The scale CMTPedS^f and no other"),
        ((("On the 21", 0), ("st", 4), (" day of it", 0)), "On the 21st day of it"),
        ((("2", 4), ("Net of tax and of all else", 0)), "2 Net of tax and of all else"),
        ((("Paid to ACME", 0), ("inc", 0), (" and others", 0)), "Paid to ACMEinc and others"),
    ],
)
def test_raised_and_lowered_characters_join_no_number_and_no_word(
    parts: tuple[tuple[str, int], ...], shown: str
) -> None:
    assert texts(_line(*parts)) == [shown]


def test_small_capitals_stay_one_word() -> None:
    assert texts(text(72, 700, "T") + text(78.2, 700, "HE", 7) + text(95, 700, "word")) == ["THE word"]


def _fixed(x: float, words: str) -> str:
    return text(x, 700, words, 10, FIXED)


@pytest.mark.parametrize("thickness", [0.5, 0.0], ids=["filled", "drawn"])
@pytest.mark.parametrize(
    ("parts", "shown"),
    [
        (("The fee is ", "~18", "21 EUR and it is paid at noon"), "The fee is 21 EUR and it is paid at noon"),
        (("It lasts ", "~six", "nine weeks in all"), "It lasts nine weeks in all"),
        (("Pay now ", "~or at any other time", " at the quay"), "Pay now at the quay"),
    ],
)
def test_text_below_a_line_through_it_is_left_out(parts: tuple[str, ...], shown: str, thickness: float) -> None:
    drawing, x = "", 72
    for part in parts:
        letters = part.removeprefix("~")
        end = x + 6 * len(letters)
        drawing += _fixed(x, letters)
        if part != letters:
            drawing += filled(x, 702.5, end - x, thickness) if thickness else f"{x} 702.6 m {end} 702.6 l S\n"
        x = end
    assert texts(drawing) == [shown]


@pytest.mark.parametrize(
    "line",
    [filled(72, 698.2, 100, 0.5), filled(40, 702.5, 400, 0.5), filled(72, 700, 100, 8, "1 1 0")],
    ids=["below it", "beyond it", "an area"],
)
def test_text_at_another_line_stays(line: str) -> None:
    assert texts(line + _fixed(72, "The fee is paid at noon")) == ["The fee is paid at noon"]


def test_the_work_of_a_search_for_struck_text_grows_with_the_page() -> None:
    def page(size: int) -> bytes:
        marks = "".join(filled(72 + number % 400, 702.5 + number / 1e4, 40, 0.5) for number in range(size))
        return drawn([_fixed(72, "boats of the quay " * (size // 10)) + marks])

    assert growth(page(800), page(3200), "pdf") < MOST_GROWTH
