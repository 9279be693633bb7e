import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from groundwire.adapters.lexical.analyzer import STOP_WORDS, analyzer_for, tokenize
from groundwire.adapters.lexical.weighting import phrase_terms
from tests.support.plugins.draws import examples

CASES = {
    "Hello, World!": ["hello", "world"],
    "the employee's don\u2019t": ["the", "employee", "don't"],
    "state-of-the-art": ["state", "of", "the", "art"],
    "ISO-9001": ["iso", "9001", "iso9001"],
    "ISO9001": ["iso9001"],
    "x_y __init__": ["x", "y", "xy", "init"],
    "3.14 and 1,200.50": ["3", "14", "3.14", "and", "1", "200", "50", "1200.50"],
    "and/or": ["and", "or"],
    "end.": ["end"],
    "\uff26\uff35\uff2c\uff2c \ufb01le": ["full", "file"],
    "STRASSE Straße": ["strasse", "strasse"],
    "हिन्दी में": ["हिन्दी", "में"],
    "東京都": ["東京", "京都"],
    "犬 dog猫": ["犬", "dog", "猫"],
    "한국어": ["한국", "국어"],
    "ภาษา": ["ภา", "าษ", "ษา"],
    "\U0001f600 … \ud800 \x00": [],
    "": [],
}


@pytest.mark.parametrize("text", CASES)
def test_text_falls_into_words(text: str) -> None:
    assert list(tokenize(text)) == CASES[text]


def test_composed_and_decomposed_letters_are_the_same_word() -> None:
    assert list(tokenize("cafe\u0301")) == list(tokenize("caf\u00e9")) == ["café"]


def test_stop_words_are_removed_and_inflected_forms_are_stemmed_alike() -> None:
    assert analyzer_for("en").stems("The dogs are running to be with a runner") == ["dog", "run", "runner"]


@pytest.mark.parametrize("language", STOP_WORDS)
def test_every_stop_word_is_a_word_as_texts_are_taken_apart(language: str) -> None:
    for word in STOP_WORDS[language]:
        assert list(tokenize(word)) == [word]
        assert analyzer_for(language).stems(word) == []


@pytest.mark.parametrize(
    ("language", "text", "stems"),
    [
        ("fr", "l’homme qu'il aujourd'hui", ["homm", "aujourd'hui"]),
        ("it", "dell'anno", ["anno"]),
        ("en", "l'homme o'neill", ["l'homm", "o'neil"]),
    ],
)
def test_what_is_elided_before_a_word_is_no_part_of_it(language: str, text: str, stems: list[str]) -> None:
    assert analyzer_for(language).stems(text) == stems


def test_a_language_is_known_with_its_region_and_in_any_case() -> None:
    assert {analyzer_for(code) for code in ("de", "DE", "de-AT", "de_CH")} == {analyzer_for("de")}
    assert analyzer_for("nb") is analyzer_for("nn") is analyzer_for("no")
    assert analyzer_for("") is analyzer_for("zz")
    assert analyzer_for("zh") is not analyzer_for("zz")
    assert analyzer_for("und") is analyzer_for("en")


def test_terms_of_two_languages_are_never_the_same() -> None:
    assert not {*phrase_terms("hotel bar", "en")} & {*phrase_terms("hotel bar", "zz")}


def test_a_repeated_stem_is_kept_twice() -> None:
    assert len(phrase_terms("dog dogs cat", "en")) == 3
    assert len(set(phrase_terms("dog dogs cat", "en"))) == 2


@settings(deadline=None, max_examples=examples(200))
@given(st.text(alphabet=st.characters(exclude_categories=[])))
def test_any_text_has_terms_of_forty_bits(text: str) -> None:
    assert all(0 <= term < 2**40 for term in phrase_terms(text, "en"))
    assert len(analyzer_for("en").terms(text)) == len(analyzer_for("en").stems(text))


@pytest.mark.parametrize(
    ("phrase", "language", "rest"),
    [
        ("When is the closing date of the announcement?", "ja", "closing date announcement"),
        ("When is the closing date of the announcement?", "fr", "closing date announcement"),
        ("When is the closing date of the announcement?", "de", "closing date announcement"),
        ("Ist das ein metrischer Raum?", "en", "metrischer Raum"),
        ("Ist das ein metrischer Raum?", "sv", "metrischer Raum"),
        ("die casting", "de", "casting"),
        ("die casting", "en", "die casting"),
        ("die casting", "ja", "die casting"),
        ("what number", "en", "what number"),
    ],
)
def test_stop_words_of_a_question_are_no_rare_words_of_passages_in_another_language(
    phrase: str, language: str, rest: str
) -> None:
    assert phrase_terms(phrase, language) == phrase_terms(rest, language)
