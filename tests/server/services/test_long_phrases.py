"""A long user text is searched up to the limit of a question, and an explanation reports the cut."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal, cast

import pytest

from groundwire.adapters.opensearch.query.request_bodies import truncate_words
from groundwire.domain.access.policy import Principal
from groundwire.domain.access.scopes import Scope
from groundwire.domain.keys.caller import Caller
from groundwire.domain.keys.grants import ALL_COLLECTIONS, KeyKind
from groundwire.domain.keys.options import USUAL_OPTIONS
from groundwire.domain.limits import MAX_PHRASE_CHARACTERS, MAX_PHRASE_WORDS
from groundwire.domain.search.model_languages import ALL_LANGUAGES
from groundwire.entry.serialization.search_explanation import search_steps_to_json
from groundwire.ports import (
    Embedder,
    Embedders,
    Hits,
    Indexes,
    IndexQuery,
    ModelId,
    Reranker,
    SelectRows,
    Vector,
    VectorIndex,
    lexical_half,
)
from groundwire.services.search import Search
from tests.server.services.search_requests import requested
from tests.support.isolation.policies import PUBLIC
from tests.support.worlds.world import World

FILLER = [f"filler{number}" for number in range(MAX_PHRASE_WORDS)]


@dataclass
class Heard:
    """The texts that each part behind a search received, call by call."""

    embedder: list[Sequence[str]] = field(default_factory=list[Sequence[str]])
    index: list[Sequence[str]] = field(default_factory=list[Sequence[str]])
    reranker: list[str] = field(default_factory=list[str])


class Listening:
    """An embedder and a reranker that record the texts they receive."""

    name = "listening"
    languages = ALL_LANGUAGES

    def __init__(self, world: World, heard: Heard) -> None:
        self._world = world
        self._heard = heard

    def for_model(self, model: ModelId) -> Embedder:
        return cast("Embedder", self)

    def embed(self, texts: Sequence[str], kind: Literal["query", "passage"]) -> list[Vector]:
        self._heard.embedder.append(texts)
        embedder = self._world.services.models.embedders
        return embedder.for_model(embedder.default.model).embed(texts, kind)

    def score(self, query: str, passages: Sequence[str]) -> list[float]:
        self._heard.reranker.append(query)
        return [0.0] * len(passages)


class ListeningIndexes:
    def __init__(self, world: World, heard: Heard) -> None:
        self._world = world
        self._heard = heard

    def for_tenant(self, tenant: str) -> VectorIndex:
        return cast("VectorIndex", ListeningIndex(self._world.services.stores.indexes.for_tenant(tenant), self._heard))


class ListeningIndex:
    def __init__(self, index: VectorIndex, heard: Heard) -> None:
        self._heard = heard
        self.model = index.model
        self.visible_after_seconds = index.visible_after_seconds
        self._words = lexical_half(index)

    @property
    def lexical(self) -> "ListeningIndex":
        return self

    def search(self, query: IndexQuery, select: SelectRows) -> Hits:
        self._heard.index.append([phrase.text for phrase in query.phrases])
        return self._words.search(query, select)


@pytest.fixture
def tenant(world: World) -> str:
    made = world.tenant("amber")
    world.ingest(made, "The pump has a valve.", PUBLIC, path="/nowhere/pump.txt", doc_id="pump")
    world.ingest(made, "\u6cf5\u6709\u9600\u95e8\u3002", PUBLIC, path="/nowhere/zh.txt", doc_id="zh")
    return made


def asking(tenant: str) -> Caller:
    principal = Principal(tenant, None, frozenset())
    return Caller(principal, "kid", KeyKind.ACT_AS, frozenset({Scope.SEARCH}), ALL_COLLECTIONS, USUAL_OPTIONS)


def listening(world: World) -> tuple[Search, Heard]:
    services, heard = world.services, Heard()
    parts = Listening(world, heard)
    indexes = cast("Indexes", ListeningIndexes(world, heard))
    embedders, reranker = cast("Embedders", parts), cast("Reranker", parts)
    return Search(
        indexes, embedders, services.stores.documents, services.stores.collections, reranker, (), services.clock
    ), heard


@pytest.mark.parametrize(
    ("phrase", "searched"),
    [
        (" ".join(FILLER), " ".join(FILLER)),
        (" ".join([*FILLER, "valve"]), " ".join(FILLER)),
        ("\u6cf5" * 50_000, "\u6cf5" * MAX_PHRASE_CHARACTERS),
        ("valve " * 200_000, ("valve " * MAX_PHRASE_WORDS).rstrip()),
    ],
    ids=["128 words", "129 words", "Chinese", "a megabyte"],
)
def test_nothing_that_reads_words_is_handed_more_than_a_question(
    world: World, tenant: str, phrase: str, searched: str
) -> None:
    search, heard = listening(world)
    search(*requested(asking(tenant), [phrase, "valve", phrase], 8))
    assert heard.embedder == heard.index == [[searched, "valve", searched]]
    assert heard.reranker == [searched]


@pytest.mark.parametrize(
    ("phrase", "embedded"),
    [
        ("\uff36\uff41\uff4c\uff56\uff45 \uff12\uff14", "Valve 24"),
        ("\U0001d42f\U0001d41a\U0001d425\U0001d42f\U0001d41e o\ufb03ce", "valve office"),
        ("\ufdfa" * MAX_PHRASE_CHARACTERS, None),
    ],
    ids=["full width", "letters of mathematics and ligatures", "one that grows"],
)
def test_forms_of_the_same_letters_are_embedded_as_one(
    world: World, tenant: str, phrase: str, embedded: str | None
) -> None:
    search, heard = listening(world)
    search(*requested(asking(tenant), [phrase], 8))
    [[text]] = heard.embedder
    assert text == embedded if embedded else len(text) <= MAX_PHRASE_CHARACTERS
    assert heard.index == [[phrase]]


def test_words_beyond_the_limit_find_nothing_and_the_others_still_do(world: World, tenant: str) -> None:
    def by_keywords(*words: str) -> set[str]:
        trace = world.services.reading.search.traced(*requested(asking(tenant), [" ".join(words)], 8))
        [scores] = trace.scores
        matching = [key for key, score in zip(scores.keys, scores.bm25, strict=True) if score > 0]
        return {trace.segments[key].doc_id for key in matching}

    assert by_keywords(*FILLER[1:], "valve") == {"pump"}
    assert by_keywords(*FILLER, "valve") == set()
    assert by_keywords("valve", *FILLER, *FILLER) == {"pump"}


def test_a_long_phrase_in_a_script_without_spaces_is_searched_far_beyond_so_many_characters(
    world: World, tenant: str
) -> None:
    padding = "".join(chr(0x4E00 + number) for number in range(1_500))
    trace = world.services.reading.search.traced(*requested(asking(tenant), [f"{padding}\u9600\u95e8{padding}"], 8))
    assert trace.truncated_phrases == (1,)
    [scores] = trace.scores
    best = max(zip(scores.bm25, scores.keys, strict=True))
    assert best[0] > 0
    assert trace.segments[best[1]].doc_id == "zh"


def test_an_explanation_names_the_phrases_that_were_cut(world: World, tenant: str) -> None:
    long = " ".join([*FILLER, "valve"])
    reported = search_steps_to_json(
        world.services.reading.search.traced(*requested(asking(tenant), ["valve", long, f" {long}", "  pump  "], 8))
    )
    assert reported["phrases_cut"] == [2, 3]
    assert reported["phrases"] == ["valve", " ".join(FILLER), " ".join(FILLER), "  pump  "]
    assert (
        search_steps_to_json(world.services.reading.search.traced(*requested(asking(tenant), ["valve"], 8)))[
            "phrases_cut"
        ]
        == []
    )


def test_a_phrase_of_plain_words_that_was_cut_is_not_cut_again_for_an_engine(world: World, tenant: str) -> None:
    search, heard = listening(world)
    search(*requested(asking(tenant), [" ".join([*FILLER, "valve"])], 8))
    [[searched]] = heard.index
    assert truncate_words(searched, MAX_PHRASE_WORDS) == searched
