"""Runs of `groundwire ingest`, as the administrators of a tenant see them."""

from collections.abc import Iterator

import pytest

from groundwire.domain.access.scopes import Scope
from groundwire.domain.limits import MAX_INGESTION_RUNS
from groundwire.ports.ingestion import RunProgress
from tests.server.entry.rest.api import Api, api, key
from tests.support.isolation.policies import PUBLIC
from tests.support.worlds.world import World


def recorded(world: World, tenant: str, number: int, outcome: str | None = "done", collection: str = "handbook") -> str:
    """Record a run, and return its id."""
    run = f"r_{number:016x}"
    started_at = 1_790_000_000.0 + number
    progress = RunProgress(collection, started_at, started_at, "ann", 3, 2, {"indexed": 2}, outcome)
    world.services.installation.ingestion_runs.put(tenant, run, progress)
    return run


@pytest.fixture
def running(world: World, tenant: str) -> Iterator[str]:
    """The id of a run that this process runs."""
    run = recorded(world, tenant, 7, None)
    end = world.services.installation.mark_run(run)
    yield run
    end()


def test_runs_are_listed_the_latest_first_with_their_state(world: World, tenant: str, admin: Api) -> None:
    outcomes = ["done", "failed", "interrupted", "cancelled", None]
    made = [recorded(world, tenant, number, outcome) for number, outcome in enumerate(outcomes)]
    listed = admin.get("/v1/ingestions").json["ingestions"]
    assert [each["id"] for each in listed] == made[::-1]
    # Without a process that runs it, a run without an end was killed.
    assert [each["state"] for each in listed] == ["killed", "cancelled", "interrupted", "failed", "done"]
    assert admin.get(f"/v1/ingestions/{made[0]}").json == listed[-1]
    assert (listed[-1]["files"], listed[-1]["files_done"], listed[-1]["counts"]) == (3, 2, {"indexed": 2})
    assert (listed[-1]["started_at"], listed[-1]["operator"]) == ("2026-09-21T14:13:20Z", "ann")


def test_a_running_one_is_cancelled_and_the_audit_log_names_it(admin: Api, running: str) -> None:
    assert admin.get(f"/v1/ingestions/{running}").json["state"] == "running"
    assert admin.post(f"/v1/ingestions/{running}/cancel").json["cancel_requested"]
    assert admin.get(f"/v1/ingestions/{running}").json["cancel_requested"]
    [line] = admin.get("/v1/audit", call="POST /v1/ingestions/{ingestion_id}/cancel").json["rows"]
    assert (line["details"]["ingestion"], line["outcome"]) == (running, "answered")


def test_a_run_that_ended_is_not_cancelled(world: World, tenant: str, admin: Api) -> None:
    for number, outcome in enumerate(["done", None]):
        refused = admin.post(f"/v1/ingestions/{recorded(world, tenant, number, outcome)}/cancel")
        assert (refused.status, refused.code) == (409, "conflict")


def test_documents_that_are_not_read_yet_are_counted(world: World, tenant: str, admin: Api) -> None:
    world.ingest(tenant, "The pump.", PUBLIC, path="/n/pumps.md", doc_id="pumps")
    assert admin.get("/v1/ingestions").json["pending"] == {"queued": 0, "parsing": 0, "waiting": 0, "failed": 0}
    order = {"collection": "handbook", "file_name": "new.txt", "size": 3, "sha256": "0" * 64}
    nobody = {"public": False, "users": [], "any_tags": [], "all_tags": []}
    assert admin.post("/v1/uploads", **order, policy=nobody).status == 201
    # A ticket whose file has not arrived is no document yet.
    assert sum(admin.get("/v1/ingestions").json["pending"].values()) == 0


def test_an_administrator_of_some_collections_sees_runs_of_no_others(
    world: World, tenant: str, admin: Api, running: str
) -> None:
    bounded = api(key(world, tenant, Scope.ADMIN, collections=frozenset({"board"})))
    empty = bounded.get("/v1/ingestions")
    own = recorded(world, tenant, 1, collection="board")
    assert empty.json["ingestions"] == []
    assert [each["id"] for each in bounded.get("/v1/ingestions").json["ingestions"]] == [own]
    unknown = "r_ffffffffffffffff"
    for method, path in (("GET", "/v1/ingestions/{}"), ("POST", "/v1/ingestions/{}/cancel")):
        beyond, missing = (bounded.send(method, path.format(run), b"") for run in (running, unknown))
        assert (beyond.status, beyond.body.replace(running.encode(), unknown.encode())) == (404, missing.body)
    assert not admin.get(f"/v1/ingestions/{running}").json["cancel_requested"]


def test_runs_of_another_tenant_are_as_missing_as_unknown_ones(world: World, admin: Api, running: str) -> None:
    stranger = api(key(world, world.tenant("birch"), Scope.ADMIN))
    assert stranger.get("/v1/ingestions").json["ingestions"] == []
    assert stranger.get(f"/v1/ingestions/{running}").status == 404
    assert stranger.post(f"/v1/ingestions/{running}/cancel").status == 404
    assert not admin.get(f"/v1/ingestions/{running}").json["cancel_requested"]


@pytest.mark.parametrize("name", ["..", "%2e%2e%2fsecrets", "r_0000000000000000", "r_" + "0" * 15 + "%0a", "a" * 300])
def test_a_name_that_is_no_run_is_missing(admin: Api, name: str) -> None:
    assert admin.get(f"/v1/ingestions/{name}").status == 404
    assert admin.post(f"/v1/ingestions/{name}/cancel").status == 404
    # The log has the ids of runs alone, and no text of a caller in their place.
    assert not any("ingestion" in line["details"] for line in admin.get("/v1/audit").json["rows"])


def test_only_the_last_runs_are_kept_and_none_of_a_deleted_tenant(world: World, tenant: str, admin: Api) -> None:
    made = [recorded(world, tenant, number) for number in range(MAX_INGESTION_RUNS + 2)]
    assert [each["id"] for each in admin.get("/v1/ingestions").json["ingestions"]] == made[:1:-1]
    world.services.administration.tenant_admin.delete(tenant)
    assert not (world.services.settings.home / "tenants" / tenant).exists()


@pytest.mark.parametrize("content", ["{", "[]", "null", "{}", '{"collection": "handbook"}'])
def test_a_damaged_record_is_left_out(world: World, tenant: str, admin: Api, content: str) -> None:
    run = recorded(world, tenant, 1)
    path = world.services.settings.home / "tenants" / tenant / "runs" / f"{run}.json"
    path.write_text(content)
    assert admin.get("/v1/ingestions").json["ingestions"] == []
    assert admin.get(f"/v1/ingestions/{run}").status == 404
