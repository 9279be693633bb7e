"""Collections and explanations of a search over REST: they narrow, and tell nothing of what the caller cannot read."""

from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings

from groundwire.adapters.local.index.index import EmbeddedIndex
from groundwire.domain.access.policy import Readers
from groundwire.domain.access.scopes import Scope
from tests.server.entry.rest.api import Api, Reply, api, key
from tests.server.entry.rest.test_access import PEOPLE, POLICIES, Company, person
from tests.support.isolation.policies import NO_READERS, PUBLIC, for_tags
from tests.support.plugins.draws import examples
from tests.support.worlds.homes import fresh_home
from tests.support.worlds.world import World, caller, open_world


@pytest.fixture(scope="module")
def company() -> Iterator[Company]:
    with pytest.MonkeyPatch.context() as patch, fresh_home() as home, open_world(home, patch) as world:
        patch.setenv("POWERTOOLS_METRICS_DISABLED", "true")
        yield Company(world)


def forgets_readers(_index: EmbeddedIndex, _doc_id: str, _readers: Readers) -> None:
    """Leave the rows as they are, as an index does for a while after a change."""


def names(reply: Reply) -> set[str]:
    return {passage["doc_id"] for passage in reply.json["passages"]}


def test_collections_narrow_a_search_and_a_hidden_name_answers_as_one_that_does_not_exist(
    world: World, tenant: str, admin: Api
) -> None:
    for collection, policy in (("handbook", PUBLIC), ("prices", PUBLIC), ("board", NO_READERS)):
        world.ingest(tenant, "The pump.", policy, path=f"/n/{collection}.md", doc_id=collection, collection=collection)
    reader = api(key(world, tenant, Scope.SEARCH))
    bounded = api(key(world, tenant, Scope.SEARCH, collections=frozenset({"handbook"})))

    def search(client: Api, *collections: str, **more: object) -> Reply:
        return client.post("/v1/search", phrases=["pump"], collections=list(collections), **more)

    assert names(search(reader, "handbook")) == {"handbook"}
    assert names(search(reader, "handbook", "board", "never")) == {"handbook"}
    assert names(search(bounded, "handbook", "prices")) == {"handbook"}

    def without_name(client: Api, name: str, **more: object) -> str:
        """Return the answer without the name in it, which the caller sent."""
        return search(client, name, **more).body.decode().replace(name, "NAME")

    for client, more in ((reader, {}), (bounded, {}), (admin, {"explain": True})):
        assert without_name(client, "board", **more) == without_name(client, "never", **more)
    assert without_name(bounded, "prices") == without_name(bounded, "never")


@pytest.mark.parametrize("collections", [[], "handbook", [""], ["a b"], ["c"] * 11, [1]])
def test_collections_that_cannot_be_are_refused(admin: Api, collections: object) -> None:
    assert admin.post("/v1/search", phrases=["pump"], collections=collections).code == "invalid"


@given(declared=POLICIES, ceiling=POLICIES, who=PEOPLE)
@settings(max_examples=examples(60))
def test_a_passage_is_visible_for_the_reasons_that_a_check_of_access_gives(
    company: Company, declared: dict[str, Any], ceiling: dict[str, Any], who: tuple[str | None, list[str] | None]
) -> None:
    user, tags = who
    admin = company.admin
    agent = company.world.acting_key(company.tenant, scopes=frozenset({Scope.SEARCH, Scope.ADMIN}))
    admin.post("/v1/documents/doc/lift")
    admin.put("/v1/documents/doc/policy", **declared, until_next_run=True, new_tags=True)
    admin.put("/v1/documents/doc/policy", **ceiling, new_tags=True)

    headers = caller(agent, user, None if tags is None else frozenset(tags))
    found = Api(headers).post("/v1/search", phrases=["pump"], explain=True).json["passages"]

    checked = admin.post("/v1/access/check", document="doc", **person(agent, user, tags)).json
    assert bool(found) is checked["allowed"]
    for passage in found:
        assert passage["access"] == {name: checked[name] for name in passage["access"]}
        assert passage["access"].keys() == {"reason", "policy_reason", "ceiling_reason", "needed_tags", "needs_user"}


def test_an_explanation_has_nothing_of_a_document_that_was_closed_and_that_the_index_still_has(
    world: World, tenant: str, admin: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    texts = {"near": "The pump, the pump, the pump.", "far": "A pump and a valve of the cellar.", "other": "The pump."}
    for doc_id, text in texts.items():
        collection = "board" if doc_id == "near" else "default"
        world.ingest(tenant, text, PUBLIC, path=f"/n/{doc_id}.md", doc_id=doc_id, collection=collection)

    def explained() -> dict[str, Any]:
        return admin.post("/v1/search", phrases=["pump"], explain=True).json

    before = explained()
    assert set(before["steps"].values()) == {3, 0}
    assert "board" in before["bm25_weights"]
    monkeypatch.setattr(EmbeddedIndex, "set_readers", forgets_readers)
    world.services.administration.document_admin.override_policy(tenant, "near", NO_READERS)

    after = explained()

    assert {passage["doc_id"] for passage in after["passages"]} == {"far", "other"}
    assert after["bm25_weights"].keys() == {"default"}
    assert set(after["steps"].values()) == {2, 0}
    for passage in after["passages"]:
        assert max(passage["why"]["ranks"].values(), key=lambda rank: rank or 0) <= 2
        assert all((view["bm25_rank"] or 0) <= 2 >= view["vector_rank"] for view in passage["why"]["phrases"])


def test_an_explanation_over_rest_names_no_tag_but_the_callers(world: World, tenant: str) -> None:
    world.ingest(tenant, "The pump.", for_tags("sales", "board"), path="/n/a.md", doc_id="a")
    seller = api(key(world, tenant, Scope.ADMIN, tags=frozenset({"sales"})))

    reply = seller.post("/v1/search", phrases=["pump"], explain=True)

    assert reply.json["passages"][0]["access"]["needed_tags"] == ["sales"]
    assert b"board" not in reply.body
