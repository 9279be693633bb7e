"""How much of a user's words is searched."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from groundwire.domain.limits import MAX_PHRASE_CHARACTERS, MAX_PHRASE_WORDS
from groundwire.domain.search.request import truncate_phrase
from tests.support.plugins.draws import examples

SPACES = " \t\n\u3000\xa0"
PIECES = st.sampled_from(
    [
        "a",
        "pump",
        "e\u0301",
        "\u1112\u1161\u11ab",
        "\u0915\u093f",
        "\u6f22\u5b57",
        "\U0001f469\u200d\U0001f467",
        "x" * 90,
    ]
)
LONG = st.builds("".join, st.lists(PIECES | st.sampled_from(SPACES), min_size=1, max_size=40)).flatmap(
    lambda text: st.integers(1, 300).map(lambda times: text * times)
)


def words(text: str) -> list[str]:
    return text.split()


@pytest.mark.parametrize(
    "phrase",
    [
        "How many days of leave do I have?",
        "",
        "  two  spaces\n",
        " ".join(f"word{number}" for number in range(MAX_PHRASE_WORDS)),
        "x" * MAX_PHRASE_CHARACTERS,
        "\u6f22" * MAX_PHRASE_CHARACTERS,
        f"\n{' a' * MAX_PHRASE_WORDS} \n",
    ],
)
def test_a_phrase_within_both_limits_is_searched_as_it_is(phrase: str) -> None:
    assert truncate_phrase(phrase) == phrase


@pytest.mark.parametrize(
    ("phrase", "searched"),
    [
        (" ".join(["word"] * (MAX_PHRASE_WORDS + 1)), " ".join(["word"] * MAX_PHRASE_WORDS)),
        ("a-b, " * 200, ("a-b, " * MAX_PHRASE_WORDS).rstrip()),
        ("first " + "x" * 50 + " " + "x" * 1990, "first " + "x" * 50 + " " + "x" * 1943),
        ("longword " * 240, ("longword " * MAX_PHRASE_WORDS).rstrip()),
        ("a" * 1990 + " longer words", "a" * 1990 + " longer"),
        ("a" * 1996 + " word", "a" * 1996),
        ("a" * 1996 + " and", "a" * 1996 + " and"),
        (" " * 5000 + "word", "word"),
        ("word" + " " * 5000, "word"),
    ],
)
def test_a_longer_one_is_cut_after_a_word(phrase: str, searched: str) -> None:
    assert truncate_phrase(phrase) == searched


def test_text_without_spaces_is_searched_as_far_as_its_characters_go() -> None:
    assert truncate_phrase("\u6f22" * 5_000) == "\u6f22" * MAX_PHRASE_CHARACTERS
    assert truncate_phrase("Pump \u6f22" + "\u5b57" * 5_000) == "Pump \u6f22" + "\u5b57" * (MAX_PHRASE_CHARACTERS - 6)


@pytest.mark.parametrize(
    "character",
    [
        "e\u0301",
        "a\u0323\u0302",
        "\u1112\u1161\u11ab",
        "\ud55c",
        "\uac00\u11a8",
        "\u0915\u093f",
        "\u0e01\u0e33",
        "\U0001f469\u200d\U0001f467",
        "\U0001f44d\U0001f3fd",
        "\u2764\ufe0f",
    ],
    ids=ascii,
)
@pytest.mark.parametrize("before", range(4))
def test_no_cut_falls_inside_of_a_character(character: str, before: int) -> None:
    kept = truncate_phrase("x" * before + character * MAX_PHRASE_CHARACTERS)
    count = (MAX_PHRASE_CHARACTERS - before) // len(character)
    assert kept == "x" * before + character * count


def test_a_character_that_has_no_end_is_cut_all_the_same() -> None:
    assert len(truncate_phrase("e" + "\u0301" * 1_000_000)) == MAX_PHRASE_CHARACTERS


@given(phrase=LONG)
@hypothesis_settings(deadline=None, max_examples=examples(300))
def test_what_is_searched_is_a_beginning_within_both_limits_that_composes_as_it_did(phrase: str) -> None:
    kept = truncate_phrase(phrase)
    assert len(kept) <= MAX_PHRASE_CHARACTERS
    assert len(words(kept)) <= MAX_PHRASE_WORDS
    assert truncate_phrase(kept) == kept
    assert phrase.strip().startswith(kept.strip())
    whole, beginning = unicodedata.normalize("NFC", phrase.strip()), unicodedata.normalize("NFC", kept.strip())
    assert whole.startswith(beginning)
    # A word that is begun, or a character, is all that is given up beside.
    rest = phrase.strip()[len(kept.strip()) :]
    following = len(phrase.strip()) - len(rest.lstrip())
    assert not rest or len(words(kept)) == MAX_PHRASE_WORDS or following > MAX_PHRASE_CHARACTERS - 110
