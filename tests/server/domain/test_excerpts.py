"""Excerpts of passages: the figure that a question asks for, as the passage has it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.domain.passages.excerpts import excerpt

PRICES = """Sensors

Order code | Product | List price EUR
SP-200 | Sandpiper 200 level radar | 1480
SP-400 | Sandpiper 400 long-range level radar | 2150
DF-3 | Dipper F3 flow radar | 3940

All prices in euros without VAT, ex works Deventer."""
LEAVE = (
    "4.1 Annual leave\n\nThe yearly entitlement is 27 days for a five-day week. "
    "Up to five unused days move into the next year, unless illness or parental leave prevented you from taking them."
)
LONG = " ".join(f"Paragraph {number} is about the committee and its members." for number in range(40))


def test_a_question_about_a_row_gets_its_cells_behind_the_names_of_their_columns() -> None:
    shown = excerpt(PRICES, ["price of a Sandpiper 400"], ["Sensors"])
    assert shown is not None
    assert shown.splitlines()[0] == (
        "Order code: SP-400 · Product: Sandpiper 400 long-range level radar · List price EUR: 2150"
    )
    assert "Dipper" not in shown


def test_words_of_the_heading_do_not_select_a_sentence_that_repeats_them() -> None:
    shown = excerpt(LEAVE, ["how many days of annual leave do I get"], ["4.1 Annual leave"])
    assert shown is not None
    assert shown.startswith("The yearly entitlement is 27 days")


def test_a_question_with_words_of_the_heading_alone_still_gets_an_excerpt() -> None:
    assert excerpt(LEAVE, ["annual leave"], ["4.1 Annual leave"]) is not None


@pytest.mark.parametrize(("word", "sentence"), [("invoices", "Each invoice is paid."), ("pay", "It pays in May.")])
def test_a_word_is_found_with_another_ending(word: str, sentence: str) -> None:
    found = excerpt(f"{LONG} {sentence}", [word], [])
    # A word of three letters has no stem that would be safe to compare.
    assert (found is not None and sentence in found) == (word == "invoices")


def test_a_rare_word_weighs_more_than_one_that_every_sentence_has() -> None:
    shown = excerpt(f"{LONG} The treasurer of the committee is Ada Byron. {LONG}", ["treasurer of the committee"], [])
    assert shown is not None
    assert "The treasurer of the committee is Ada Byron." in shown


def test_sentences_beside_the_best_one_fill_the_room_and_a_mark_replaces_what_lies_between() -> None:
    near = excerpt(f"{LONG} Report a theft at once. The number is 4711. {LONG}", ["report a theft"], [])
    assert near is not None
    assert "Report a theft at once. The number is 4711." in near
    far = excerpt(f"Theft is rare here. {LONG} Report each theft.", ["theft"], [])
    assert far is not None
    assert " … " in far


def test_rows_of_another_number_of_cells_than_the_header_have_no_labels() -> None:
    shown = excerpt("Name | Price\nPump | blue | 12", ["blue pump"], [])
    assert shown == "Pump · blue · 12"


@pytest.mark.parametrize("phrases", [[], [""], ["chess"], ["…"]])
def test_a_question_that_shares_no_word_with_the_text_has_no_excerpt(phrases: list[str]) -> None:
    assert excerpt(PRICES, phrases, []) is None


LINE = st.sampled_from(["Pump | 12", "A | B | C", "Valves close by hand. They open.", "", "x", "| |", "é 1.5"])


@given(lines=st.lists(LINE), phrases=st.lists(st.sampled_from(["pump", "valves 12", "b", "open", "é"])))
def test_an_excerpt_has_only_words_of_its_passage_and_is_bounded(lines: list[str], phrases: list[str]) -> None:
    text = "\n".join(lines)
    shown = excerpt(text, phrases, [])
    if shown is None:
        return
    assert shown.strip()
    assert len(shown) <= 361
    labels = shown.replace(" · ", " ").replace(" … ", " ").replace(":", "")
    assert set(labels.split()) <= set(text.replace("|", " ").split())
