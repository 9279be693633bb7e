"""Members of the presentation have no effect: none adds a hit."""

from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.server.dialects.opensearch.node import Node
from tests.support.clients.ignored_members import Members, Shapes, check_nothing_is_added, drawn
from tests.support.isolation.policies import PUBLIC, for_users
from tests.support.plugins.draws import examples
from tests.support.worlds.homes import fresh_home
from tests.support.worlds.world import open_world

QUERY = {"match": {"content": "wheel pump"}}
SHAPES: Shapes = {
    "highlight": st.just({"fields": {"content": {}}}),
    "explain": st.booleans(),
    "profile": st.booleans(),
    "rescore": st.just({"window_size": 50, "query": {"rescore_query": {"match": {"content": "wheel"}}}}),
    "indices_boost": st.just([{"handbook": 2.0}]),
    "stats": st.just(["group"]),
    "timeout": st.sampled_from(["1s", "10ms"]),
    "version": st.booleans(),
    "seq_no_primary_term": st.booleans(),
}


@pytest.fixture(scope="module")
def node() -> Iterator[Node]:
    with pytest.MonkeyPatch.context() as patch, fresh_home() as home, open_world(home, patch) as world:
        tenant = world.tenant("amber")
        key = world.acting_key(tenant)
        node = Node(world, tenant, key, key)
        node.add("pump", "\n\n".join(f"The wheel pump has the number {number}." for number in range(30)), PUBLIC)
        node.add("secret", "The wheel pump opens with a code.", for_users("ben"))
        yield node


@settings(max_examples=examples(30), deadline=None)
@given(members=drawn(SHAPES))
def test_a_member_without_effect_changes_no_hit(node: Node, members: Members) -> None:
    answers: list[object] = []

    def ask(sent: Members) -> list[str]:
        answer = node.send("POST", "/opensearch/handbook/_search", {"query": QUERY, **sent})
        assert answer.status == 200, answer.payload
        answers.append(answer.payload["hits"])
        return [hit["_id"] for hit in answer.payload["hits"]["hits"]]

    check_nothing_is_added(ask, members)
    assert answers[0] == answers[1]
