"""A passage includes the text around it: in order, within its budget, nothing twice, nothing that was not admitted."""

from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from groundwire.domain.access.policy import Principal
from groundwire.domain.access.scopes import Scope
from groundwire.domain.documents.segment import Segment
from groundwire.domain.keys.caller import Caller
from groundwire.domain.keys.grants import ALL_COLLECTIONS, KeyKind
from groundwire.domain.keys.options import USUAL_OPTIONS
from groundwire.ports import Span
from groundwire.services.keys.admin import KeySpec
from groundwire.services.search import Passage
from groundwire.services.search.expansion import expand
from tests.server.services.search_requests import requested
from tests.support.documents.passages import document
from tests.support.isolation.policies import NO_READERS, PUBLIC
from tests.support.plugins.draws import examples
from tests.support.registry.key_options import with_options
from tests.support.registry.key_specs import agents_key
from tests.support.worlds.world import World, caller

CHAPTERS = [f"Chapter {number}: " + "all about the pumps. " * 5 for number in range(9)]
"""About 115 characters each, so 60 tokens are room for two."""


@pytest.fixture
def tenant(world: World) -> str:
    made = world.tenant("amber")
    chapters = [*CHAPTERS[:4], "Chapter 4: the zebra has its lair here.", *CHAPTERS[5:]]
    world.ingest(made, "\n\n".join(chapters), PUBLIC, path="/nowhere/book.txt", doc_id="book")
    return made


def asking(tenant: str, expand_tokens: int) -> Caller:
    principal = Principal(tenant, None, frozenset())
    scopes = frozenset({Scope.SEARCH})
    return Caller(
        principal,
        "kid",
        KeyKind.ACT_AS,
        scopes,
        ALL_COLLECTIONS,
        replace(USUAL_OPTIONS, top_n=1, expand_tokens=expand_tokens),
    )


def chapters_of(passage: Passage) -> list[int]:
    return [int(line.split()[1].rstrip(":")) for line in passage.text.split("\n\n")]


def found(world: World, tenant: str, expand_tokens: int, top_n: int = 1) -> Sequence[Passage]:
    return world.services.reading.search(*requested(asking(tenant, expand_tokens), ["zebra lair"], top_n)).passages


@pytest.mark.parametrize(
    ("tokens", "chapters"),
    [
        (0, [4]),
        (20, [4]),
        (30, [3, 4]),
        (60, [3, 4, 5]),
        (90, [2, 3, 4, 5]),
        (2_000, [0, 1, 2, 3, 4, 5, 6, 7, 8]),
    ],
)
def test_neighbours_come_in_turns_as_far_as_the_budget_goes(
    world: World, tenant: str, tokens: int, chapters: list[int]
) -> None:
    [passage] = found(world, tenant, tokens)
    assert chapters_of(passage) == chapters
    assert passage.segment.text.startswith("Chapter 4")


def test_pages_are_those_of_all_that_is_quoted(world: World, tenant: str) -> None:
    assert found(world, tenant, 0)[0].pages == (5, 5)
    assert found(world, tenant, 60)[0].pages == (4, 6)


def test_no_passage_is_quoted_twice_in_an_answer(world: World, tenant: str) -> None:
    answer = found(world, tenant, 2_000, top_n=3)
    quoted = [chapter for passage in answer for chapter in chapters_of(passage)]
    assert len(answer) == 3
    assert sorted(quoted) == list(range(9))


def test_neighbours_are_of_the_version_that_was_admitted(world: World, tenant: str) -> None:
    new = [chapter.replace("pumps", "valves") for chapter in CHAPTERS]
    new[4] = "Chapter 4: the zebra has its lair here."
    world.ingest(tenant, "\n\n".join(new), PUBLIC, path="/nowhere/book.txt", doc_id="book")
    [passage] = found(world, tenant, 2_000)
    assert "valves" in passage.text
    assert "pumps" not in passage.text


def test_a_document_that_may_not_be_read_returns_nothing(world: World, tenant: str) -> None:
    world.services.administration.document_admin.override_policy(tenant, "book", NO_READERS)
    assert found(world, tenant, 2_000) == ()


def test_a_key_states_how_much_text_its_passages_return(world: World, tenant: str) -> None:
    def answer(expand_tokens: int) -> list[dict[str, str]]:
        order = with_options(agents_key(tenant), top_n=1, expand_tokens=expand_tokens)
        key = world.services.administration.key_admin.create(order)
        result = world.search(caller(key), "zebra lair").result
        assert result["segments"][0].items() <= result["structuredContent"]["segments"][0].items()
        assert result["segments"][0]["raw_text"] in result["content"][0]["text"]
        return result["segments"]

    [alone], [expanded_] = answer(0), answer(60)
    assert alone["raw_text"] == "Chapter 4: the zebra has its lair here."
    assert alone["raw_text"] in expanded_["raw_text"]
    assert expanded_["raw_text"].startswith("Chapter 3: ")
    assert list(alone) == list(expanded_)


def test_a_key_keeps_its_expansion(world: World, tenant: str) -> None:
    order = KeySpec(
        tenant,
        "agent",
        KeyKind.PERSONAL,
        "maria",
        frozenset(),
        (),
        frozenset({Scope.SEARCH}),
        ALL_COLLECTIONS,
        replace(USUAL_OPTIONS, expand_tokens=700),
    )
    made = world.services.administration.key_admin.create(order).key
    world.reopen()
    [kept] = world.services.administration.key_admin.all(tenant)
    assert kept.options.expand_tokens == made.options.expand_tokens == 700


class DocumentFolder:
    """One document of these texts, read as the index would."""

    def __init__(self, texts: list[str]) -> None:
        self.segments_ = [segment(text, ordinal) for ordinal, text in enumerate(texts)]
        self.looks = 0

    def read_spans(self, spans: Sequence[Span]) -> list[list[Segment]]:
        self.looks += 1
        assert all(0 <= span.first <= span.last for span in spans)
        return [[each for each in self.segments_ if span.first <= each.ordinal <= span.last] for span in spans]


def segment(text: str, ordinal: int) -> Segment:
    return Segment(f"doc.{ordinal:016x}", "doc", 1, "c", ordinal, text, (), None, None, "", "")


def test_the_neighbours_of_all_passages_are_read_in_one_call() -> None:
    document_folder = DocumentFolder(["x" * 1_000] * 100)
    passages = [Passage(document_folder.segments_[at], document(), 0.5) for at in range(5, 100, 12)]
    answer = expand(document_folder, passages, 1_000)
    assert {len(passage.context) for passage in answer} == {5}
    assert document_folder.looks == 1


@given(
    st.lists(st.integers(1, 400).map(lambda size: "x" * size), min_size=1, max_size=30),
    st.data(),
    st.integers(1, 300),
)
@settings(deadline=None, max_examples=examples(100))
def test_every_answer_is_in_order_without_gaps_or_repeats_and_within_its_budget(
    texts: list[str], data: st.DataObject, tokens: int
) -> None:
    document_folder = DocumentFolder(texts)
    chosen = data.draw(st.lists(st.sampled_from(range(len(texts))), min_size=1, max_size=5, unique=True))
    answer = expand(document_folder, [Passage(document_folder.segments_[at], document(), 0.5) for at in chosen], tokens)

    quoted = [[each.ordinal for each in passage.context or (passage.segment,)] for passage in answer]
    assert [passage.segment.ordinal for passage in answer] == chosen
    for ordinals, passage in zip(quoted, answer, strict=True):
        assert ordinals == list(range(ordinals[0], ordinals[-1] + 1))
        assert sum(len(texts[at]) for at in ordinals) - len(passage.segment.text) <= tokens * 4
    flat = [at for ordinals in quoted for at in ordinals]
    assert len(flat) == len(set(flat))
