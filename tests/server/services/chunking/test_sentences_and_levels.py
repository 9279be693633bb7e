"""Where sentences end, and what section numbers say about levels."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from groundwire.domain.text.sentences import sentences
from groundwire_readers.contents.heading_levels import repair_heading_levels
from groundwire_readers.contents.parsed import Block, BlockKind
from tests.support.plugins.draws import examples


@given(st.text(st.sampled_from("aB1 .!?。\n\"')"), max_size=80))
@settings(max_examples=examples(200), deadline=None)
def test_sentences_put_together_are_the_paragraph(text: str) -> None:
    assert "".join(sentences(text)) == text


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("One. Two! Three?", ["One.", "Two!", "Three?"]),
        ("See Fig. 3 by Dr. Who, e.g. J. Doe. End.", ["See Fig. 3 by Dr. Who, e.g. J. Doe.", "End."]),
        ("It costs 3.50 EUR. No. 5 is free. The answer is no. Really.", None),
        ('He said "stop." She did.', ['He said "stop."', "She did."]),
        ("終わり。次の文\uff01最後", ["終わり。", "次の文\uff01", "最後"]),
    ],
)
def test_abbreviations_end_no_sentence(text: str, parts: list[str] | None) -> None:
    expected = parts or ["It costs 3.50 EUR.", "No. 5 is free.", "The answer is no.", "Really."]
    assert [part.strip() for part in sentences(text)] == expected


def levels(*headings: tuple[int, str]) -> list[int]:
    blocks = [Block(BlockKind.HEADING, text, level=level) for level, text in headings]
    return [block.level for block in repair_heading_levels(blocks)]


def test_flat_levels_follow_the_section_numbers() -> None:
    assert levels((2, "2 Archive"), (2, "2.2 Areas"), (2, "2.2.1 Main"), (2, "2.3 Rights")) == [1, 2, 3, 2]


def test_levels_in_step_with_their_numbers_are_left_alone() -> None:
    assert levels((1, "Handbook"), (2, "1 Scope"), (3, "1.1 Who"), (2, "2 Pay")) == [1, 2, 3, 2]


def test_numbers_that_form_no_sections_are_left_alone() -> None:
    assert levels((2, "1. Apply"), (3, "2. Wait"), (2, "Other")) == [2, 3, 2]


def test_a_year_is_no_section_number() -> None:
    assert levels((1, "2024 Results"), (3, "2.1 Sales"), (3, "2.1.1 Europe")) == [1, 2, 3]


def test_an_unnumbered_chapter_title_is_above_its_numbered_sections() -> None:
    given_levels = levels(
        (2, "2.5 Priorities"), (3, "CHAPTER THREE"), (3, "BINARIES"), (2, "3.1 Names"), (2, "3.1.1 Odd")
    )
    assert given_levels == [2, 1, 1, 2, 3]
