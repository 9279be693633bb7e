"""Plans of uploads: what the files would do is what they do, and a plan shows no more than a ticket."""

import hashlib
from typing import Any

import pytest

from groundwire.domain.access.scopes import Scope
from groundwire.domain.limits import MAX_PLANNED_UPLOADS
from tests.server.entry.rest.api import Api, api, key
from tests.support.isolation.policies import PUBLIC, for_tags
from tests.support.worlds.world import World

NOBODY = {"public": False, "users": [], "any_tags": [], "all_tags": []}
SALES = {**NOBODY, "any_tags": ["sales"]}
EVERYONE = {**NOBODY, "public": True}
TEXT = "The pump."


def order(doc_id: str | None, text: str = TEXT, **others: object) -> dict[str, Any]:
    digest = hashlib.sha256(text.encode()).hexdigest()
    fixed = {"collection": "default", "file_name": f"{doc_id}.md", "size": len(text), "sha256": digest, "policy": SALES}
    return {**fixed, **({} if doc_id is None else {"doc_id": doc_id}), **others}


@pytest.fixture
def sharing(world: World, tenant: str) -> Api:
    return api(key(world, tenant, Scope.INGEST, Scope.SHARE))


def plans(client: Api, *files: dict[str, Any]) -> list[dict[str, Any]]:
    reply = client.post("/v1/uploads/plan", files=files)
    assert reply.status == 200, reply.body
    rows: list[dict[str, Any]] = reply.json["files"]
    assert sum(reply.json["counts"].values()) == len(rows) == len(files)
    return rows


def test_each_file_has_its_plan_and_the_readers_before_and_after(
    world: World, tenant: str, admin: Api, sharing: Api
) -> None:
    for doc_id in ("same", "other", "wider", "gone"):
        world.ingest(tenant, TEXT, for_tags("sales"), path=f"/n/{doc_id}.md", doc_id=doc_id)
    assert admin.delete("/v1/documents/gone").status == 200
    found = plans(
        sharing,
        order("same"),
        order("other", "The new pump."),
        order("wider", policy=EVERYONE),
        order("gone"),
        order("fresh", policy=NOBODY),
        order(None, policy=SALES),
        order("drawing", file_name="plan.dwg"),
        order("same", file_name="renamed.md"),
    )
    assert [each["plan"] for each in found] == [
        *("unchanged", "changed", "repolicied", "held_back", "new", "new", "refused", "updated")
    ]
    assert [each["adds_readers"] for each in found] == [False, False, True, False, False, True, False, False]
    assert not any(each["removes_readers"] for each in found)
    assert [each["reason"] is None for each in found] == [each["readers_after"] is not None for each in found]
    [narrowed] = plans(sharing, order("same", policy=NOBODY))
    assert (narrowed["plan"], narrowed["removes_readers"], narrowed["readers_after"]) == ("repolicied", True, "nobody")
    # A new version without a policy of its own keeps its readers.
    [kept] = plans(sharing, order("same", "The new pump.", policy_source="none"))
    assert (kept["plan"], kept["readers_after"] == kept["readers_before"]) == ("changed", True)


def test_a_ceiling_stays_and_limits_the_readers_of_the_plan(
    world: World, tenant: str, admin: Api, sharing: Api
) -> None:
    world.ingest(tenant, TEXT, PUBLIC, path="/n/one.md", doc_id="one")
    assert admin.post("/v1/documents/one/close").status == 200
    [planned] = plans(sharing, order("one", "The new pump.", policy=EVERYONE))
    assert (planned["plan"], planned["adds_readers"]) == ("changed", False)


def test_a_plan_changes_nothing_and_its_audit_line_counts_the_files(world: World, tenant: str, sharing: Api) -> None:
    before = world.services.stores.documents.all(tenant, None)
    plans(sharing, order("one"), order("two"))
    assert world.services.stores.documents.all(tenant, None) == before
    log = (world.services.settings.home / "audit.jsonl").read_text()
    [line] = [each for each in log.splitlines() if '"POST /v1/uploads/plan"' in each]
    assert '"files":2' in line
    assert "one.md" not in line


def test_a_plan_answers_as_the_request_for_a_ticket_does(world: World, tenant: str) -> None:
    world.ingest(tenant, TEXT, for_tags("sales"), path="/n/closed.md", doc_id="closed", collection="board")
    world.ingest(tenant, TEXT, for_tags("sales"), path="/n/foreign.md", doc_id="foreign")
    bounded = api(key(world, tenant, Scope.INGEST, tags=frozenset({"sales"}), collections=frozenset({"default"})))
    for refused in (
        order("closed"),
        order("new", collection="board"),
        order("new", collection="no-such"),
        order("foreign", "The new pump."),
        order("new", policy=EVERYONE),
    ):
        ticket = bounded.post("/v1/uploads", **refused)
        [planned] = plans(bounded, refused)
        assert (ticket.status, planned["plan"]) == (403, "refused"), refused
        assert planned["reason"] == ticket.json["error"]["message"]
        assert planned["readers_before"] is None
    names = [plans(bounded, order("new", collection=name))[0]["reason"] for name in ("board", "no-such")]
    assert names[0] == names[1]


@pytest.mark.parametrize("number", [0, MAX_PLANNED_UPLOADS + 1])
def test_a_plan_of_no_or_too_many_files_is_refused(sharing: Api, number: int) -> None:
    assert sharing.post("/v1/uploads/plan", files=[order(f"d{each}") for each in range(number)]).status == 400


def test_a_key_that_only_searches_plans_nothing(world: World, tenant: str) -> None:
    assert api(key(world, tenant, Scope.SEARCH)).post("/v1/uploads/plan", files=[order("a")]).status == 403
