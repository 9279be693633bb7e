"""Small characters above or below the line of their word, by a text rise or a place of their own."""

import pytest

from tests.readers.pdf.test_reading_order import text, texts


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
