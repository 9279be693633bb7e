"""Normalised text: nothing invisible, no live links, the same when done twice."""

import sys
import unicodedata

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from groundwire.domain.text import normalise, normalise_code

_FORBIDDEN = ("Cc", "Cf", "Cs")
messy = st.text(
    st.one_of(
        st.characters(),
        st.sampled_from("[](!<>)\u200b\u202e\u00ad\ufffe\u0301e\ud800\U000e0041 \n\t"),
        st.sampled_from(["![a](http://x.y/z)", "[b](https://h.example)", "<img src=x>"]).map(lambda text: text[0]),
    ),
    max_size=60,
)
linked = st.lists(
    st.sampled_from(["![", "[", "]", "(", ")", "](", "http://a.b/", "data:x", "t", " ", '"', "<img ", ">", "\u0301"]),
    max_size=40,
).map("".join)


@given(st.one_of(messy, linked))
@example("e![](http://x)\u0301")
@example("[" * 12 + "a" + "](http://h.example)" * 12)
@settings(max_examples=300, deadline=None)
def test_normalising_twice_changes_nothing(text: str) -> None:
    assert normalise(normalise(text)) == normalise(text)
    assert normalise_code(normalise_code(text)) == normalise_code(text)


@given(messy)
@settings(max_examples=200, deadline=None)
def test_nothing_invisible_survives(text: str) -> None:
    clean = normalise(text)
    assert not [character for character in clean if unicodedata.category(character) in _FORBIDDEN]
    assert clean == unicodedata.normalize("NFC", clean)
    assert clean == " ".join(clean.split())
    assert "](" not in clean


def test_every_control_format_and_surrogate_character_of_unicode_is_removed() -> None:
    hidden = [chr(point) for point in range(sys.maxunicode + 1) if unicodedata.category(chr(point)) in _FORBIDDEN]
    survivors = [character for character in hidden if normalise(f"a{character}b") not in ("ab", "a b")]
    assert survivors == []


@pytest.mark.parametrize(
    ("text", "clean"),
    [
        ("cafe\u0301", "café"),
        ("pass\u200bword\u202e\U000e0041", "password"),
        ("hyphen\ufffe\nated co\u00ad\noperate soft\u00adly", "hyphenated cooperate softly"),
        ("a\u00a0 b\r\n\tc\u2028d", "a b c d"),
        ("see [the form](https://evil.example/p?q=1)", "see the form (evil.example)"),
        ("see [evil.example](https://evil.example/p)", "see evil.example"),
        ("see [above](#part) and [mail](mailto:a@b.c)", "see above and mail"),
        ("x ![logo](https://evil.example/?d=secret) y", "x y"),
        ("x ![dot](data:image/png;base64,AAAA) y", "x y"),
        ("x ![diagram](figures/a.png) y", "x diagram y"),
        ("x ![name][ref] <img src='http://e.vil'> y", "x name y"),
        ("array[0](1) stays readable", "array0 stays readable"),
    ],
)
def test_text_is_cleaned_as_a_reader_would_expect(text: str, clean: str) -> None:
    assert normalise(text) == clean


def test_code_keeps_its_lines_and_indentation() -> None:
    assert normalise_code("\n\nif x:\r\n    y = '\u200b'  \n\n") == "if x:\n    y = ''"


def test_hostile_brackets_are_cleaned_in_reasonable_time() -> None:
    assert "](" not in normalise("[" * 20_000 + "a" + "](http://h.example)" * 20_000)
    assert normalise("![" * 50_000).count("![") == 50_000
