"""Lines of the audit log about questions: each names about whom it was, however the question named the person."""

import json
from typing import Any, Final

import pytest

from groundwire.services.keys.admin import KeyWithSecret
from tests.server.entry.rest.api import Api
from tests.support.isolation.policies import for_tags
from tests.support.worlds.world import World

NOBODY: Final[dict[str, Any]] = {"public": False, "users": [], "any_tags": [], "all_tags": []}


@pytest.fixture
def anns(world: World, tenant: str) -> KeyWithSecret:
    world.ingest(tenant, "The pump.", for_tags("sales"), path="/n/a.md", doc_id="a")
    return world.personal_key(tenant, "ann", frozenset({"sales"}))


def last_line(world: World) -> dict[str, Any]:
    return json.loads((world.services.settings.home / "audit.jsonl").read_text().splitlines()[-1])


def named(world: World) -> tuple[object, object, object]:
    line = last_line(world)
    return line.get("entry"), line.get("key"), line.get("documents")


@pytest.mark.parametrize(
    ("question", "members", "documents"),
    [
        ("check", {"document": "a"}, ["a@1"]),
        ("documents", {}, None),
        ("why-not", {"document": "a", "phrases": ["pump"]}, ["a@1"]),
    ],
)
def test_a_question_by_a_key_alone_names_the_key_and_its_user(
    world: World, admin: Api, anns: KeyWithSecret, question: str, members: dict[str, Any], documents: object
) -> None:
    assert admin.post(f"/v1/access/{question}", kid=anns.key.kid, **members).status == 200
    assert named(world) == ("ann", anns.key.kid, documents)
    assert last_line(world) in _lines_of(world, admin, user="ANN")


def _lines_of(world: World, admin: Api, **conditions: str) -> list[dict[str, Any]]:
    """Return the stored lines of the rows that the conditions find."""
    log = (world.services.settings.home / "audit.jsonl").read_text().splitlines()
    ids = {row["request_id"] for row in admin.get("/v1/audit", **conditions).json["rows"]}
    return [line for line in map(json.loads, log) if line.get("request_id") in ids]


def test_a_question_about_a_change_is_found_by_its_document_group_or_key(
    world: World, admin: Api, anns: KeyWithSecret
) -> None:
    agent = world.acting_key(anns.key.tenant)
    uid = admin.post("/v1/access/why-not", document="a", tags=["sales"], phrases=["pump"]).json["passage"][
        "segment_uid"
    ]
    for document in ("a", uid):
        reply = admin.post("/v1/access/what-if", change="policy", document=document, policy=NOBODY)
        assert (reply.status, named(world)) == (200, (None, None, ["a@1"]))
        assert last_line(world) in _lines_of(world, admin, document="a")
    # What a question names by itself is no document that was read.
    assert admin.post("/v1/access/what-if", change="policy", document="b@1", policy=NOBODY).status == 404
    assert named(world) == (None, None, None)
    assert admin.post("/v1/access/what-if", change="group", group="g", tags=["sales"]).status == 200
    assert named(world) == ("g", None, None)
    assert admin.post("/v1/access/what-if", change="max_tags", kid=agent.key.kid, max_tags=["*"]).status == 200
    assert named(world) == (None, agent.key.kid, None)


def test_a_refused_question_and_a_look_into_the_log_name_the_key_that_they_were_about(
    world: World, admin: Api, anns: KeyWithSecret
) -> None:
    assert admin.post("/v1/access/check", kid=anns.key.kid, document="none").status == 404
    assert named(world) == (None, anns.key.kid, None)
    assert admin.get("/v1/audit", kid=anns.key.kid).status == 200
    assert named(world) == (None, anns.key.kid, None)
