"""Relevance: what a passage's chance is worth, and when an answer is empty rather than about something else."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np
import pytest

from groundwire.domain.access.policy import Principal, single_policy
from groundwire.domain.access.scopes import Scope
from groundwire.domain.documents.ids import segment_uid
from groundwire.domain.documents.segment import Segment
from groundwire.domain.keys.caller import Caller
from groundwire.domain.keys.grants import ALL_COLLECTIONS, KeyKind
from groundwire.domain.keys.options import USUAL_OPTIONS
from groundwire.domain.search.relevance import MINILM_FITS
from groundwire.domain.search.request import SearchMode
from groundwire.ports import DocumentVersion, SegmentInput
from groundwire.services.search import Trace
from groundwire.services.search.results import NOT_RELEVANT, Passage
from tests.server.services.search_requests import requested
from tests.support.isolation.policies import PUBLIC
from tests.support.registry.key_options import with_options
from tests.support.worlds.homes import fresh_home
from tests.support.worlds.world import World, open_real_world

LEAVE = "The yearly entitlement is 27 days of annual leave for a five-day week, and one more after five years."
QUESTION = "How many days of annual leave do I get?"
OTHERS = (
    "The radar is mounted with two stainless anchors that are tightened to 45 newton metres.",
    "Invoices are due after 30 days; interest on late payment follows the base rate.",
    "Whoever is on call answers within 20 minutes and can reach a laptop within 40.",
    "The battery lasts six years when a reading is sent every six hours.",
)
FOREIGN = ("Who painted the Mona Lisa?", "recipe for pumpkin soup with ginger", "symptoms of measles in toddlers")
FITTED_FLOOR = MINILM_FITS.hybrid.floor
GIBBERISH = ("qwzx vrtkplm zzgh", "asdkfjhaslkdjfh")


@pytest.fixture(scope="module")
def real_world() -> Iterator[World]:
    with pytest.MonkeyPatch.context() as patch, fresh_home() as home, open_real_world(home, patch) as opened:
        yield opened


@pytest.fixture(scope="module")
def tenant(real_world: World) -> str:
    made = real_world.tenant("amber")
    for number, text in enumerate((LEAVE, *OTHERS)):
        real_world.ingest(made, text, PUBLIC, path=f"/nowhere/{number}.md", doc_id=f"doc{number}")
    return made


def asking(tenant: str, floor: float | None = None) -> Caller:
    principal = Principal(tenant, None, frozenset())
    caller = Caller(principal, "kid", KeyKind.ACT_AS, frozenset({Scope.SEARCH}), ALL_COLLECTIONS, USUAL_OPTIONS)
    return with_options(caller, floor=floor)


def documents(passages: Sequence[Passage]) -> list[str]:
    return [each.segment.doc_id for each in passages]


def searched(
    world: World,
    tenant: str,
    *phrases: str,
    min_relevance: float | None = None,
    floor: float | None = None,
    mode: SearchMode = SearchMode.HYBRID,
) -> Trace:
    caller, request = requested(asking(tenant, floor), phrases, 8)
    return world.services.reading.search.traced(caller, replace(request, min_relevance=min_relevance, mode=mode))


@pytest.mark.parametrize("question", [*FOREIGN, GIBBERISH[0]])
def test_a_question_that_nothing_answers_gets_nothing_and_a_sentence(
    real_world: World, tenant: str, question: str
) -> None:
    trace = searched(real_world, tenant, question)
    assert trace.answer == []
    assert trace.result.notice == NOT_RELEVANT
    assert trace.result.audit_fields(()) == {"documents": [], "segments": 0, "below_floor": True}


def test_a_question_with_an_answer_gets_no_sentence_and_no_passage_below_the_floor(
    real_world: World, tenant: str
) -> None:
    complete = searched(real_world, tenant, QUESTION, min_relevance=0.0).answer
    trace = searched(real_world, tenant, QUESTION)
    assert trace.answer[0].segment.doc_id == "doc0"
    assert trace.result.notice is None
    assert len(complete) == 1 + len(OTHERS)
    assert documents(trace.answer) == documents([each for each in complete if (each.relevance or 0.0) >= FITTED_FLOOR])
    assert len(trace.answer) < len(complete)
    first, *others = [passage.relevance or 0.0 for passage in complete]
    assert first > 0.5 > max(others)


@pytest.mark.parametrize("top_n", [1, 2, 3, 8])
def test_no_passage_takes_the_place_of_a_dropped_one(real_world: World, tenant: str, top_n: int) -> None:
    caller, request = requested(asking(tenant), [OTHERS[1], QUESTION], top_n)
    search = real_world.services.reading.search
    cut, complete = search(caller, request), search(caller, replace(request, min_relevance=0.0))
    assert set(documents(cut.passages)) <= set(documents(complete.passages))
    assert documents(cut.passages) == [each for each in documents(complete.passages) if each in documents(cut.passages)]


def test_an_answer_keeps_its_most_relevant_passage_where_all_are_below_the_floor(
    real_world: World, tenant: str
) -> None:
    # With two phrases the best of eight is the second one's, and the first passage is the first one's.
    phrases = [OTHERS[0], OTHERS[1], QUESTION]
    complete = searched(real_world, tenant, *phrases, min_relevance=0.0).answer
    best = max(each.relevance or 0.0 for each in complete)
    rank = next(number for number, each in enumerate(complete) if each.relevance == best)
    for top_n in range(1, len(complete) + 1):
        caller, request = requested(asking(tenant, floor=best), phrases, top_n)
        found = documents(real_world.services.reading.search(caller, request).passages)
        first = complete[:top_n]
        assert found == documents([max(first, key=lambda each: each.relevance or 0.0)])
    assert rank < len(complete)


PARTS = (
    "Spare seal of the small pump: S-0017/B. Order code of its motor: 0.75-KW-IE3.",
    "Spare seal of the large pump: S-0018/B. Order code of its motor: 1.5-KW-IE4. The hose has 45 mm.",
    "Error E-1042 means that a valve is blocked. Call the workshop.",
)


@pytest.fixture(scope="module")
def catalogue(real_world: World) -> str:
    made = real_world.tenant("catalogue")
    for number, text in enumerate((*PARTS, LEAVE, *OTHERS)):
        real_world.ingest(made, text, PUBLIC, path=f"/nowhere/{number}.md", doc_id=f"part{number}")
    return made


@pytest.mark.parametrize(
    ("question", "holder"),
    [
        ("S-0017", "part0"),
        ("s-0018", "part1"),
        ("S0017/B", "part0"),
        ("0017/B", "part0"),
        ("0.75 kW IE3", "part0"),
        ("Where is E1042 explained?", "part2"),
        ("What does error code E 1042 tell the canteen?", "part2"),
    ],
)
def test_a_passage_that_holds_a_rare_code_of_the_question_is_in_the_answer(
    real_world: World, catalogue: str, question: str, holder: str
) -> None:
    assert holder in documents(searched(real_world, catalogue, question).answer)


@pytest.mark.parametrize("question", ["X-9917", "7731-Z", "4488220"])
def test_a_code_that_no_passage_holds_keeps_nothing(real_world: World, catalogue: str, question: str) -> None:
    assert searched(real_world, catalogue, question).is_below_floor


def test_a_code_keeps_no_passage_against_the_calls_own_bound(real_world: World, catalogue: str) -> None:
    assert not searched(real_world, catalogue, "S-0017", min_relevance=0.9).answer


def test_a_code_keeps_no_passage_against_the_floor_of_the_key(real_world: World, catalogue: str) -> None:
    assert searched(real_world, catalogue, "S-0017").answer
    assert not searched(real_world, catalogue, "S-0017", floor=0.999).answer


def test_a_passage_stays_that_is_relevant_to_any_phrase(real_world: World, tenant: str) -> None:
    one, other = ({*documents(searched(real_world, tenant, each).answer)} for each in (QUESTION, OTHERS[1]))
    assert {*documents(searched(real_world, tenant, QUESTION, OTHERS[1]).answer)} >= {"doc0", "doc2"}
    assert "doc0" in one
    assert "doc2" in other
    assert "doc2" not in one


def test_relevance_is_the_best_over_the_phrases(real_world: World, tenant: str) -> None:
    alone = searched(real_world, tenant, QUESTION).answer[0].relevance
    both = searched(real_world, tenant, FOREIGN[0], QUESTION)
    found = {passage.segment.doc_id: passage.relevance for passage in both.answer}
    # Vectors differ slightly by what else is embedded in the same call.
    assert found["doc0"] == pytest.approx(alone, abs=0.05)
    assert not both.is_below_floor


@pytest.mark.parametrize("vague", ["What is it?", "hello", "tell me more", GIBBERISH[0], FOREIGN[0]])
def test_a_phrase_that_finds_nothing_relevant_does_not_rank_beside_one_that_does(
    real_world: World, tenant: str, vague: str
) -> None:
    alone = searched(real_world, tenant, QUESTION, min_relevance=0.0)
    both = searched(real_world, tenant, vague, QUESTION, min_relevance=0.0)
    assert both.phrase_shares == [0.0, 1.0]
    assert [each.segment.doc_id for each in both.answer] == [each.segment.doc_id for each in alone.answer]


def test_phrases_without_any_relevant_hit_all_rank(real_world: World, tenant: str) -> None:
    trace = searched(real_world, tenant, FOREIGN[0], FOREIGN[1], min_relevance=0.0)
    assert trace.phrase_shares == pytest.approx([2 / 3, 1 / 3])


def test_the_floor_looks_at_as_many_passages_however_few_are_requested(real_world: World, tenant: str) -> None:
    caller, request = requested(asking(tenant), [OTHERS[0], QUESTION], 1)
    assert len(real_world.services.reading.search(caller, request).passages) == 1


@pytest.mark.parametrize("top_n", [1, 2, 8])
def test_as_many_passages_are_judged_however_few_are_requested(real_world: World, tenant: str, top_n: int) -> None:
    caller, request = requested(asking(tenant, floor=0.0), [QUESTION], top_n)
    trace = real_world.services.reading.search.traced(caller, request)
    assert len(trace.ordered) == 1 + len(OTHERS)
    assert len(trace.answer) == min(top_n, 1 + len(OTHERS))


def test_a_calls_own_bound_drops_single_passages_and_switches_the_floor_off(real_world: World, tenant: str) -> None:
    assert len(searched(real_world, tenant, FOREIGN[0], min_relevance=0.0).answer) == 1 + len(OTHERS)
    assert [each.segment.doc_id for each in searched(real_world, tenant, QUESTION, min_relevance=0.5).answer] == [
        "doc0"
    ]
    nothing = searched(real_world, tenant, FOREIGN[0], min_relevance=0.5)
    assert (list(nothing.answer), nothing.is_below_floor) == ([], False)


def test_a_keys_floor_stays_whatever_the_call_asks_for(real_world: World, tenant: str) -> None:
    assert searched(real_world, tenant, FOREIGN[0], floor=0.0).answer
    assert not searched(real_world, tenant, QUESTION, floor=0.999).answer
    assert not searched(real_world, tenant, QUESTION, floor=0.999, min_relevance=0.0).answer


def test_a_collections_floor_replaces_the_fitted_one(real_world: World, tenant: str) -> None:
    settings = real_world.services.administration.collection_admin
    try:
        settings.set(tenant, "default", None, None, floor=0.0)
        assert searched(real_world, tenant, FOREIGN[0]).answer
        settings.set(tenant, "default", None, None, floor=0.999)
        assert searched(real_world, tenant, QUESTION).is_below_floor
    finally:
        settings.set(tenant, "default", None, None, floor="auto")
    assert not searched(real_world, tenant, QUESTION).is_below_floor


@pytest.mark.parametrize("mode", [SearchMode.LEXICAL, SearchMode.SEMANTIC])
def test_each_signal_alone_has_a_relevance_as_well(real_world: World, tenant: str, mode: SearchMode) -> None:
    first, *others = searched(real_world, tenant, QUESTION, mode=mode).answer
    assert first.segment.doc_id == "doc0"
    assert first.relevance is not None
    assert all(each.relevance is not None and each.relevance < first.relevance for each in others)


def test_a_model_without_a_fit_has_no_relevance_and_no_floor(world: World) -> None:
    made = world.tenant("birch")
    world.ingest(made, LEAVE, PUBLIC, path="/nowhere/leave.txt")
    [passage] = searched(world, made, FOREIGN[0]).answer
    assert passage.relevance is None
    assert searched(world, made, FOREIGN[0], min_relevance=0.9).answer == [passage]


@pytest.mark.parametrize("passages", [1, 10, 100, 10_000])
def test_the_floor_keeps_the_answer_of_a_reader_of_so_many_passages(real_world: World, passages: int) -> None:
    made = real_world.tenant(f"reader-of-{passages}")
    real_world.ingest(made, LEAVE, PUBLIC, path="/nowhere/leave.md", doc_id="leave")
    fill(real_world, made, passages - 1)
    trace = searched(real_world, made, QUESTION)
    assert trace.answer[0].segment.doc_id == "leave"
    assert all(searched(real_world, made, question).is_below_floor for question in (*GIBBERISH, *FOREIGN))


def fill(world: World, tenant: str, number: int) -> None:
    """Store passages of words that are in many of them, with vectors that are near no question."""
    if not number:
        return
    services, random = world.services, np.random.default_rng(7)
    result = world.ingest(tenant, OTHERS[0], PUBLIC, path="/nowhere/many.md", doc_id="many")
    assert result.document is not None
    index = services.stores.indexes.for_tenant(tenant)
    [like] = index.segments(DocumentVersion("many", 1))
    words = " ".join(OTHERS).split()
    vectors = random.standard_normal((number, index.model.dimension)).astype("<f4")
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    rows = [
        SegmentInput(_passage(like, at, " ".join(random.choice(words, 20))), vectors[at].tobytes())
        for at in range(1, number)
    ]
    index.put(DocumentVersion("many", 1), single_policy(PUBLIC), rows)


def _passage(like: Segment, at: int, text: str) -> Segment:
    return replace(like, uid=segment_uid("many", text, at), ordinal=at, text=text, sketch=b"")
