"""One question gets the same passages in the same order in every dialect, except those below a relevance floor."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from random import Random

import pytest

from groundwire.dialects.declaration.replay import AnswerForm, PassagePlace, ReplayedQuestion
from groundwire.dialects.replay import DialectReplay, ReplayedAnswer, first_difference
from groundwire.domain.access.policy import Policy, Principal
from groundwire.domain.errors import Unavailable
from groundwire.entry.cli.search.command import local_caller
from tests.support.worlds.homes import fresh_home
from tests.support.worlds.replays import replay, replay_of
from tests.support.worlds.world import World, open_world

WORDS = ("pump", "oil", "valve", "leave", "travel", "budget", "contract", "night", "harbour", "winter")
PUBLIC = Policy(public=True, users=frozenset(), any_tags=frozenset(), all_tags=frozenset())
CLOSED = Policy(public=False, users=frozenset({"ben"}), any_tags=frozenset(), all_tags=frozenset())
COLLECTIONS = ("handbook", "manuals")


@pytest.fixture(scope="module")
def world() -> Iterator[World]:
    with pytest.MonkeyPatch.context() as patch, fresh_home() as home, open_world(home, patch) as opened:
        yield opened


@pytest.fixture(scope="module")
def tenant(world: World) -> str:
    random, acme = Random(4), world.tenant("acme")
    for number in range(24):
        text = "\n\n".join(" ".join(random.choices(WORDS, k=40)) for _ in range(3))
        world.ingest(
            acme,
            text,
            CLOSED if number % 4 == 0 else PUBLIC,
            path=f"/files/text{number}.txt",
            doc_id=f"text-{number}",
            collection=COLLECTIONS[number % 2],
        )
    return acme


@pytest.mark.parametrize("user", ["ben", None])
def test_every_dialect_names_the_same_passages_in_the_same_order(world: World, tenant: str, user: str | None) -> None:
    random, lengths = Random(5), set[int]()
    for _ in range(20):
        question = ReplayedQuestion(
            " ".join(random.choices(WORDS, k=3)), random.choice(COLLECTIONS), random.randrange(1, 21)
        )
        answers = replay(world, tenant, question, user)
        assert {each.dialect for each in answers} == {
            dialect.name for dialect in world.services.agents.dialects if dialect.replay is not None
        }
        assert first_difference(answers) is None, (question, answers)
        assert all(each.passages for each in answers)
        lengths.add(len(answers[0].passages))
    assert len(lengths) > 3


def test_people_who_ask_at_the_same_time_get_their_own_passages(world: World, tenant: str) -> None:
    question, ask = ReplayedQuestion(" ".join(WORDS[:3]), COLLECTIONS[0], 20), replay_of(world)
    callers = [
        local_caller(Principal(tenant, user, frozenset()), frozenset(COLLECTIONS), 8, 0) for user in ("ben", None)
    ]
    alone = [ask(each, question) for each in callers]
    with ThreadPoolExecutor(2) as pool:
        parallel = list(pool.map(ask, callers * 4, [question] * 8))
    assert parallel == alone * 4
    assert alone[0] != alone[1]


def test_an_answer_with_a_passage_that_the_caller_may_not_read_is_an_error(world: World, tenant: str) -> None:
    agents = world.services.agents
    unreadable = DialectReplay(agents.dialects, agents.mcp_server, agents.dialect_services, lambda _caller, _id: None)
    asking = local_caller(Principal(tenant, None, frozenset()), frozenset(COLLECTIONS), 8, 0)
    with pytest.raises(Unavailable, match="may not read"):
        unreadable(asking, ReplayedQuestion(WORDS[0], COLLECTIONS[0], 3))


COMPLETE, THINNED = AnswerForm(), AnswerForm(is_thinned=True)


def answer(*passages: PassagePlace, form: AnswerForm = COMPLETE) -> ReplayedAnswer:
    return ReplayedAnswer("one", passages, form)


A, B, C = PassagePlace("a", 0), PassagePlace("b", 0), PassagePlace("c", 0)
OTHER_A = PassagePlace("a", 1)


@pytest.mark.parametrize(
    ("answers", "rank"),
    [
        ([], None),
        ([answer(), answer()], None),
        ([answer(A, B, C), answer(A, B)], None),
        ([answer(A, B, C), answer(A, B), answer(A, C)], 2),
        ([answer(A, B, C), answer(OTHER_A, B)], 1),
        ([answer(A, B, C), answer()], 1),
        ([answer(A, OTHER_A, B, C), answer(A, B, form=THINNED)], None),
        ([answer(A, OTHER_A, B, C), answer(OTHER_A, B, form=THINNED)], 1),
        ([answer(A, B, C), answer(A, C, B, form=THINNED)], 3),
    ],
)
def test_the_first_difference_is_the_rank_of_another_passage(answers: list[ReplayedAnswer], rank: int | None) -> None:
    assert first_difference(answers) == rank
