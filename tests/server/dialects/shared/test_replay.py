"""One question in every dialect names the same documents in the same order."""

from collections.abc import Iterator
from random import Random

import pytest

from groundwire.dialects.declaration.replay import ReplayedQuestion
from groundwire.dialects.replay import DialectReplay, ReplayedAnswer, first_difference
from groundwire.domain.access.policy import Policy, Principal
from groundwire.entry.cli.search.command import local_caller
from tests.support.worlds.homes import fresh_home
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


def replay(world: World, tenant: str, question: ReplayedQuestion, user: str | None) -> list[ReplayedAnswer]:
    services = world.services
    asking = local_caller(Principal(tenant, user, frozenset()), frozenset(COLLECTIONS), 8, 0)

    def file_name(doc_id: str) -> str | None:
        found = services.reading.document_reader.document(asking, doc_id)
        return None if found is None else found.source_file_name

    replayed = DialectReplay(
        services.agents.dialects, services.agents.mcp_server, services.agents.dialect_services, file_name
    )
    return replayed(asking, question)


@pytest.mark.parametrize("user", ["ben", None])
def test_every_dialect_names_the_same_documents_in_the_same_order(world: World, tenant: str, user: str | None) -> None:
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
        assert all(each.documents for each in answers)
        lengths.add(len(answers[0].documents))
    assert len(lengths) > 3


def test_a_dialect_that_names_another_document_is_recognised_by_its_rank() -> None:
    answers = [ReplayedAnswer("one", ["a", "b", "c"]), ReplayedAnswer("two", ["a", "b"])]

    assert first_difference(answers) is None
    assert first_difference([*answers, ReplayedAnswer("three", ["a", "c"])]) == 2
