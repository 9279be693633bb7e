"""Counts of a tenant's calls by month, and the identity of a call."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from groundwire.domain.access.scopes import Scope
from groundwire.domain.keys.options import USUAL_OPTIONS
from tests.server.entry.rest.api import Api, api, key
from tests.support.isolation.policies import PUBLIC
from tests.support.worlds.world import World, caller


@pytest.fixture
def called(world: World, tenant: str) -> str:
    """The month in which two searches were answered, one call was refused and one file was opened."""
    world.ingest(tenant, "The pump.", PUBLIC, path="/n/pumps.md", doc_id="pumps")
    agent = world.acting_key(tenant)
    [found, _] = [world.search(caller(agent, user), "pump") for user in ("ann", "bo")]
    path = found.segments[0]["source_url"].partition("://")[2].partition("/")[2].partition("?")[0]
    assert world.request("GET", f"/{path}?as=original", {}, b"").status == 200
    personal = world.personal_key(tenant, "cy", frozenset())
    assert world.request("GET", "/v1/status", caller(personal, "dan"), b"").status == 403
    return datetime.fromtimestamp(world.services.clock(), UTC).strftime("%Y-%m")


def test_calls_passages_and_opened_files_are_counted_by_month(admin: Api, called: str) -> None:
    [month] = admin.get("/v1/usage").json["months"]
    route = month["calls"].keys() - {"rag_search"}
    assert (month["month"], month["calls"]["rag_search"], sum(month["calls"].values())) == (called, 2, 3)
    assert route <= {"/o", "/open"}
    assert (month["refused"], month["passages"], month["originals"]) == (1, 2, 1)
    assert admin.get("/v1/usage").json["months"][0]["calls"]["GET /v1/usage"] == 1


def test_the_counts_of_a_month_are_those_of_its_lines_alone(world: World, admin: Api) -> None:
    tenant = admin.get("/v1/whoami").json["tenant"]
    for time in (1_700_000_000.0, 1_700_000_001.0, 1_690_000_000.0):
        line = {"tenant": tenant, "tool": "fetch", "segments": 2, "status": 200, "decision": "admitted", "time": time}
        world.services.stores.audit.append(line)
    world.services.stores.audit.append({"tenant": tenant, "action": "user.set", "time": 1_690_000_000.0})
    months = {month["month"]: month for month in admin.get("/v1/usage").json["months"]}
    assert (months["2023-11"]["calls"], months["2023-11"]["passages"]) == ({"fetch": 2}, 4)
    assert (months["2023-07"]["calls"], months["2023-07"]["passages"]) == ({"fetch": 1}, 2)


def test_rare_names_of_calls_are_counted_together(world: World, admin: Api) -> None:
    tenant = admin.get("/v1/whoami").json["tenant"]
    for number in range(120):
        line = {"tenant": tenant, "method": f"m{number:03}", "status": 200, "decision": "admitted", "time": 1.0}
        world.services.stores.audit.append(line)
    month = admin.get("/v1/usage").json["months"][-1]
    assert (len(month["calls"]), month["calls"]["other"], sum(month["calls"].values())) == (101, 20, 120)


def test_another_tenant_counts_its_own_calls(world: World, called: str) -> None:
    assert called
    stranger = api(key(world, world.tenant("birch"), Scope.ADMIN))
    assert stranger.get("/v1/usage").json["months"] == []


@pytest.mark.parametrize("collections", [True, False])
def test_an_administrator_with_bounds_gets_the_same_answer_whatever_was_called(
    world: World, tenant: str, admin: Api, *, collections: bool
) -> None:
    options = replace(USUAL_OPTIONS, dialects=frozenset({"openai"}))
    made = (
        key(world, tenant, Scope.ADMIN, collections=frozenset({"handbook"}))
        if collections
        else key(world, tenant, Scope.ADMIN, options=options)
    )
    bounded = api(made)
    before = bounded.get("/v1/usage")
    world.ingest(tenant, "The pump.", PUBLIC, path="/n/pumps.md", doc_id="pumps")
    world.search(caller(world.acting_key(tenant), "ann"), "pump")
    assert admin.get("/v1/usage").json["months"]
    assert bounded.get("/v1/usage") == before
    assert before.code == "denied"


def test_a_key_reads_its_own_identity_and_no_secret(world: World, tenant: str) -> None:
    issued = key(world, tenant, Scope.SEARCH, user="olga", tags=frozenset({"b", "a"}))
    reply = api(issued).get("/v1/whoami")
    identity = reply.json
    assert (identity["tenant"], identity["kid"], identity["name"]) == (tenant, issued.key.kid, "owner")
    assert (identity["user"], identity["tags"], identity["tags_from"]) == ("olga", ["a", "b"], "key")
    assert (identity["scopes"], identity["administrator"], identity["bounded"]) == (["search"], False, False)
    assert issued.secret.reveal().rpartition("_")[2].encode() not in reply.body


def test_the_identity_of_a_delegated_call_has_the_user_and_the_tags_that_count(world: World, tenant: str) -> None:
    agent = world.acting_key(tenant, max_tags=("a", "b"), collections=frozenset({"handbook"}))
    identity = Api(caller(agent, "ann", frozenset({"a", "z"}))).get("/v1/whoami").json
    assert (identity["kind"], identity["user"], identity["tags"]) == ("act_as", "ann", ["a"])
    assert (identity["tags_from"], identity["tags_ignored"]) == ("call", 1)
    assert (identity["bounded"], identity["collections"]) == (True, ["handbook"])


def test_an_administrator_is_named_as_one(admin: Api) -> None:
    identity = admin.get("/v1/whoami").json
    assert (identity["administrator"], identity["collections"], identity["dialects"]) == (True, "every", None)
