"""An engine takes so many terms at once: a pasted page among many languages is searched by its first words."""

from dataclasses import replace
from pathlib import Path

from groundwire.adapters.aws.opensearch.schema.analysis import LANGUAGES
from tests.support.documents.index_documents import (
    MODEL,
    TENANT,
    matching,
    phrase,
    put_segments,
    query,
    search,
    segment,
)
from tests.support.opensearch.indexes import Opened, opened


def test_a_long_phrase_is_searched_in_every_language(opensearch_url: str, tmp_path: Path) -> None:
    with opened(opensearch_url, "opensearch", tmp_path, MODEL) as there:
        index = there.indexes.for_tenant(TENANT)
        put_segments(
            index, [replace(segment("d", n, f"zebra {code}"), language=code) for n, code in enumerate(LANGUAGES)]
        )
        phrase = " ".join(["zebra", *(f"word{number}" for number in range(500))])
        assert len(matching(index, phrase)) == len(LANGUAGES)
        there.indexes.drop(TENANT)


def test_five_phrases_of_a_hundred_words_in_ten_languages_keep_their_words_within_three_requests(anew: Opened) -> None:
    last_words = ["zebra", "quartz", "marlin", "falcon", "osprey"]
    some = LANGUAGES[:10]
    index = anew.indexes.for_tenant(TENANT)
    put_segments(index, [replace(segment("d", n, " ".join(last_words)), language=code) for n, code in enumerate(some)])
    anew.emulated.become_visible()
    first_words = " ".join(f"word{number}" for number in range(99))
    before = len(anew.emulated.calls)
    found = search(index, query([phrase(f"{first_words} {last}") for last in last_words]))
    assert len(anew.emulated.calls) - before <= 3
    for scores in found:
        assert sum(score > 0 for score in scores.bm25) == len(some)
