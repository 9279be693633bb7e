"""Rankers have no effect on a server without one: none adds a context."""

from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.server.dialects.vertex.company import BETA, RETRIEVE, Company, found_company, request, texts
from tests.support.clients.ignored_members import Members, Shapes, check_nothing_is_added, drawn
from tests.support.plugins.draws import examples
from tests.support.worlds.homes import fresh_home
from tests.support.worlds.world import open_world

MODEL = st.fixed_dictionaries({}, optional={"modelName": st.text(max_size=20)})
OF_CONFIG: Shapes = {
    "ranking": st.one_of(
        st.just({}), st.fixed_dictionaries({"rankService": MODEL}), st.fixed_dictionaries({"llmRanker": MODEL})
    ),
}
OF_QUERY: Shapes = {"ranking": st.just({})}


@pytest.fixture(scope="module")
def company() -> Iterator[Company]:
    with pytest.MonkeyPatch.context() as patch, fresh_home() as home, open_world(home, patch) as world:
        yield found_company(world)


@settings(max_examples=examples(40), deadline=None)
@given(members=drawn(OF_CONFIG), of_query=drawn(OF_QUERY), path=st.sampled_from([RETRIEVE, BETA]))
def test_a_member_without_effect_adds_no_context(
    company: Company, members: Members, of_query: Members, path: str
) -> None:
    def ask(sent: Members) -> list[str]:
        body = request()
        body["query"] |= {"ragRetrievalConfig": sent, **(of_query if sent else {})}
        return texts(company.retrieve(body, path))

    check_nothing_is_added(ask, members)
