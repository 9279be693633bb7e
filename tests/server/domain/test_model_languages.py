"""Languages of a model, as a manifest, a model card or only a name states them."""

import pytest

from groundwire.domain.search.model_languages import ALL_LANGUAGES, ENGLISH, ModelLanguages, stated_languages


@pytest.mark.parametrize("names", [["mul"], ["multilingual", "en", "de"], [], ["code"]])
def test_a_model_of_every_language_and_one_of_unknown_languages_are_treated_alike(names: list[str]) -> None:
    assert ModelLanguages.of(names) == ALL_LANGUAGES
    assert ALL_LANGUAGES.knows("tlh")


def test_a_row_of_several_languages_is_known_to_a_model_of_several() -> None:
    assert ModelLanguages.of(["en", "ja"]).knows("mul")
    assert not ENGLISH.knows("mul")


def test_regions_make_no_difference() -> None:
    assert ModelLanguages.of(["pt-BR", "en_US"]).knows("pt")
    assert ENGLISH.knows("en-GB")


@pytest.mark.parametrize("languages", [ALL_LANGUAGES, ENGLISH, ModelLanguages.of(["de", "en"])])
def test_languages_are_stored_and_read_back(languages: ModelLanguages) -> None:
    assert ModelLanguages.of(languages.names()) == languages


@pytest.mark.parametrize("name", ["all-MiniLM-L6-v2-int8", "BAAI/bge-small-en-v1.5@5c38ec7c405e/384/int8"])
def test_a_known_name_reports_the_languages(name: str) -> None:
    assert stated_languages(name) == ENGLISH


def test_an_unknown_name_leaves_every_language_to_the_collection() -> None:
    assert stated_languages("maker/other@v1/8/f32") == ALL_LANGUAGES
