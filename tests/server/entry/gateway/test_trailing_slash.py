"""A slash at the end of a path changes no decision, no response and no audit line, however API Gateway treats it."""

import base64
import json
import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

import pytest

from groundwire.dialects import DIALECTS
from groundwire.domain.access.policy import Policy
from groundwire.domain.access.scopes import ROUTE_SCOPES, Scope
from groundwire.entry.gateway.dispatch import RouteMatch, RouteTable
from groundwire.entry.http.event_paths import plain_path
from tests.support.worlds.homes import fresh_home
from tests.support.worlds.world import Answer, World, open_world

Match = Callable[[RouteTable, str, str], RouteMatch | None]

MCP_PATHS: Final = sorted({pattern for dialect in DIALECTS for pattern in dialect.mcp_patterns})
REST_OPERATIONS: Final = sorted(
    {operation for dialect in DIALECTS for route in dialect.rest_routes for operation in route.operations}
)
SCOPE_ROWS: Final = sorted(row for row in ROUTE_SCOPES if "/v1/users/" not in row)
"""Without the routes that end in the name of a user, which may itself end in a slash."""
OPEN_PATHS: Final = (
    *("/health", "/mcp/server-card", "/.well-known/ai-catalog.json", "/v1/openapi.json"),
    *("/.well-known/oauth-protected-resource", "/.well-known/oauth-protected-resource/mcp", "/open/forged"),
)
VARYING: Final = {"time", "request_id", "duration_ms", "prev", "hash"}
PING: Final = b'{"jsonrpc": "2.0", "id": 1, "method": "ping"}'
JSON_HEADERS: Final = {"content-type": "application/json", "accept": "application/json, text/event-stream"}

_MATCH: Final = RouteTable.match


def _matches_slash(table: RouteTable, method: str, path: str) -> RouteMatch | None:
    return _MATCH(table, method, path)


def _matches_empty_rest(table: RouteTable, method: str, path: str) -> RouteMatch | None:
    """Match a greedy parameter also with an empty rest of the path."""
    found = _MATCH(table, method, path)
    if found is None or found.route.key != "$default" or not path.endswith("/"):
        return found
    wider = _MATCH(table, method, f"{path}x")
    return wider if wider is not None and wider.route.key.endswith("+}") else found


def _strips_slash(table: RouteTable, method: str, path: str) -> RouteMatch | None:
    return _MATCH(table, method, path[:-1] if len(path) > 1 and path.endswith("/") else path)


READINGS: Final[dict[str, Match]] = {
    "the slash is matched": _matches_slash,
    "a greedy parameter matches an empty rest": _matches_empty_rest,
    "the slash is stripped for the route": _strips_slash,
}
"""Behaviours that people report of API Gateway; AWS documents none of them."""


@pytest.fixture(scope="module", params=READINGS.values(), ids=list(READINGS))
def world(request: pytest.FixtureRequest) -> Iterator[World]:
    """Yield one world for all tests of a reading: each asks twice, and what it asks changes nothing."""
    with pytest.MonkeyPatch.context() as patch, fresh_home() as home:
        patch.setenv("POWERTOOLS_METRICS_DISABLED", "true")
        patch.setenv("GROUNDWIRE_OPEN_DISCOVERY", "foundry")
        patch.setattr(RouteTable, "match", request.param)
        with open_world(home, patch) as opened:
            yield opened


ANEW = frozenset(
    {"GET /v1/audit", "GET /v1/audit/callers", "GET /v1/audit/verify", "GET /v1/usage", "POST /v1/session"}
)
"""Routes with another answer to each call: they list or count the calls, or make a secret."""


def audit_file(world: World) -> Path:
    file = world.services.settings.home / "audit.jsonl"
    file.touch()
    return file


def audit_lines(world: World, start: int) -> list[dict[str, Any]]:
    """Return the lines that were written since the file had this size."""
    with audit_file(world).open("rb") as file:
        file.seek(start)
        return [json.loads(line) for line in file]


def reported(
    world: World, method: str, path: str, headers: Mapping[str, str], body: bytes
) -> tuple[Answer, list[dict[str, Any]]]:
    """The response, and the audit lines of the call without times and ids."""
    before = audit_file(world).stat().st_size
    answer = world.request(method, path, {**JSON_HEADERS, **headers}, body)
    lines = audit_lines(world, before)
    return answer, [{name: value for name, value in line.items() if name not in VARYING} for line in lines]


def without_ids(answer: Answer) -> tuple[int, bytes]:
    """Status and whole response, without what differs between two calls of the same path."""
    return answer.status, re.sub(rb"[0-9a-f]{8}-[0-9a-f-]{27}|\"took\":\d+|elapsed[^\n]*", b"", answer.bytes)


def assert_same(world: World, method: str, path: str, headers: Mapping[str, str], body: bytes = b"") -> Answer:
    plain, plain_lines = reported(world, method, path, headers, body)
    slashed, slashed_lines = reported(world, method, f"{path}/", headers, body)
    if f"{method} {path}" in ANEW and plain.status == 200:
        # Two calls of the plain path differ as well, and so do the sizes of their answers.
        assert slashed.status == 200
        plain_lines, slashed_lines = (
            [{**line, "bytes": 0} for line in lines] for lines in (plain_lines, slashed_lines)
        )
    else:
        assert without_ids(slashed) == without_ids(plain)
    assert slashed_lines == plain_lines
    return slashed


def filled(path: str) -> str:
    return re.sub(r"\{[^}]+\}", "handbook", path)


@pytest.fixture(scope="module")
def tenant(world: World) -> str:
    tenant = world.tenant("amber")
    world.ingest(tenant, "The pump has two valves.", Policy(True, frozenset(), frozenset(), frozenset()), path="/h.txt")
    return tenant


@pytest.fixture(scope="module")
def callers(world: World, tenant: str) -> dict[str, dict[str, str]]:
    """Headers of callers that get different decisions."""
    admin = world.acting_key(tenant, scopes=frozenset(Scope)).secret.reveal()
    reader = world.personal_key(tenant, "ben", frozenset()).secret.reveal()
    bearer, basic = f"Bearer {admin}", base64.b64encode(f"key:{reader}".encode()).decode()
    return {
        "no key": {},
        "wrong key": {"authorization": f"{bearer}x"},
        "administrator": {"authorization": bearer},
        "reader": {"authorization": f"Bearer {reader}"},
        "basic": {"authorization": f"Basic {basic}"},
        "two credentials": {"authorization": bearer, "api-key": reader, "x-goog-api-key": reader},
        "identity of another": {"authorization": f"Bearer {reader}", "x-user-id": "eve"},
        "foreign page": {"authorization": bearer, "origin": "https://evil.example"},
    }


@pytest.mark.parametrize("pattern", MCP_PATHS)
def test_an_mcp_path_with_a_slash_meets_the_decision_and_the_answer_of_the_path(
    world: World, callers: Mapping[str, Mapping[str, str]], pattern: str
) -> None:
    path = pattern.replace("{resource}", "knowledgebases('handbook')").replace("{name}", "handbook")
    for headers in callers.values():
        for body in (PING, b'{"jsonrpc": "2.0", "id": 1, "method": "tools/list"}', b"{"):
            assert_same(world, "POST", path, headers, body)
        assert_same(world, "GET", path, headers)
    assert assert_same(world, "POST", path, callers["no key"], PING).status in {200, 401}


def test_open_discovery_with_a_slash_is_open_on_its_own_path_only(
    world: World, callers: Mapping[str, Mapping[str, str]]
) -> None:
    message = b'{"jsonrpc": "2.0", "id": 1, "method": "tools/list"}'
    assert assert_same(world, "POST", "/edgeai/mcp", callers["no key"], message).status == 200
    for path in ("/mcp", "/mcp/generate", "/_plugins/_ml/mcp", "/knowledgebases/handbook/mcp"):
        assert assert_same(world, "POST", path, callers["no key"], message).status == 401


@pytest.mark.parametrize("row", SCOPE_ROWS)
def test_a_row_of_scopes_holds_for_the_path_with_a_slash(
    world: World, callers: Mapping[str, Mapping[str, str]], row: str
) -> None:
    method, path = row.split()
    # A body that no route takes, so that whoever is let in changes nothing.
    body = b'{"unknown": 1}' if method in {"POST", "PUT"} else b""
    for headers in callers.values():
        assert_same(world, method, filled(path), headers, body)


@pytest.mark.parametrize("operation", REST_OPERATIONS)
def test_a_route_of_a_dialect_answers_the_path_with_a_slash_as_the_path(
    world: World, callers: Mapping[str, Mapping[str, str]], operation: str
) -> None:
    method, path = operation.split()
    for headers in callers.values():
        assert_same(world, method, filled(path), headers, b"[]")


def test_basic_is_read_on_the_path_of_the_engine_with_a_slash_and_on_no_other(
    world: World, callers: Mapping[str, Mapping[str, str]]
) -> None:
    assert assert_same(world, "GET", "/opensearch", callers["basic"]).status == 200
    for method, path in (("POST", "/mcp"), ("GET", "/v1/documents"), ("POST", "/_plugins/_ml/mcp")):
        assert assert_same(world, method, path, callers["basic"], PING).status == 401


@pytest.mark.parametrize("path", OPEN_PATHS)
def test_a_public_path_with_a_slash_is_public_and_reads_no_key(
    world: World, callers: Mapping[str, Mapping[str, str]], path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError("a public path read a key")

    monkeypatch.setattr(type(world.services.stores.keys), "admit", refuse)
    for name in ("no key", "administrator"):
        if not path.startswith("/v1/"):
            assert_same(world, "GET", path, callers[name])


def test_a_link_with_a_slash_opens_what_the_link_opens_and_is_recorded(
    world: World, callers: Mapping[str, Mapping[str, str]]
) -> None:
    [found] = world.search({**callers["administrator"], "x-user-id": "ben"}, "pump").segments
    path = urlsplit(found["source_url"]).path
    assert assert_same(world, "GET", path, {}).status == 200
    assert assert_same(world, "HEAD", path, {}).status == 200
    assert audit_lines(world, 0)[-1]["outcome"] == "preview"


@pytest.mark.parametrize(
    "path",
    [
        *(
            "//mcp",
            "/mcp//",
            "/./mcp",
            "/mcp/.",
            "/mcp/./",
            "/mcp/../mcp",
            "/%2Fmcp",
            "/x%2Fmcp",
            "/mcp%2F%2F",
            "/mcp%00",
        ),
        *("//edgeai/mcp", "/edgeai//mcp", "/edgeai/mcp//", "/edgeai%2Fmcp", "/x/mcp", "/x/mcp/"),
        *("//v1/keys", "/v1/keys//", "/v1//keys", "/health//", "/open/", "//", "/mcp/server-card//", "/nowhere/"),
    ],
)
def test_another_spelling_of_a_path_is_no_path(
    world: World, callers: Mapping[str, Mapping[str, str]], path: str
) -> None:
    for name in ("administrator", "no key"):
        answer = world.request("POST", path, {**JSON_HEADERS, **callers[name]}, PING)
        assert answer.status == 404 or (answer.status, name) == (401, "no key"), (name, answer.response)


@pytest.mark.parametrize(
    ("path", "plain"),
    [
        *(
            ("/", "/"),
            ("/mcp", "/mcp"),
            ("/mcp/", "/mcp"),
            ("/mcp//", "/mcp//"),
            ("//", "//"),
            ("", ""),
            ("/a/b/", "/a/b"),
        ),
        *(("/v1/users/ann/", "/v1/users/ann/"), ("/v1/users/", "/v1/users")),
    ],
)
def test_the_plain_form_is_without_one_slash_and_keeps_the_name_of_a_user(path: str, plain: str) -> None:
    assert plain_path(path) == plain
    assert plain_path(plain) == plain
