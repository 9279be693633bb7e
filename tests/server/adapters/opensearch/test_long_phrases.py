"""An engine takes so many terms at once: a pasted page among many languages is searched by its first words."""

from dataclasses import replace
from pathlib import Path

from groundwire.adapters.opensearch.schema.analysis import LANGUAGES
from groundwire.dialects.foundry.filter.parser import parse_filter
from groundwire.domain.documents.metadata import metadata_from_mapping
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

STEMS = ("walk", "talk", "play", "jump", "mark", "kind", "turn", "sand")
ENDINGS = ("", "s", "ed", "ing", "er", "ers", "ly", "able", "ation", "ations", "en", "e", "es", "ung", "heit", "ment")


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
    tail = ["zebra", "quartz", "marlin", "falcon", "osprey"]
    some = LANGUAGES[:10]
    index = anew.indexes.for_tenant(TENANT)
    put_segments(index, [replace(segment("d", n, " ".join(tail)), language=code) for n, code in enumerate(some)])
    anew.emulated.become_visible()
    first_words = " ".join(f"word{number}" for number in range(99))
    before = len(anew.emulated.calls)
    found = search(index, query([phrase(f"{first_words} {last}") for last in tail]))
    assert len(anew.emulated.calls) - before <= 3
    for scores in found:
        assert sum(score > 0 for score in scores.bm25) == len(some)


def test_a_long_phrase_leaves_room_for_a_large_filter(opensearch_url: str, tmp_path: Path) -> None:
    words = " ".join(
        f"{stem}{ending}"
        for stem in ("walk", "talk", "play", "jump", "mark", "kind", "turn", "sand")
        for ending in ENDINGS
    )
    conditions = ["year>2023", *(f"k{number}>1" for number in range(240))]
    where = parse_filter("||".join(conditions), {})
    with opened(opensearch_url, "opensearch", tmp_path, MODEL) as there:
        index = there.indexes.for_tenant(TENANT)
        put_segments(
            index,
            [replace(segment("d", n, words), language=code) for n, code in enumerate(LANGUAGES)],
            metadata=metadata_from_mapping({"year": 2024}),
        )
        found = search(index, query([phrase(words)], where=where))
        assert len(found[0].keys) == len(LANGUAGES)
        there.indexes.drop(TENANT)
