"""Keywords: the words in which a passage differs from the rest of its document."""

from hypothesis import given, settings
from hypothesis import strategies as st

from groundwire.domain.documents.segment import Chunk
from groundwire.domain.limits import MAX_KEYWORDS
from groundwire.domain.passages.chunking import chunk
from groundwire.domain.passages.keywords import keywords
from groundwire_readers.contents.parsed import Block
from tests.server.services.chunking.documents import blocks, document
from tests.support.plugins.draws import examples


def passages(*texts: str, heading: str = "") -> list[Chunk]:
    return [Chunk(number, text, (heading,) if heading else (), None, None) for number, text in enumerate(texts)]


@given(st.lists(blocks, min_size=1, max_size=8), st.sampled_from(["en", "und", "de"]))
@settings(max_examples=examples(40), deadline=None)
def test_keywords_are_few_and_words_of_the_passage(found: list[Block], language: str) -> None:
    pieces = chunk(document(found))
    named = keywords(pieces, language)
    assert len(named) == len(pieces)
    for piece, subjects in zip(pieces, named, strict=True):
        assert len(subjects) <= MAX_KEYWORDS
        assert len(set(subjects)) == len(subjects)
        assert all(word.casefold() in piece.text.casefold() for subject in subjects for word in subject.split())


PUMPS = "The spare pump is stored in the hall. The spare pump needs oil in May."
STAFF = "The staff council meets in the hall. The staff council speaks for the crew."


def test_what_sets_a_passage_apart_comes_before_what_all_have() -> None:
    pumps, staff = keywords(passages(PUMPS, STAFF), "en")
    assert pumps[0] == "spare pump"
    assert staff[0] == "staff council"
    assert "hall" not in (pumps[:2] + staff[:2])


def test_no_subject_is_named_twice_in_other_words() -> None:
    [found] = keywords(passages(PUMPS + " Spare pumps are red. A pump is dear."), "en")
    assert sum("pump" in subject.casefold() for subject in found) == 1


def test_function_words_numbers_and_codes_are_no_subjects() -> None:
    text = "It is what it was: 2024-05-31, 3.14, d666f1f7-46cb-42bd-9a39 and 1,000 for the boiler."
    assert keywords(passages(text), "en") == [("boiler",)]


def test_a_name_keeps_its_capitals_and_a_sentence_does_not_give_any() -> None:
    [found] = keywords(passages("Boilers heat. Boilers cool, and boilers rest. ACME owns them, says ACME."), "en")
    assert "boilers" in found
    assert "ACME" in found


def test_words_of_the_heading_weigh_more() -> None:
    text = "Gauges show and sensors measure."
    assert keywords(passages(text, heading="Sensors"), "en")[0][0] == "sensors"
    assert keywords(passages(text, heading="Gauges"), "en")[0][0] == "Gauges"


def test_function_words_of_a_language_without_a_list_are_recognised_by_their_use() -> None:
    german = (
        "Der Vertrag wird von der Firma gek\u00fcndigt, und die Frist ist in dem Vertrag genannt. "
        "Die Firma hat die Frist f\u00fcr den Urlaub und die Pflege in der Satzung genannt. "
    )
    [found] = keywords(passages(german * 2), "de")
    assert {"Vertrag", "Firma", "Frist"} <= {word for subject in found for word in subject.split()}
    assert not {"der", "die", "und", "ist", "hat"} & {word.casefold() for subject in found for word in subject.split()}


def test_scripts_without_spaces_have_keywords() -> None:
    [found] = keywords(
        passages(
            "\u5951\u7d04\u306f\u4e00\u5e74\u3067\u7d42\u308f\u308b\u3002\u30bb\u30f3\u30b5\u30fc\u306f\u8d64\u3044\u3002"
        ),
        "ja",
    )
    assert {"\u5951\u7d04", "\u30bb\u30f3\u30b5\u30fc"} <= set(found)


def test_a_document_without_words_has_none() -> None:
    assert keywords(passages("1 2 3", "..."), "en") == [(), ()]
    assert keywords([], "en") == []
