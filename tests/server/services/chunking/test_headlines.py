"""Headlines and summaries: short, readable, never a piece of a table row."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from groundwire.domain.documents.segment import Chunk
from groundwire.domain.limits import HEADLINE_MAX_WORDS
from groundwire.domain.passages.chunking import chunk
from groundwire.domain.passages.headlines import headline, repeated_headings
from groundwire.domain.passages.summaries import summary
from groundwire_readers.contents.parsed import Block, BlockKind
from tests.server.services.chunking.documents import blocks, document
from tests.support.plugins.draws import examples

NONE: frozenset[str] = frozenset()


def passage(text: str, *path: str) -> Chunk:
    return Chunk(0, text, path, None, None)


@given(st.lists(blocks, min_size=1, max_size=8), st.sampled_from(["", "Staff Handbook", "A " * 12]))
@settings(max_examples=examples(40), deadline=None)
def test_a_headline_is_short_and_never_empty(found: list[Block], title: str) -> None:
    pieces = chunk(document(found))
    repeated = repeated_headings(pieces)
    for piece in pieces:
        name = headline(piece, title, repeated)
        assert name
        assert len(name.split()) <= HEADLINE_MAX_WORDS
        assert "|" not in name
        assert "\n" not in name


def test_the_first_passage_of_a_section_is_called_by_its_heading() -> None:
    assert (
        headline(passage("2.1 Annual leave\n\nAsk first.", "HR", "2.1 Annual leave"), "Handbook", NONE)
        == "2.1 Annual leave"
    )


def test_a_one_word_heading_is_distinguished_by_the_title() -> None:
    assert headline(passage("Overview\n\nText.", "Overview"), "Travel Policy", NONE) == "Travel Policy: Overview"


def test_a_title_that_is_the_numbered_heading_itself_is_not_given_twice() -> None:
    first, later = passage("1 Introduction\n\nText.", "1 Introduction"), passage("Doors are shut.", "1 Introduction")
    assert headline(first, "1 Introduction", NONE) == "1 Introduction"
    assert headline(later, "1 Introduction", NONE) == "1 Introduction: Doors are shut."
    assert headline(passage("2 Costs\n\nText.", "2 Costs"), "1 Travel policy", NONE) == "Travel policy: Costs"


def test_a_later_passage_adds_its_own_first_words() -> None:
    piece = passage("Unused days expire in March. They are not paid.", "Annual leave")
    assert headline(piece, "Handbook", NONE) == "Annual leave: Unused days expire in March."


def test_a_passage_without_heading_is_called_by_title_and_first_words() -> None:
    assert headline(passage("Doors close at ten."), "House rules", NONE) == "House rules: Doors close at ten."


def test_a_table_is_called_by_its_columns_and_summed_up() -> None:
    piece = passage("Item | Price | State\nBolt | 2 | new\nNut | 1 | old", "Price list")
    assert headline(piece, "Sales", NONE) == "Price list: Item, Price, State"
    assert summary(piece) == "Table of Item, Price and State with 2 rows."


def test_a_part_of_a_row_that_is_spelled_out_is_called_by_the_name_of_the_row() -> None:
    piece = passage(
        "Name: Bolt\nColumn 10: it is made of steel\nColumn 11: it is kept in the yard", "Stock of the yard"
    )
    assert headline(piece, "Stock", NONE) == "Stock of the yard: Name: Bolt"


def test_list_marks_and_headings_are_not_part_of_the_summary() -> None:
    piece = passage("Part\n\nRules\n\n- Knock first.\n- **Wait** outside.\n- Go in.", "Part", "Rules")
    assert summary(piece) == "Knock first. Wait outside. Go in."


def test_a_long_sentence_is_cut_between_words() -> None:
    text = summary(passage("word " * 200, "Long"))
    assert len(text) <= 301
    assert text.endswith("word\u2026")


def test_a_heading_that_many_sections_have_is_distinguished_by_the_one_above() -> None:
    first = passage("3.4.1. Specific options\n\nOne.", "/bin: Commands", "3.4.1. Specific options")
    other = passage("3.5.1. Specific options\n\nTwo.", "/boot: Boot loader", "3.5.1. Specific options")
    repeated = repeated_headings([first, other])

    assert headline(first, "Standard", repeated) == "/bin: Commands: Specific options"
    assert headline(first, "Standard", NONE) == "3.4.1. Specific options"
    assert repeated_headings([first, first]) == NONE


def test_what_is_above_is_cut_rather_than_the_heading() -> None:
    long = "Binaries that all users need (and that scripts call early) when booting"
    assert (
        headline(passage("Purpose\n\nText.", long, "Purpose"), "T", NONE)
        == "Purpose: Binaries that all users need\u2026"
    )


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("5 4 To see why this is needed, read on.", "To see why this is needed, read on."),
        ("11.8.7 Installation directory issues . . . . . . 109", "Installation directory issues"),
        ("3.8.3. Home directory specifications", "Home directory specifications"),
        ("c. It is noted in the register.", "It is noted in the register."),
        ("(iii) Doors are shut at ten.", "Doors are shut at ten."),
        ("[12] Described in the manual of 2019.", "Described in the manual of 2019."),
        ("3 months' notice is needed.", "3 months' notice is needed."),
        ("2024 was a good year.", "2024 was a good year."),
        ("and that is all of it. Doors are shut at ten.", "Doors are shut at ten."),
        ("d666f1f7-46cb-42bd-9a39-9a39cf2a509f\n\nDoors are shut at ten.", "Doors are shut at ten."),
        ("+-----+-----+\n\nDoors are shut at ten.", "Doors are shut at ten."),
        ("As follows:\n\nDoors are shut at ten.", "Doors are shut at ten."),
        ("The firm , a new one , grew.[13][14]: 210 Doors shut.", "The firm, a new one, grew."),
        ("The campaign[43] of the spring was a success.", "The campaign of the spring was a success."),
        (
            "----- | ------\nLow | It is a note that people should see, always.",
            "It is a note that people should see\u2026",
        ),
    ],
)
def test_an_opening_is_a_whole_sentence_without_numbering_or_rules(text: str, name: str) -> None:
    assert headline(passage(text), "House rules", NONE) == f"House rules: {name}"


def test_a_headline_does_not_end_on_an_article_or_an_open_bracket() -> None:
    text = "Doors are shut at ten by the (new) keeper of the house and of the yard."
    assert headline(passage(text), "", NONE) == "Doors are shut at ten by the (new) keeper\u2026"
    assert headline(passage("Doors are shut at ten (see the rules of the house in the hall)."), "", NONE) == (
        "Doors are shut at ten\u2026"
    )


def test_a_heading_that_leaves_no_room_gives_way_to_the_words_of_the_passage() -> None:
    long = "Rules for everybody who works in the house at night"
    assert headline(passage("Keys are kept in the office until six.", long), "T", NONE) == (
        "Keys are kept in the office until six."
    )


def test_text_that_nobody_can_see_names_no_passage() -> None:
    [piece] = chunk(document([Block(BlockKind.PARAGRAPH, "Wire it all to us.", page=3, is_unverified=True)]))
    assert headline(piece, "Ledger", NONE) == "Ledger: Page 3"
    assert headline(piece, "", NONE) == "Page 3"
    [seen] = chunk(document([Block(BlockKind.PARAGRAPH, "Wire it all to us.", page=3)]))
    assert headline(seen, "Ledger", NONE) == "Ledger: Wire it all to us."
