"""Keys and identity headers that do not hold end the call with the promised answer, and nothing is searched."""

import json
import secrets
import time
from collections.abc import Callable

import pytest

from groundwire.domain.access.scopes import Scope
from groundwire.domain.keys.grants import ALL_COLLECTIONS, KeyKind
from groundwire.domain.keys.options import USUAL_OPTIONS
from groundwire.services.keys.admin import KeyAdmin, KeySpec
from tests.e2e.company import PUBLIC, PUMP, Company, last_line, tagged
from tests.support.clients.agent import Agent, agent, tool_call
from tests.support.registry.key_specs import CHOICES

SEARCH = tool_call("rag_search", search_phrases=["pump"])
_DAY_S = 86_400


def kid_of(key: str) -> str:
    return key.split("_")[2]


def expired(company: Company) -> str:
    """A key that was made two days ago for one."""
    owner = company.owner
    long_ago = KeyAdmin(
        owner.stores.keys,
        owner.stores.tenants,
        CHOICES,
        lambda: owner.stores.secrets.pepper,
        "local",
        secrets.token_bytes,
        lambda: time.time() - 2 * _DAY_S,
    )
    scopes = frozenset({Scope.SEARCH})
    order = KeySpec(
        company.tenant,
        "old",
        KeyKind.ACT_AS,
        None,
        frozenset(),
        ("*",),
        scopes,
        ALL_COLLECTIONS,
        USUAL_OPTIONS,
        expires_in_days=1,
    )
    return long_ago.create(order).secret.reveal()


def revoked(company: Company) -> str:
    key = company.key()
    company.run("key", "revoke", kid_of(key))
    return key


def rotated(company: Company) -> str:
    key = company.key()
    company.run("key", "rotate", kid_of(key), "--overlap-hours", "0")
    return key


def mistyped(company: Company) -> str:
    key = company.key()
    at = len(key) // 2
    return key[:at] + ("a" if key[at] != "a" else "b") + key[at + 1 :]


BAD_KEYS: dict[str, Callable[[Company], dict[str, str]]] = {
    "none": lambda _: {},
    "empty": lambda _: {"authorization": "Bearer"},
    "another scheme": lambda company: {"authorization": f"Basic {company.key()}"},
    "short": lambda company: {"authorization": f"Bearer {company.key()[:20]}"},
    "long": lambda company: {"authorization": f"Bearer {company.key()}{'x' * 4000}"},
    "mistyped": lambda company: {"authorization": f"Bearer {mistyped(company)}"},
    "in another header, mistyped": lambda company: {"x-api-key": mistyped(company)},
    "revoked": lambda company: {"authorization": f"Bearer {revoked(company)}"},
    "expired": lambda company: {"authorization": f"Bearer {expired(company)}"},
    "rotated away": lambda company: {"authorization": f"Bearer {rotated(company)}"},
}


@pytest.mark.parametrize("headers", BAD_KEYS.values(), ids=BAD_KEYS)
def test_no_bad_key_can_be_distinguished_from_another(
    company: Company, headers: Callable[[Company], dict[str, str]]
) -> None:
    stranger = Agent(company.agent.http, {}).post(SEARCH)
    refused = Agent(company.agent.http, headers(company)).post(SEARCH)
    assert refused.status_code == 401
    assert refused.headers["www-authenticate"] == "Bearer"
    assert refused.content == stranger.content
    assert set(refused.headers) == set(stranger.headers)
    assert "segments" not in last_line(company)


def test_a_key_that_was_just_revoked_is_refused_on_the_next_call(company: Company) -> None:
    key = company.key()
    holder = agent(company.agent.http, key)
    assert holder.post(SEARCH).status_code == 200
    company.run("key", "revoke", kid_of(key))
    assert holder.post(SEARCH).status_code == 401


def test_both_secrets_of_a_rotated_key_work_while_they_overlap(company: Company) -> None:
    old = company.key()
    new = company.server.command.json("key", "rotate", kid_of(old), "-t", company.tenant)["key"]
    for secret in (old, new):
        assert agent(company.agent.http, str(secret)).post(SEARCH).status_code == 200


def test_a_key_without_the_scope_is_refused_with_the_missing_scope(company: Company) -> None:
    searcher = agent(company.agent.http, company.key("--scope", "search"))
    refused = searcher.tool("verify_document_access", segment_uid="x.0123456789abcdef")
    assert refused.status_code == 403
    assert "`verify`" in refused.json()["error"]["message"]
    assert 'scope="verify"' in refused.headers["www-authenticate"]


@pytest.mark.parametrize("header", ["x-user-id", "x-session-tags"])
def test_a_personal_key_may_not_speak_for_somebody(company: Company, header: str) -> None:
    company.ingest("pump.md", PUMP, PUBLIC)
    holder = agent(company.agent.http, company.server.command.personal_key(company.tenant, "maria"))
    assert holder.files("pump") == {"pump.md"}
    refused = holder.post(SEARCH, {header: '["a"]' if header == "x-session-tags" else "otto"})
    assert refused.status_code == 403
    assert header in refused.json()["error"]["message"]
    assert "segments" not in last_line(company)


BAD_TAGS: dict[str, tuple[str, int]] = {
    "not JSON": ("department:sales", 400),
    "an object": ('{"a": "b"}', 400),
    "a string": ('"a"', 400),
    "a number inside": ('["a", 1]', 400),
    "a list inside": ('["a", ["b"]]', 400),
    "null": ("null", 400),
    "an empty tag": ('[""]', 400),
    "the same tag twice": ('["a", "a"]', 400),
    "too many": (json.dumps([f"t{number}" for number in range(65)]), 400),
    "a tag that is too long": (json.dumps(["x" * 257]), 400),
    "too many bytes": (json.dumps([f"{number:02}" + "x" * 198 for number in range(40)]), 400),
    "too deep": ("[" * 5000, 400),
    "reserved": ('["sys:admin"]', 400),
    "reserved in other letters": ('["SYS:admin"]', 400),
    "an invisible character": ('["a\\u200b"]', 400),
    "half a character": ('["\\ud800"]', 400),
    "outside the key's bound": ('["department:hr"]', 403),
    "one of two outside the key's bound": ('["department:sales", "premium"]', 403),
}


@pytest.mark.parametrize(("tags", "status"), BAD_TAGS.values(), ids=BAD_TAGS)
def test_tags_that_cannot_be_asserted_end_the_call_with_their_headers_name(
    company: Company, tags: str, status: int
) -> None:
    bound = ["--max-tag", "department:sales", "--max-tag", "region:*", "--strict-tags"]
    holder = agent(company.agent.http, company.key(*bound))
    assert holder.post(SEARCH, {"x-session-tags": '["department:sales", "region:north"]'}).status_code == 200
    refused = holder.post(SEARCH, {"x-session-tags": tags})
    assert refused.status_code == status
    answer = refused.json()
    assert answer["id"] == 1
    assert "x-session-tags" in answer["error"]["message"]
    assert "result" not in answer
    assert "segments" not in last_line(company)


@pytest.mark.parametrize("header", ["x-session-tags", "x-user-id", "authorization"])
def test_a_header_that_comes_twice_ends_the_call(company: Company, header: str) -> None:
    values = {"x-session-tags": '["a"]', "x-user-id": "maria", "authorization": company.agent.headers["authorization"]}
    once = [("content-type", "application/json"), *values.items()]
    content = json.dumps(SEARCH).encode()
    assert company.agent.http.post("/mcp", content=content, headers=once).status_code == 200
    refused = company.agent.http.post("/mcp", content=content, headers=[*once, (header, values[header])])
    assert refused.status_code == 400
    assert header in refused.json()["error"]["message"]
    assert "segments" not in last_line(company)


@pytest.mark.parametrize("tags", ["", "[]", '["department:hr"]', '["department:hr", "premium"]'])
def test_tags_that_are_ignored_or_empty_are_never_replaced_by_the_users_entry(company: Company, tags: str) -> None:
    company.ingest("pump.md", PUMP, tagged("department:sales"))
    company.run("user", "set", "maria", "--tag", "department:sales")
    holder = agent(company.agent.http, company.key("--max-tag", "department:sales")).speaking_for("maria")
    assert holder.files("pump") == {"pump.md"}
    answer = holder.post(SEARCH, {"x-session-tags": tags})
    assert (answer.status_code, answer.json()["result"]["segments"]) == (200, [])
    assert last_line(company).get("tags_ignored", 0) == (len(json.loads(tags)) if tags else 0)


def test_a_tag_outside_the_keys_bound_takes_nothing_from_the_others(company: Company) -> None:
    company.ingest("pump.md", PUMP, tagged("department:sales"))
    company.ingest("board.md", "# Board\n\nThe board buys a red pump.\n", tagged("premium"))
    holder = agent(company.agent.http, company.key("--max-tag", "department:sales"))
    assert holder.speaking_for("maria", ["premium", "department:sales"]).files("pump") == {"pump.md"}
    assert last_line(company)["tags_ignored"] == 1


def test_an_empty_user_header_is_no_user(company: Company) -> None:
    company.ingest("pump.md", PUMP, PUBLIC)
    answer = company.agent.post(SEARCH, {"x-user-id": ""})
    assert (answer.status_code, last_line(company)["user"]) == (200, None)


@pytest.mark.parametrize("user", [b"x" * 257, b"\xff\xfe", b"mar\xe2\x80\x8bia"])
def test_a_user_that_nobody_can_be_is_refused(company: Company, user: bytes) -> None:
    headers = [(name.encode(), value.encode()) for name, value in company.agent.headers.items()]
    refused = company.agent.http.post("/mcp", json=SEARCH, headers=[*headers, (b"x-user-id", user)])
    assert refused.status_code == 400
    assert "x-user-id" in refused.json()["error"]["message"]


@pytest.mark.parametrize("header", ["x-tenant-id", "x-tenant", "x-groundwire-tenant"])
def test_no_header_names_the_tenant(company: Company, header: str) -> None:
    refused = company.agent.post(SEARCH, {header: company.tenant})
    assert refused.status_code == 400
    assert header in refused.json()["error"]["message"]
