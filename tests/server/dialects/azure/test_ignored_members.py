"""Members of a source without effect, and those of the presentation: none adds a passage or a reference."""

from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.server.dialects.azure.office import AUGUST_2026, Office, found_office, intents, texts
from tests.support.clients.ignored_members import Members, Shapes, check_nothing_is_added, drawn
from tests.support.plugins.draws import examples
from tests.support.worlds.homes import fresh_home
from tests.support.worlds.world import open_world

OF_SOURCE: Shapes = {
    "alwaysQuerySource": st.booleans(),
    "includeReferences": st.booleans(),
    "includeReferenceSourceData": st.booleans(),
    "failOnError": st.booleans(),
    "neverQuerySource": st.just(value=False),
}
OF_REQUEST: Shapes = {
    "includeActivity": st.booleans(),
    "outputMode": st.just("extractiveData"),
    "maxRuntimeInSeconds": st.integers(20, 600),
    "maxOutputDocuments": st.integers(1, 200),
    "maxOutputSizeInTokens": st.integers(1, 20_000),
}


@pytest.fixture(scope="module")
def office() -> Iterator[Office]:
    with pytest.MonkeyPatch.context() as patch, fresh_home() as home, open_world(home, patch) as world:
        yield found_office(world)


@settings(max_examples=examples(40), deadline=None)
@given(members=drawn(OF_SOURCE), others=drawn(OF_REQUEST))
def test_a_member_without_effect_adds_no_passage(office: Office, members: Members, others: Members) -> None:
    def retrieved(sent: Members, of_request: Members) -> dict[str, Any]:
        source = {"knowledgeSourceName": "handbook", "kind": "searchIndex", **sent}
        return office.retrieve({**intents("wheel pump"), "knowledgeSourceParams": [source], **of_request}, AUGUST_2026)

    def passages(sent: Members) -> list[str]:
        return texts(retrieved(sent, others if sent else {}))

    def references(sent: Members) -> list[str]:
        answer = retrieved(sent, others if sent else {})
        return [each["docKey"] for each in answer["references"]]

    check_nothing_is_added(passages, members)
    check_nothing_is_added(references, members)
