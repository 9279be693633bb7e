"""The audit log over REST: the lines of the own tenant, for administrators without bounds."""

import csv
import io
import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Final

import pytest

from groundwire.domain.access.scopes import Scope
from groundwire.domain.audit.facts import AuditFacts
from groundwire.domain.keys.options import USUAL_OPTIONS
from groundwire.entry.serialization.audit_rows import DETAIL_MEMBERS
from tests.server.entry.rest.api import Api, Reply, api, key
from tests.support.isolation.policies import PUBLIC, for_tags
from tests.support.worlds.world import World, caller

_OPERATORS: Final = {
    *("problem", "tenants", "before", "model", "dimension", "embedded", "seconds", "done", "total"),
    *("bytes", "bytes_before", "bytes_after", "written", "kept", "present", "unknown", "questions", "conversations"),
}
"""Members of lines that no row has."""
_OWN_COLUMNS: Final = {
    *("tenant", "kid", "user", "request_id", "outcome", "reason", "documents", "segments"),
}


def rows(reply: Reply) -> list[dict[str, Any]]:
    assert reply.status == 200, reply.body
    found: list[dict[str, Any]] = reply.json["rows"]
    return found


@pytest.fixture
def served(world: World, tenant: str) -> Mapping[str, str]:
    """A document that two users found, and whose original one of them opened."""
    world.ingest(tenant, "The pump.", PUBLIC, path="/n/pumps.md", doc_id="pumps")
    agent = world.acting_key(tenant)
    for user in ("Ann", "bo"):
        assert world.search(caller(agent, user), "pump").status == 200
    return {"kid": agent.key.kid}


def test_rows_are_found_by_user_document_key_call_outcome_and_time(admin: Api, served: Mapping[str, str]) -> None:
    def found(**conditions: object) -> list[str]:
        return [str(row["user"]) for row in rows(admin.get("/v1/audit", **conditions))]

    assert found(document="pumps", call="rag_search") == ["bo", "Ann"]
    assert found(user="ANN", kid=served["kid"]) == ["Ann"]
    assert found(kid=served["kid"], since="1h", until="2999-01-01") == ["bo", "Ann"]
    assert found(document="pumps", call="rag_search", until="2020-01-01") == []
    assert found(document="pump") == []
    assert found(kid=served["kid"], outcome="no such outcome") == []
    [row] = rows(admin.get("/v1/audit", user="ann", call="rag_search"))
    assert (row["content"], row["documents"], row["passages"], row["status"]) == ("passages", ["pumps@1"], 1, 200)


def test_the_opening_of_an_original_differs_from_a_passage_that_was_shown(
    world: World, tenant: str, admin: Api, served: Mapping[str, str]
) -> None:
    assert served
    link = world.search(caller(world.acting_key(tenant), "cy"), "pump").segments[0]["source_url"]
    path = link.partition("://")[2].partition("/")[2].partition("?")[0]
    assert world.request("GET", f"/{path}", {"accept": "text/html"}, b"").status == 200
    assert world.request("GET", f"/{path}?as=original", {}, b"").status == 200
    opened = rows(admin.get("/v1/audit", document="pumps", user="cy"))
    assert (opened[0]["outcome"], opened[0]["content"]) == ("opened", "original")
    assert {row["content"] for row in opened[1:]} <= {"passages", None}
    assert [row["content"] for row in rows(admin.get("/v1/audit", document="pumps", outcome="opened"))] == ["original"]


def test_the_pages_together_are_the_whole_list_without_a_repetition(admin: Api, served: Mapping[str, str]) -> None:
    assert served
    for _ in range(3):
        assert admin.get("/v1/status").status == 200
    whole = rows(admin.get("/v1/audit", until="2999-01-01"))
    pages, after = list[dict[str, Any]](), None
    while True:
        page = admin.get("/v1/audit", limit=2, until="2999-01-01", **({} if after is None else {"after": after}))
        pages += rows(page)
        after = page.json["next"]
        if after is None:
            break
    # Each page is a call of its own, whose line a later first page would have.
    assert pages[1:] == whole
    assert len(whole) > 3


def test_an_export_has_the_rows_and_a_cell_is_never_a_formula(
    world: World, tenant: str, admin: Api, served: Mapping[str, str]
) -> None:
    assert served
    world.search(caller(world.acting_key(tenant), "=cmd|' /C calc'!A0"), "pump")
    listed = rows(admin.get("/v1/audit", call="rag_search"))
    lines = admin.stating(accept="application/jsonl").get("/v1/audit", call="rag_search")
    assert [json.loads(line) for line in lines.body.splitlines()] == listed
    table = admin.stating(accept="text/csv;q=1, */*").get("/v1/audit", call="rag_search", limit=2)
    cells = list(csv.DictReader(io.StringIO(table.body.decode())))
    assert [row["documents"] for row in cells] == ["pumps@1", "pumps@1"]
    assert cells[0]["user"] == "'=cmd|' /C calc'!A0"
    rest = admin.stating(accept="text/csv").get("/v1/audit", call="rag_search", after=table.headers["x-next-after"])
    assert [row["user"] for row in csv.DictReader(io.StringIO(rest.body.decode()))] == ["Ann"]


@pytest.mark.parametrize("separator", ["", ";", "|", "; "])
@pytest.mark.parametrize("sign", ["=", "+", "-", "@", "\uff1d"])
def test_no_part_of_a_cell_is_a_formula_wherever_a_spreadsheet_splits_it(
    world: World, tenant: str, admin: Api, separator: str, sign: str
) -> None:
    formula = f"{separator}{sign}1"
    user = f"u{formula}" if separator else formula
    world.search(caller(world.acting_key(tenant), user), "pump")
    admin.get("/v1/audit", user=user)
    table = admin.stating(accept="text/csv").get("/v1/audit", user=user)
    cells = list(csv.DictReader(io.StringIO(table.body.decode())))
    assert [row["user"] for row in cells] == ["olga", user.replace(sign, f"'{sign}")]
    # Within JSON an escape means the same text.
    assert json.loads(cells[0]["details"])["entry"] == user
    assert not separator or formula not in table.body.decode()


def test_the_audit_log_of_a_tenant_is_hidden_from_another_tenant(
    world: World, tenant: str, served: Mapping[str, str]
) -> None:
    stranger = api(key(world, world.tenant("birch"), Scope.ADMIN))
    assert stranger.get("/v1/status").status == 200
    found = stranger.get("/v1/audit")
    assert [row["call"] for row in rows(found)] == ["GET /v1/status"]
    assert all(text.encode() not in found.body for text in (tenant, "pumps", served["kid"], "Ann"))
    for conditions in ({"document": "pumps"}, {"user": "Ann"}, {"kid": served["kid"]}):
        assert rows(stranger.get("/v1/audit", **conditions)) == []


def test_a_cursor_of_another_key_is_unknown(world: World, tenant: str, admin: Api, served: Mapping[str, str]) -> None:
    assert served
    after = admin.get("/v1/audit", limit=1).json["next"]
    other = api(key(world, tenant, Scope.ADMIN))
    assert other.get("/v1/audit", after=after).code == "invalid"


def _other_collection(world: World, tenant: str) -> Api:
    return api(key(world, tenant, Scope.ADMIN, collections=frozenset({"handbook"})))


def _other_dialects(world: World, tenant: str) -> Api:
    options = replace(USUAL_OPTIONS, dialects=frozenset({"openai"}))
    return api(key(world, tenant, Scope.ADMIN, options=options))


@pytest.mark.parametrize("make", [_other_collection, _other_dialects])
def test_nothing_in_the_log_changes_an_answer_to_an_administrator_with_bounds(
    world: World, tenant: str, admin: Api, make: Callable[[World, str], Api]
) -> None:
    bounded = make(world, tenant)
    conditions: tuple[Mapping[str, object], ...] = (
        {},
        {"document": "secret"},
        {"user": "Ann", "limit": 1},
        {"since": "1h", "call": "rag_search"},
    )

    def answers() -> list[tuple[int, bytes]]:
        return [(reply.status, reply.body) for reply in (bounded.get("/v1/audit", **each) for each in conditions)]

    before = answers()
    world.ingest(tenant, "The pump.", for_tags("board"), path="/n/s.md", doc_id="secret", collection="board")
    world.search(caller(world.acting_key(tenant), "Ann", frozenset({"board"})), "pump")
    assert rows(admin.get("/v1/audit", document="secret"))
    assert answers() == before
    assert {status for status, _ in before} == {403}


def test_the_text_of_an_error_that_only_the_operator_may_read_is_in_no_row(admin: Api, world: World) -> None:
    tenant = admin.get("/v1/status").json["tenant"]
    world.services.stores.audit.append({"tenant": tenant, "action": "x", "problem": "/srv/home is full", "time": 1.0})
    [row] = rows(admin.get("/v1/audit", call="x"))
    assert "/srv/home" not in json.dumps(row)
    assert row["time"] == "1970-01-01T00:00:01Z"


def test_each_member_of_a_line_is_shown_or_the_operators() -> None:
    facts = set(AuditFacts.__annotations__)
    assert facts - _OWN_COLUMNS - set(DETAIL_MEMBERS) == _OPERATORS & facts
    assert not _OPERATORS & set(DETAIL_MEMBERS)


@pytest.mark.parametrize(
    "conditions", [{"since": "yesterday"}, {"limit": 0}, {"limit": 1001}, {"no_such": 1}, {"user": "x" * 10_000}]
)
def test_an_invalid_condition_is_refused(admin: Api, conditions: Mapping[str, object]) -> None:
    assert admin.get("/v1/audit", **conditions).code == "invalid"


def test_a_question_about_a_user_leaves_a_line_that_names_the_user(admin: Api) -> None:
    admin.get("/v1/audit", user="ann")
    [row] = rows(admin.get("/v1/audit", user="ann"))
    assert (row["call"], row["details"]["entry"]) == ("GET /v1/audit", "ann")


def test_the_chain_is_verified_and_the_lines_of_the_tenant_alone_are_counted(world: World, admin: Api) -> None:
    stranger = api(key(world, world.tenant("birch"), Scope.ADMIN))
    own = len(rows(admin.get("/v1/audit")))
    assert admin.get("/v1/audit/verify").json == {"intact": True, "lines": own + 1, "problem": None, "next": None}
    assert stranger.get("/v1/audit/verify").json["lines"] == 0


def test_a_damaged_chain_is_named_without_the_number_of_its_line(world: World, admin: Api) -> None:
    for _ in range(3):
        admin.get("/v1/status")
    log = world.services.settings.home / "audit.jsonl"
    log.write_bytes(log.read_bytes().replace(b"GET /v1/status", b"GET /v1/Status", 1))
    found = admin.get("/v1/audit/verify").json
    assert (found["intact"], found["problem"], found["next"]) == (False, "A line of the log was changed.", None)


def test_a_position_of_another_list_or_key_does_not_begin_a_verification(world: World, tenant: str, admin: Api) -> None:
    for _ in range(3):
        admin.get("/v1/status")
    after = admin.get("/v1/audit", limit=1).json["next"]
    assert admin.get("/v1/audit/verify", after=after).code == "invalid"
    assert _other_collection(world, tenant).get("/v1/audit/verify").code == "denied"
