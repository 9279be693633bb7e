"""Both engines give the same words the same scores, and a passage the same relevance."""

from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from groundwire.adapters.local.index import EmbeddedIndexes
from groundwire.domain.access.policy import Principal
from groundwire.domain.access.scopes import Scope
from groundwire.domain.documents.segment import Segment
from groundwire.domain.keys.caller import Caller
from groundwire.domain.keys.grants import ALL_COLLECTIONS, KeyKind
from groundwire.domain.keys.options import USUAL_OPTIONS
from groundwire.domain.search.fusion import PhraseScores
from groundwire.domain.search.request import ALL_DOCUMENTS, SearchMode, SearchRequest
from groundwire.ports import Index
from tests.support.documents.index_documents import (
    MODEL,
    TENANT,
    FoundPhrase,
    for_tags,
    phrase,
    put_segments,
    query,
    search,
    segment,
    someone,
)
from tests.support.isolation.policies import PUBLIC
from tests.support.opensearch import emulator
from tests.support.opensearch.indexes import Opened
from tests.support.worlds.homes import fresh_home
from tests.support.worlds.world import World, open_real_world

SINGLE_PRECISION = 1e-6
"""Relative difference: the embedded index scores in single precision, the other one in double."""

WORDS: Mapping[str, Sequence[str]] = {
    "en": ("pump", "pumps", "the", "valve", "plants", "ISO-9001", "it's", "running", "水出し"),
    "de": ("Häuser", "Haus", "die", "Pumpe", "x_y", "Flüsse", "valve"),
    "zz": ("pump", "valve", "the", "東京都", "3.14"),
}
PHRASES = ("pump", "the running pumps of the plant and the pumps", "iso-9001 valve x_y 3.14", "haus am fluss", "東京都")


def some_segments(random: Random, doc_id: str) -> list[Segment]:
    """Segments of one document, each with a title, headings and words of its language."""
    language = random.choice(list(WORDS))

    def some(most: int) -> str:
        return " ".join(random.choices(WORDS[language], k=random.randint(0, most)))

    return [
        replace(
            segment(doc_id, number, some(60), heading=some(3)),
            language=language,
            title=some(4),
            context=some(5),
            questions=(some(4),),
        )
        for number in range(random.randint(1, 4))
    ]


def fill(index: Index) -> None:
    random = Random(5)
    for number in range(40):
        put_segments(index, some_segments(random, f"d{number}"), for_tags(random.choice(("a", "b"))))


def scores(index: Index, mode: SearchMode, depth: int) -> list[FoundPhrase]:
    requested = query([phrase(text) for text in PHRASES], someone("a"), mode=mode, depth=depth)
    return search(index, requested)


def by_uid(found: FoundPhrase, values: Sequence[float]) -> dict[str, float]:
    return {found.segments[key].uid: value for key, value in zip(found.keys, values, strict=True)}


def limits(found: Sequence[PhraseScores]) -> list[float]:
    return [each.bm25_limit for each in found]


@pytest.fixture
def embedded(tmp_path: Path) -> Generator[Index]:
    indexes = EmbeddedIndexes(tmp_path / "embedded", MODEL)
    index = indexes.for_tenant(TENANT)
    fill(index)
    yield index
    indexes.close()


@pytest.mark.parametrize("mode", [SearchMode.HYBRID, SearchMode.LEXICAL])
def test_every_score_of_words_is_that_of_the_embedded_index(embedded: Index, anew: Opened, mode: SearchMode) -> None:
    index = anew.indexes.for_tenant(TENANT)
    fill(index)
    anew.emulated.become_visible()
    ours, theirs = (scores(each, mode, 1_000) for each in (index, embedded))
    for one, other in zip(ours, theirs, strict=True):
        assert by_uid(one, one.bm25) == pytest.approx(by_uid(other, other.bm25), rel=SINGLE_PRECISION)
        assert by_uid(one, one.vector) == pytest.approx(by_uid(other, other.vector), abs=2e-3)
    assert limits(ours) == pytest.approx(limits(theirs), rel=SINGLE_PRECISION)
    assert [each.term_count for each in ours] == [each.term_count for each in theirs]


def test_a_shallow_search_has_the_scores_of_a_deep_one(anew: Opened) -> None:
    index = anew.indexes.for_tenant(TENANT)
    fill(index)
    anew.emulated.become_visible()
    for deep, shallow in zip(*(scores(index, SearchMode.HYBRID, depth) for depth in (1_000, 3)), strict=True):
        known, near = by_uid(deep, deep.bm25), by_uid(deep, deep.vector)
        assert by_uid(shallow, shallow.bm25).items() <= known.items()
        # A passage that only words found is compared by its vectors in half precision.
        assert all(
            near[uid] == pytest.approx(value, abs=1e-3) for uid, value in by_uid(shallow, shallow.vector).items()
        )
        assert max(by_uid(shallow, shallow.bm25).values()) == pytest.approx(max(known.values()), rel=0.2)


LEAVE = "The yearly entitlement is 27 days of annual leave for a five-day week, and one more after five years."
QUESTION = "How many days of annual leave do I get?"
OTHERS = (
    "The radar is mounted with two stainless anchors that are tightened to 45 newton metres.",
    "Invoices are due after 30 days; interest on late payment follows the base rate.",
)
FOREIGN = "Who painted the Mona Lisa?"

Answer = tuple[Sequence[tuple[str, float | None]], bool]


def answers(patch: pytest.MonkeyPatch) -> list[Answer]:
    """Documents with their relevance, and whether the floor left nothing, per question and mode."""
    with fresh_home() as home, open_real_world(home, patch) as world:
        tenant = world.tenant("amber")
        for number, text in enumerate((LEAVE, *OTHERS)):
            world.ingest(tenant, text, PUBLIC, path=f"/nowhere/{number}.md", doc_id=f"doc{number}")
        return [answer(world, tenant, text, mode) for text in (QUESTION, FOREIGN) for mode in SearchMode]


def answer(world: World, tenant: str, text: str, mode: SearchMode) -> Answer:
    principal = Principal(tenant, None, frozenset())
    caller = Caller(principal, "kid", KeyKind.ACT_AS, frozenset({Scope.SEARCH}), ALL_COLLECTIONS, USUAL_OPTIONS)
    request = SearchRequest((text,), ALL_COLLECTIONS, ALL_DOCUMENTS, None, 8, mode)
    trace = world.services.reading.search.traced(caller, request)
    return [(each.segment.doc_id, each.relevance) for each in trace.answer], trace.is_below_floor


@contextmanager
def on_opensearch(node: str, patch: pytest.MonkeyPatch) -> Generator[None]:
    with emulator.opened(node, "opensearch", 0) as door, patch.context() as chosen:
        chosen.setenv("GROUNDWIRE_INDEX", door.url)
        chosen.setenv("GROUNDWIRE_INDEX_SERVICE", "opensearch")
        yield


def test_relevance_and_floor_are_those_of_the_embedded_index(
    opensearch_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = answers(monkeypatch)
    with on_opensearch(opensearch_url, monkeypatch):
        given = answers(monkeypatch)
    assert [is_below for _, is_below in given] == [is_below for _, is_below in expected]
    assert any(is_below for _, is_below in given)
    for (passages, _), (others, _) in zip(given, expected, strict=True):
        assert [doc_id for doc_id, _ in passages] == [doc_id for doc_id, _ in others]
        assert [relevance for _, relevance in passages] == pytest.approx([each for _, each in others], abs=2e-3)
