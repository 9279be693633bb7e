"""Words are compared as the passage's own language writes them."""

from dataclasses import replace

import pytest

from groundwire.adapters.lexical import analyzer
from groundwire.domain.documents.segment import Segment
from groundwire.domain.search.model_languages import ENGLISH
from groundwire.ports import Index, RowKey
from tests.contract.index.adapters import EVERY_SERVICE
from tests.support.documents.index_documents import (
    DEEP,
    FoundPhrase,
    found,
    matching,
    phrase,
    put_segments,
    query,
    search,
    segment,
)

FORMS = {
    "en": ("the running costs", "run cost"),
    "de": ("Die Häuser am Fluss", "haus"),
    "fr": ("les employés de l'usine", "employé usine"),
    "es": ("las vacaciones pagadas", "vacación pagado"),
    "it": ("l'orario dei dipendenti", "dipendente orario"),
    "pt": ("as férias pagas", "féria paga"),
    "nl": ("de werknemers werken", "werknemer"),
    "sv": ("bilarna och husen", "bil"),
    "nb": ("bilene og husene", "bil"),
    "ru": ("ежегодные отпуска", "отпуск"),
    "fi": ("taloissa", "talo"),
    "tr": ("kitaplar", "kitap"),
    "hu": ("házakban", "ház"),
    "ar": ("الكتاب", "كتاب"),
    "el": ("λόγος", "λόγοι"),
    "pl": ("kotami", "kot"),
    "pt-BR": ("as empresas", "empresa"),
}
STOP_WORDS = {
    "en": "the of and",
    "de": "die der und nicht",
    "fr": "le des et c'est",
    "es": "el de los y",
    "it": "il della e che",
    "pt": "o da e não",
    "nl": "de het een van",
}


def declared(doc_id: str, language: str, *texts: str, collection: str = "handbook") -> list[Segment]:
    return [
        replace(segment(doc_id, ordinal, text, collection=collection), language=language)
        for ordinal, text in enumerate(texts)
    ]


@pytest.mark.parametrize("language", FORMS)
def test_inflected_forms_meet_in_the_language_of_the_passage(index: Index, language: str) -> None:
    text, question = FORMS[language]
    put_segments(index, declared("d", language, text))
    put_segments(index, declared("e", "und", "something else"))
    assert matching(index, question) == {text}


@pytest.mark.parametrize("language", STOP_WORDS)
def test_the_commonest_words_of_a_language_find_nothing_in_it(index: Index, language: str) -> None:
    put_segments(index, declared("d", language, STOP_WORDS[language] + " x"))
    assert matching(index, STOP_WORDS[language]) == set()


def test_a_word_common_in_one_language_is_a_word_in_another(index: Index) -> None:
    put_segments(index, declared("d", "en", "the die is cast"))
    put_segments(index, declared("e", "de", "die Würfel"))
    assert matching(index, "die") == {"the die is cast"}


def test_a_text_too_short_to_tell_its_language_finds_english_words_by_their_stems(index: Index) -> None:
    put_segments(index, declared("d", "und", "The running dogs"))
    put_segments(index, declared("e", "en", "A dog runs"))
    assert matching(index, "run") == {"The running dogs", "A dog runs"}


@pytest.mark.parametrize("language", ["zh", "zz", "", "tlh"])
def test_words_of_an_unknown_language_are_taken_as_they_are(index: Index, language: str) -> None:
    put_segments(index, declared("d", language, "The running dogs"))
    assert matching(index, "run") == set()
    assert matching(index, "the") == matching(index, "DOGS") == {"The running dogs"}


@pytest.mark.parametrize("language", ["ja", "en", "de", "und", "hi"])
def test_scripts_without_spaces_are_matched_by_pairs_under_any_language(index: Index, language: str) -> None:
    put_segments(index, declared("d", language, "東京都の休暇", "大阪"))
    assert matching(index, "京都") == {"東京都の休暇"}


def test_chinese_passages_of_an_earlier_release_are_found_beside_new_ones(
    index: Index, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as earlier:
        earlier.setattr(analyzer, "_UNSTEMMED_WITH_FIELD", frozenset[str]())
        put_segments(index, declared("old", "zh", "大学的年假"))
    put_segments(index, declared("new", "zh", "企业的年假"))
    assert matching(index, "年假") == {"大学的年假", "企业的年假"}
    assert not any(map(ENGLISH.knows, found(index, "年假").languages))


def test_each_language_is_scored_among_its_own_rows(index: Index) -> None:
    put_segments(index, declared("de", "de", "Urlaub", "Urlaub am Meer und in den Bergen"))
    alone = found(index, "urlaub").bm25
    put_segments(index, declared("en", "en", *(f"holiday number {n} with urlaub" for n in range(50))))
    assert list(found(index, "urlaub").bm25)[:2] == list(alone)


def test_only_the_languages_of_the_searched_collections_are_searched(index: Index) -> None:
    put_segments(index, declared("d", "de", "Häuser", collection="german"))
    put_segments(index, declared("e", "en", "houses", collection="english"))
    phrases = [phrase("häusern"), phrase("house")]
    german, english = search(index, query(phrases, collections=["english"]))
    assert (list(german.bm25), [score > 0 for score in english.bm25]) == ([0], [True])
    german, english = search(index, query(phrases, collections=["german"]))
    assert ([score > 0 for score in german.bm25], list(english.bm25)) == ([True], [0])


@EVERY_SERVICE
@pytest.mark.parametrize("depth", [1, DEEP])
def test_every_candidate_reports_whether_the_model_supports_its_language(index: Index, depth: int) -> None:
    languages = ("en", "und", "de", "zh", "ja", "ru")
    for language in languages:
        put_segments(index, declared(language, language, f"zebra {language}"))
    put_segments(index, declared("n", "de", "nothing that the phrase has"))
    candidates = found(index, "zebra", depth=depth)
    known = {candidates.segments[key].language: ENGLISH.knows(language) for key, language in languages_of(candidates)}
    assert known == {language: language in ("en", "und") for language in known}
    assert depth == 1 or known.keys() == set(languages)


def languages_of(candidates: FoundPhrase) -> list[tuple[RowKey, str]]:
    return list(zip(candidates.keys, candidates.languages, strict=True))


@EVERY_SERVICE
def test_another_language_of_the_same_text_takes_the_place_of_the_one_before(index: Index) -> None:
    put_segments(index, declared("d", "en", "running"))
    put_segments(index, declared("d", "de", "running"))
    assert matching(index, "run") == set()
    assert matching(index, "running") == {"running"}
