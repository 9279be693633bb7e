"""Replay with floors: dialects with the floor agree, and what it leaves out is named."""

from collections.abc import Iterator

import pytest

from groundwire.dialects.declaration.replay import ReplayedQuestion
from groundwire.dialects.replay import comparable, first_difference
from tests.support.isolation.policies import PUBLIC
from tests.support.worlds.homes import fresh_home
from tests.support.worlds.replays import replay
from tests.support.worlds.world import World, open_real_world

PARAGRAPHS = (
    "The yearly entitlement is 27 days of annual leave for a five-day week, and one more after five years.",
    "The radar is mounted with two stainless anchors that are tightened to 45 newton metres.",
    "Invoices are due after 30 days; interest on late payment follows the base rate.",
    "The battery lasts six years when a reading is sent every six hours.",
)


@pytest.fixture(scope="module")
def world() -> Iterator[World]:
    with pytest.MonkeyPatch.context() as patch, fresh_home() as home, open_real_world(home, patch) as opened:
        yield opened


@pytest.fixture(scope="module")
def office(world: World) -> str:
    made = world.tenant("office")
    for number, text in enumerate(PARAGRAPHS):
        world.ingest(made, text, PUBLIC, path=f"/files/{number}.md", doc_id=f"d{number}", collection="office")
    return made


def test_with_floors_dialects_with_the_floor_agree_and_name_what_it_leaves_out(world: World, office: str) -> None:
    question = ReplayedQuestion("How many days of annual leave do I get?", "office", 8, has_floor=True)
    answers = replay(world, office, question, None)
    assert first_difference(comparable(answers, question)) is None
    by_dialect = {each.dialect: each for each in answers}
    for answer in comparable(answers, question):
        assert answer.files[:1] == ["0.md"]
        assert len(answer.passages) + len(answer.left_out) == len(PARAGRAPHS)
        assert answer.left_out
    assert len(by_dialect["opensearch"].passages) == len(PARAGRAPHS)
    assert not by_dialect["opensearch"].form.has_floor


def test_a_question_that_nothing_answers_is_empty_with_floors_and_complete_without(world: World, office: str) -> None:
    question = ReplayedQuestion("How many bananas fit in a submarine?", "office", 8, has_floor=True)
    with_floor = comparable(replay(world, office, question, None), question)
    assert [len(each.passages) for each in with_floor] == [0] * len(with_floor)
    without = replay(world, office, question._replace(has_floor=False), None)
    assert first_difference(without) is None
    assert all(len(each.passages) == len(PARAGRAPHS) for each in without)
