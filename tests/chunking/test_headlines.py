"""Headlines and summaries: short, readable, never a piece of a table row."""

import re

from hypothesis import given, settings
from hypothesis import strategies as st

from groundwire.domain.chunking import chunk
from groundwire.domain.documents import Block, Chunk
from groundwire.domain.headlines import headline, summary
from groundwire.domain.limits import HEADLINE_MAX_WORDS
from tests.chunking.documents import blocks, document


def passage(text: str, *path: str) -> Chunk:
    return Chunk(0, text, path, None, None)


@given(st.lists(blocks, min_size=1, max_size=8), st.sampled_from(["", "Staff Handbook", "A " * 12]))
@settings(max_examples=40, deadline=None)
def test_a_headline_is_short_and_never_empty(found: list[Block], title: str) -> None:
    for piece in chunk(document(found)):
        name = headline(piece, title)
        assert name
        assert len(name.split()) <= HEADLINE_MAX_WORDS
        assert "|" not in name
        assert "\n" not in name


@given(st.lists(blocks, min_size=1, max_size=8))
@settings(max_examples=40, deadline=None)
def test_a_summary_is_one_to_three_sentences_on_one_line(found: list[Block]) -> None:
    for piece in chunk(document(found)):
        text = summary(piece)
        assert text
        assert len(text) <= 360
        assert not re.search(r"[|\n]", text)


def test_the_first_passage_of_a_section_is_called_by_its_heading() -> None:
    assert (
        headline(passage("2.1 Annual leave\n\nAsk first.", "HR", "2.1 Annual leave"), "Handbook") == "2.1 Annual leave"
    )


def test_a_one_word_heading_is_told_apart_by_the_title() -> None:
    assert headline(passage("Overview\n\nText.", "Overview"), "Travel Policy") == "Travel Policy: Overview"


def test_a_later_passage_adds_its_own_first_words() -> None:
    piece = passage("Unused days expire in March. They are not paid.", "Annual leave")
    assert headline(piece, "Handbook") == "Annual leave: Unused days expire in March."


def test_a_passage_without_heading_is_called_by_title_and_first_words() -> None:
    assert headline(passage("Doors close at ten."), "House rules") == "House rules: Doors close at ten."


def test_a_table_is_called_by_its_columns_and_summed_up() -> None:
    piece = passage("Item | Price | State\nBolt | 2 | new\nNut | 1 | old", "Price list")
    assert headline(piece, "Sales") == "Price list: Item, Price, State"
    assert summary(piece) == "Table of Item, Price and State with 2 rows."


def test_list_marks_and_headings_are_not_part_of_the_summary() -> None:
    piece = passage("Part\n\nRules\n\n- Knock first.\n- **Wait** outside.\n- Go in.", "Part", "Rules")
    assert summary(piece) == "Knock first. Wait outside."


def test_a_long_sentence_is_cut_between_words() -> None:
    text = summary(passage("word " * 200, "Long"))
    assert len(text) <= 301
    assert text.endswith("word\u2026")
