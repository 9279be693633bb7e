"""Search as another person: what this person's own call returns, for an administrator, with both names in the log."""

import json
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing
from dataclasses import replace
from typing import Any, Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from groundwire.domain.access.scopes import Scope
from groundwire.domain.keys.options import USUAL_OPTIONS
from groundwire.services.keys.admin import KeyWithSecret
from tests.server.entry.rest.api import Api, Reply, api, key
from tests.server.entry.rest.test_access import PEOPLE, POLICIES, TAGS, USERS, Company, person, some
from tests.support.isolation.policies import NO_READERS, PUBLIC, for_tags, for_users
from tests.support.plugins.draws import examples
from tests.support.worlds.homes import fresh_home
from tests.support.worlds.world import World, caller, open_world

SEARCHING_AS: Final = replace(USUAL_OPTIONS, may_search_as=True)


@pytest.fixture(scope="module")
def company() -> Iterator[Company]:
    with pytest.MonkeyPatch.context() as patch, fresh_home() as home, open_world(home, patch) as world:
        patch.setenv("POWERTOOLS_METRICS_DISABLED", "true")
        made = Company(world)
        for doc_id, policy in (("twin", for_tags("a")), ("anns", for_users("ann")), ("nobodys", NO_READERS)):
            world.ingest(made.tenant, f"A pump, {doc_id}.", policy, path=f"/n/{doc_id}.md", doc_id=doc_id)
        made.document("far", collection="other")
        made.admin = api(key(world, made.tenant, Scope.ADMIN, options=SEARCHING_AS))
        yield made


@pytest.fixture
def searcher(world: World, tenant: str) -> Api:
    return api(key(world, tenant, Scope.ADMIN, options=SEARCHING_AS))


def without_links(reply: Reply) -> dict[str, Any]:
    passages = [{**passage, "source_url": None} for passage in reply.json["passages"]]
    return {**reply.json, "passages": passages}


def own_call(agent: KeyWithSecret, user: str | None, tags: list[str] | None, **search: Any) -> Reply:
    headers = caller(agent, user, None if tags is None else frozenset(tags))
    return Api(headers).post("/v1/search", **search)


@given(
    declared=POLICIES,
    ceiling=st.none() | POLICIES,
    entry=st.none() | st.sampled_from(some(TAGS)),
    who=PEOPLE,
    agent=st.none() | st.integers(0, 5),
    is_blocked=st.booleans(),
    narrowing=st.sampled_from([{}, {"collections": ["other", "never"]}, {"top_n": 1}, {"where": "year >= 2024"}]),
)
@settings(max_examples=examples(200))
def test_a_search_as_a_person_returns_what_the_persons_own_call_returns(
    company: Company,
    declared: dict[str, Any],
    ceiling: dict[str, Any] | None,
    entry: list[str] | None,
    who: tuple[str | None, list[str] | None],
    agent: int | None,
    is_blocked: bool,  # noqa: FBT001 - drawn
    narrowing: Mapping[str, Any],
) -> None:
    user, tags = who
    # Without a key, a person is that of a delegated key without a bound.
    admin, acting = company.admin, company.keys[agent or 0]
    named = person(None if agent is None else acting, user, tags)
    admin.post("/v1/documents/doc/lift")
    assert admin.put("/v1/documents/doc/policy", **declared, until_next_run=True, new_tags=True).status == 200
    if ceiling is not None:
        assert admin.put("/v1/documents/doc/policy", **ceiling, new_tags=True).status == 200
    for name in USERS:
        admin.delete(f"/v1/users/{name}")
        if entry is not None:
            assert admin.put(f"/v1/users/{name}", tags=entry, new_tags=True).status == 200
    if is_blocked and user is not None:
        admin.post("/v1/users/block", users=[user])
    try:
        search = {"phrases": ["pump", "doc"], **narrowing}
        found, own = admin.post("/v1/search", **search, **{"as": named}), own_call(acting, user, tags, **search)
        assert (found.status == 200) is (own.status == 200), found.json
        if own.status == 200:
            assert without_links(found) == without_links(own)
            if not narrowing:
                shown = {passage["doc_id"] for passage in found.json["passages"]}
                assert shown == company.finds(acting, user, tags)
    finally:
        admin.post("/v1/users/unblock", users=[user or "nobody"])


def test_a_search_as_a_person_names_both_in_one_line_of_the_audit_also_where_it_is_refused(
    world: World, tenant: str, admin: Api, searcher: Api
) -> None:
    world.ingest(tenant, "The pump.", for_users("ann"), path="/n/a.md", doc_id="a")
    agent, log = world.acting_key(tenant), world.services.settings.home / "audit.jsonl"
    searcher.get("/v1/status")

    def lines(client: Api, **named: object) -> list[dict[str, Any]]:
        before = len(log.read_text().splitlines())
        client.post("/v1/search", phrases=["pump"], **{"as": named})
        return [json.loads(line) for line in log.read_text().splitlines()[before:]]

    [line] = lines(searcher, user="ann", kid=agent.key.kid)
    assert (line["user"], line["as_user"], line["as_key"], line["outcome"]) == (
        "olga",
        "ann",
        agent.key.kid,
        "answered",
    )
    assert line["documents"] == ["a@1"]
    assert line["as_tags_hash"] == line["tags_hash"]
    [refused] = lines(admin, user="ann")
    assert (refused["user"], refused["as_user"], refused["outcome"]) == ("olga", "ann", "denied")
    assert "documents" not in refused


def test_a_blocked_person_finds_nothing_for_anybody(world: World, tenant: str, searcher: Api) -> None:
    world.ingest(tenant, "The pump.", PUBLIC, path="/n/a.md", doc_id="a")
    searcher.post("/v1/users/block", users=["ann"])

    refused = searcher.post("/v1/search", phrases=["pump"], **{"as": {"user": "Ann"}})

    assert (refused.status, refused.code, "blocked" in refused.json["error"]["message"]) == (403, "denied", True)
    assert searcher.post("/v1/search", phrases=["pump"], **{"as": {"user": "ben"}}).json["passages"]


def test_an_answer_for_somebody_else_has_no_link_that_would_open_with_the_rights_of_a_person(
    world: World, tenant: str, searcher: Api
) -> None:
    world.ingest(tenant, "The pump of the cellar.", PUBLIC, path="/n/a.md", doc_id="a")

    reply = searcher.post("/v1/search", phrases=["pump"], **{"as": {"user": "ann"}})

    assert [passage["source_url"] for passage in reply.json["passages"]] == [None]
    assert b"/o/" not in reply.body


def test_an_explanation_is_of_the_persons_rights(world: World, tenant: str, searcher: Api) -> None:
    world.ingest(tenant, "The pump.", for_tags("sales"), path="/n/a.md", doc_id="a")
    named = {"user": "ann", "tags": ["sales", "x"]}

    explained = searcher.post("/v1/search", phrases=["pump"], explain=True, **{"as": named}).json

    assert explained["passages"][0]["access"]["needed_tags"] == ["sales"]
    assert (explained["steps"]["answer"], explained["tags_ignored"]) == (1, 0)


@pytest.mark.parametrize(
    ("named", "status"),
    [
        ({"kid": "000000000000"}, 404),
        ({"user": ""}, 400),
        ({"tags": ["a\u0000b"]}, 200),
        ({"name": "ann"}, 400),
        ("ann", 400),
    ],
)
def test_a_person_is_read_as_a_question_about_access_reads_one(searcher: Api, named: object, status: int) -> None:
    assert searcher.post("/v1/search", phrases=["pump"], **{"as": named}).status == status


def test_blocks_for_a_model_are_never_of_somebody_else(searcher: Api) -> None:
    body = json.dumps({"phrases": ["pump"], "as": {"user": "ann"}}).encode()
    assert searcher.send("POST", "/v1/search", body, "as=search_result").status == 400


def test_only_an_administrators_key_with_the_option_and_without_bounds_searches_as_others(
    world: World, tenant: str, admin: Api
) -> None:
    world.ingest(tenant, "The pump.", PUBLIC, path="/n/a.md", doc_id="a", collection="handbook")
    inside = frozenset({"handbook"})
    reader = api(key(world, tenant, Scope.SEARCH))
    bounded = api(key(world, tenant, Scope.ADMIN, collections=inside))
    unnamed = world.acting_key(tenant, scopes=frozenset({Scope.ADMIN}), may_search_as=True)
    closed: dict[str, Any] = {"user": "ann", "tags": ["board"]}

    def seen(client: Api) -> list[bytes]:
        people = (closed, {"user": "ann"}, {"kid": "000000000000"}, {"user": "nobody"})
        return [client.post("/v1/search", phrases=["pump"], **{"as": each}).body for each in people]

    before = seen(bounded)
    world.ingest(tenant, "The pump of the board.", for_tags("board"), path="/n/c.md", doc_id="c", collection="board")
    admin.put("/v1/users/ann", tags=["board"], new_tags=True)
    admin.post("/v1/users/block", users=["ann"])

    # One answer, whoever is named and whatever there is.
    assert seen(bounded) == before
    assert len({*before, *seen(admin), *seen(reader)}) == 1
    assert b"`may_search_as`" in before[0]
    assert Api(caller(unnamed)).post("/v1/search", phrases=["pump"], **{"as": closed}).code == "denied"


def test_a_key_of_a_store_with_the_option_beside_a_bound_searches_as_nobody(
    world: World, tenant: str, searcher: Api
) -> None:
    assert searcher.post("/v1/search", phrases=["pump"], **{"as": {"user": "ann"}}).status == 200
    database = world.services.settings.home / "registry.db"
    with closing(sqlite3.connect(database)) as connection, connection:
        connection.execute("UPDATE keys SET collections = ? WHERE may_search_as", (json.dumps(["handbook"]),))
    assert searcher.post("/v1/search", phrases=["pump"], **{"as": {"user": "ann"}}).code == "denied"


ORDER: Final[dict[str, Any]] = {
    "name": "page",
    "kind": "personal",
    "user": "olga",
    "scopes": ["admin"],
    "collections": "every",
    "may_search_as": True,
}


@pytest.mark.parametrize(
    "bound", [{"scopes": ["search", "ingest", "share"]}, {"collections": ["handbook"]}, {"dialects": ["openai"]}]
)
def test_no_other_key_gets_the_option(searcher: Api, bound: dict[str, Any]) -> None:
    assert searcher.post("/v1/keys", **ORDER).json["may_search_as"] is True
    assert searcher.post("/v1/keys", **{**ORDER, **bound}).code == "invalid"


def test_a_key_without_the_option_gives_nobody_a_secret_of_one_that_has_it(
    world: World, tenant: str, admin: Api
) -> None:
    giving = key(world, tenant, Scope.ADMIN, options=SEARCHING_AS)

    assert admin.post("/v1/keys", **ORDER).code == "denied"
    assert admin.post(f"/v1/keys/{giving.key.kid}/rotate").code == "denied"
    assert admin.post("/v1/keys", **{**ORDER, "may_search_as": False}).status == 201
    # What takes a right stays possible.
    assert admin.delete(f"/v1/keys/{giving.key.kid}").status == 200
