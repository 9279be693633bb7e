"""Words that a page draws more than once at one place are read once."""

import pytest

from groundwire_readers.dispatch import read_document
from tests.readers.pdf.drawing import BOLD, drawn, text

LINE = "The tariff of the night is paid at the quay."
OTHER = text(72, 600, "Nobody sails before the harbour master has seen the receipt.")

OVERPRINTS = {
    "the whole line again, for bold letters": text(72, 700, LINE) + OTHER + text(72.4, 700, LINE),
    "its last word before the others": text(226, 700, "quay.") + OTHER + text(72, 700, LINE),
    "parts of a word after it": text(72, 700, LINE) + OTHER + text(92, 700, "tar") + text(103.6, 700, "iff"),
}


@pytest.mark.parametrize("name", OVERPRINTS)
def test_letters_that_are_drawn_again_at_the_same_place_are_read_once(name: str) -> None:
    words = " ".join(block.text for block in read_document(drawn([OVERPRINTS[name]]), "pdf").blocks).split()
    assert sorted(words) == sorted(f"{LINE} Nobody sails before the harbour master has seen the receipt.".split())


def test_equal_words_below_each_other_and_beside_each_other_are_all_read() -> None:
    page = text(72, 700, "boat boat boat") + text(72, 688, "boat boat boat") + text(72, 700, "b", 30, BOLD)
    words = " ".join(block.text for block in read_document(drawn([page]), "pdf").blocks).split()
    assert words.count("boat") == 6
