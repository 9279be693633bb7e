"""Summaries: whole sentences of the passage itself, those that most others speak of, on one line."""

import re

from hypothesis import given, settings
from hypothesis import strategies as st

from groundwire.domain.documents.segment import Chunk
from groundwire.domain.limits import SUMMARY_MAX_CHARACTERS
from groundwire.domain.passages.chunking import chunk
from groundwire.domain.passages.headlines import headline
from groundwire.domain.passages.summaries import summary
from groundwire_readers.contents.parsed import Block, BlockKind
from tests.server.services.chunking.documents import blocks, document
from tests.support.plugins.draws import examples


def passage(text: str, *path: str) -> Chunk:
    return Chunk(0, text, path, None, None)


@given(st.lists(blocks, min_size=1, max_size=8))
@settings(max_examples=examples(40), deadline=None)
def test_a_summary_is_one_to_three_sentences_on_one_line(found: list[Block]) -> None:
    for piece in chunk(document(found)):
        text = summary(piece)
        assert text
        assert len(text) <= SUMMARY_MAX_CHARACTERS + 60
        assert not re.search(r"[|\n]", text)
        assert summary(piece) == text


def test_a_short_passage_is_its_own_summary() -> None:
    piece = passage("Rules\n\nDoors are shut at ten. Keys stay in the office.", "Rules")
    assert summary(piece) == "Doors are shut at ten. Keys stay in the office."


def test_of_a_long_passage_the_sentences_that_the_others_share_words_with_are_taken_in_order() -> None:
    piece = passage(
        "The works council met on Monday to speak of the new shift plan for the calibration hall. "
        "Coffee was served, and somebody had brought a cake with cherries and far too much cream on it. "
        "The shift plan moves the calibration hall to two shifts from March, said the head of the hall. "
        "A tram was heard outside, and a window had to be closed because of the wind from the river. "
        "The works council agreed to the shift plan of the hall on condition that nights stay free."
    )
    found = summary(piece)
    assert found.startswith("The works council met on Monday")
    assert "cherries" not in found
    assert "tram" not in found
    assert len(found) <= SUMMARY_MAX_CHARACTERS


def test_a_sentence_that_points_back_is_not_taken_before_what_it_points_at() -> None:
    first = "Each pump of the plant is tested by a fitter before every season of the plant begins in spring and autumn."
    back = "This is done by a fitter of the plant before every season of the plant and each pump is then sealed again."
    rest = "Invoices go to the head office, where somebody looks at them for a week and then puts them into a drawer."
    assert summary(passage(f"{back} {rest} {first}")).endswith("in spring and autumn.")


def test_items_of_a_list_are_sentences_and_marks_are_none() -> None:
    piece = passage("Part\n\nRules\n\n- Knock first\n- **Wait** outside.\n- 3. Go in.", "Part", "Rules")
    assert summary(piece) == "Knock first. Wait outside. Go in."


def test_a_table_is_summed_up_by_its_columns_and_rows() -> None:
    assert summary(passage("Item | Price | State\nBolt | 2 | new\nNut | 1 | old", "Price list")) == (
        "Table of Item, Price and State with 2 rows."
    )
    assert summary(passage("No. | Item\n1 | Bolt")) == "Table of No. and Item with 1 row."
    assert summary(passage("Item | Price")) == "Table of Item and Price."


def test_a_page_laid_out_in_columns_is_no_table() -> None:
    piece = passage(
        "Low | A note that people should see, if they can.\n----- | -----\nHigh | An alarm that wakes them."
    )
    assert summary(piece) == "A note that people should see, if they can. An alarm that wakes them."


def test_a_long_sentence_is_cut_between_words() -> None:
    text = summary(passage("word " * 200, "Long"))
    assert len(text) <= SUMMARY_MAX_CHARACTERS + 1
    assert text.endswith("word\u2026")


def test_a_passage_without_sentences_is_still_summed_up() -> None:
    assert summary(passage("42")) == "42."


def test_a_wide_table_is_summed_up_by_its_first_columns() -> None:
    names = [f"Column {number}" for number in range(12)]
    piece = passage("\n".join([" | ".join(names), " | ".join("x" * 12)]), "Stock")
    assert summary(piece) == f"Table of {', '.join(names[:8])} and 4 more columns with 1 row."


def test_who_wrote_a_mail_is_no_sentence_of_it() -> None:
    assert summary(passage("Dear all,\n\nthe station opens.", "Opening")) == "the station opens."
    head = "Opening\n\n- From: Ann Author (ann@example.com)\n- To: all@example.com\n- Date: 31 May 2024"
    assert summary(passage(f"{head}\n\nThe station opens on Monday at eight.", "Opening")) == (
        "The station opens on Monday at eight."
    )
    assert summary(passage(head, "Opening")).startswith("From: Ann Author")


def test_a_row_of_codes_and_numbers_is_no_sentence_of_a_summary() -> None:
    rows = "Article Place Expected Status\nAB-8847 A-12 450 OK\nAB-9201 C-15 780 -23 LATE\nAB-4563 D-22 156 OK"
    piece = passage(f"{rows}\n\nThe count of the spring found all in their places.", "Stock")
    assert summary(piece) == "Article Place Expected Status. The count of the spring found all in their places."


def test_a_table_whose_columns_have_no_names_is_summarised_by_its_rows() -> None:
    figures = (
        " | Three Months Ended | \n | July 1, 2023 | June 25, 2022\nNet sales: |  | \nProducts | $ 60,584 | $ 63,355"
    )
    assert summary(passage(figures)) == "Table of Net sales and Products."
    marks = "Informed consent | X |  | \nMedical information |  | X | X\nVital signs | X | X | X"
    assert summary(passage(marks)) == "Table of Informed consent, Medical information and Vital signs."


def test_a_table_of_labels_and_values_is_summarised_by_its_labels() -> None:
    rows = (("Maker", "Weir and Sons"), ("Registration", "sailing boat"), ("Home port", "Weirhaven"))
    [piece] = chunk(document([Block(BlockKind.TABLE, "", rows=rows, header_rows=0)]))
    assert summary(piece) == "Table of Maker, Registration and Home port."
    assert headline(piece, "Boats", frozenset()) == "Boats: Maker, Registration, Home port"


def test_the_caption_of_a_table_is_the_beginning_of_its_summary() -> None:
    rows = (("Item", "Price"), ("Bolt", "cheap"), ("Nut", "dear"))
    [piece] = chunk(document([Block(BlockKind.TABLE, "", rows=rows, caption="Prices of the yard\n(in thousands)")]))
    assert summary(piece) == "Prices of the yard (in thousands). Table of Item and Price with 2 rows."
    unit = Block(BlockKind.TABLE, "", rows=rows, caption="(in thousands)")
    [piece] = chunk(document([Block(BlockKind.HEADING, "Prices", level=1), unit]))
    assert summary(piece) == "Prices (in thousands). Table of Item and Price with 2 rows."
    assert headline(piece, "Yard", frozenset()) == "Yard: Prices"
