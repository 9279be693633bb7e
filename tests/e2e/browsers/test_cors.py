"""CORS through the gateway: requests that a page may send, and headers of answers that it may read."""

import hashlib
from typing import Any, Final

import httpx
import pytest

from tests.e2e.browsers.conftest import FRIEND, OWN, Server

LOOPBACK: Final = "http://localhost:6274"
ALLOWED: Final = [OWN, FRIEND, LOOPBACK]
REFUSED: Final = ["https://evil.example", "null", f"{OWN}:8443"]
PATHS: Final = ["/mcp", "/v1/search", "/v1/uploads", "/upload/up_1"]
CLIENT_HEADERS: Final = {
    *("authorization", "content-type", "accept", "mcp-protocol-version", "mcp-session-id", "mcp-method", "mcp-name"),
    *("last-event-id", "x-user-id", "x-session-tags", "api-key", "x-api-key"),
}
PING: Final = {"jsonrpc": "2.0", "id": 7, "method": "ping"}


def preflight(server: Server, path: str, origin: str | None, **more: str) -> httpx.Response:
    headers = {"access-control-request-method": "POST", **({} if origin is None else {"origin": origin}), **more}
    return server.http.options(path, headers=headers)


def called(server: Server, origin: str | None) -> httpx.Response:
    headers = {"authorization": f"Bearer {server.key}", **({} if origin is None else {"origin": origin})}
    return server.http.post("/mcp", headers=headers, json=PING)


def cors(response: httpx.Response) -> set[str]:
    return {name for name in response.headers if name.startswith("access-control-")}


def names(text: str) -> set[str]:
    return {name.strip().lower() for name in text.split(",")}


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("origin", ALLOWED)
def test_a_preflight_without_a_key_allows_what_clients_send(server: Server, path: str, origin: str) -> None:
    answer = preflight(server, path, origin, **{"access-control-request-headers": "authorization, Mcp-Param-Region"})
    assert (answer.status_code, answer.content) == (204, b"")
    assert answer.headers["access-control-allow-origin"] == origin
    assert names(answer.headers["access-control-allow-headers"]) >= CLIENT_HEADERS | {"mcp-param-region"}
    assert names(answer.headers["access-control-allow-methods"]) >= {"post", "get", "delete"}
    assert int(answer.headers["access-control-max-age"]) >= 600
    assert "origin" in names(answer.headers["vary"])
    assert "access-control-allow-credentials" not in answer.headers


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("origin", REFUSED)
def test_a_preflight_of_a_foreign_page_gets_no_cors_header(server: Server, path: str, origin: str) -> None:
    answer = preflight(server, path, origin, **{"access-control-request-private-network": "true"})
    assert (answer.status_code, cors(answer)) == (403, set())
    assert "origin" in names(answer.headers["vary"])
    assert answer.json()["error"]["code"] == ("denied" if path.startswith("/v1/") else 403)


@pytest.mark.parametrize("path", PATHS)
def test_only_pages_that_may_call_may_reach_into_a_private_network(server: Server, path: str) -> None:
    answer = preflight(server, path, FRIEND, **{"access-control-request-private-network": "true"})
    assert answer.headers["access-control-allow-private-network"] == "true"
    assert "access-control-allow-private-network" not in preflight(server, path, FRIEND).headers


def test_what_is_no_header_name_is_not_repeated_and_few_names_are(server: Server) -> None:
    requested = ", ".join(["x y", "*", "x:1", "n" * 65, "x-ok", *(f"x-{number}" for number in range(200))])
    answer = preflight(server, "/mcp", FRIEND, **{"access-control-request-headers": requested})
    allowed = names(answer.headers["access-control-allow-headers"])
    assert "x-ok" in allowed
    assert not allowed & {"x y", "x:1", "n" * 65}
    assert len(allowed) < 100


def test_options_without_an_origin_names_the_methods_and_writes_no_audit_line(server: Server) -> None:
    before = (server.home / "audit.jsonl").read_bytes() if (server.home / "audit.jsonl").exists() else b""
    answer = preflight(server, "/mcp", None)
    assert (answer.status_code, cors(answer)) == (204, set())
    assert "POST" in answer.headers["allow"]
    preflight(server, "/v1/search", FRIEND)
    after = (server.home / "audit.jsonl").read_bytes() if (server.home / "audit.jsonl").exists() else b""
    assert after == before


@pytest.mark.parametrize("origin", ALLOWED)
def test_an_allowed_page_reads_the_answer_and_its_headers(server: Server, origin: str) -> None:
    answer = called(server, origin)
    assert answer.json()["result"] == {}
    assert answer.headers["access-control-allow-origin"] == origin
    assert names(answer.headers["access-control-expose-headers"]) >= {
        *("mcp-session-id", "www-authenticate", "retry-after")
    }
    assert "access-control-allow-credentials" not in answer.headers


@pytest.mark.parametrize("path", ["/mcp", "/v1/status"])
def test_every_answer_has_vary_origin_so_that_no_cache_mixes_origins(server: Server, path: str) -> None:
    for origin in (None, FRIEND, "https://evil.example"):
        headers = {} if origin is None else {"origin": origin}
        assert names(server.http.get(path, headers=headers).headers["vary"]) >= {"origin"}


@pytest.mark.parametrize("origin", REFUSED)
@pytest.mark.parametrize("path", ["/mcp", "/v1/search"])
def test_a_foreign_page_is_refused_with_a_valid_key_and_reads_nothing(server: Server, path: str, origin: str) -> None:
    headers = {"authorization": f"Bearer {server.key}", "origin": origin}
    answer = server.http.post(path, headers=headers, json=PING)
    assert (answer.status_code, cors(answer)) == (403, set())
    assert "Origin" in answer.json()["error"]["message"]


def test_neither_host_nor_a_forwarded_header_makes_an_origin_the_servers_own(server: Server) -> None:
    origin = "http://groundwire.attacker.example"
    answer = server.http.post(
        "/mcp",
        headers={
            "authorization": f"Bearer {server.key}",
            "origin": origin,
            "x-forwarded-host": "groundwire.attacker.example",
            "x-forwarded-proto": "http",
            "forwarded": "host=groundwire.attacker.example;proto=http",
        },
        json=PING,
    )
    assert (answer.status_code, cors(answer)) == (403, set())


ERRORS: Final[dict[str, tuple[str, str, dict[str, Any], int]]] = {
    "no key": ("POST", "/mcp", {"json": PING}, 401),
    "no key, REST": ("POST", "/v1/search", {"json": {}}, 401),
    "unknown path": ("POST", "/mcp/nothing", {}, 404),
    "unknown REST route": ("GET", "/v1/nothing", {"headers": {"x-api-key": "KEY"}}, 404),
    "missing scope": ("GET", "/v1/keys", {"headers": {"x-api-key": "KEY"}}, 403),
    "not JSON": ("POST", "/mcp", {"content": b"{", "headers": {"x-api-key": "KEY"}}, 400),
    "method": ("GET", "/mcp", {"headers": {"x-api-key": "KEY"}}, 405),
    "too large": ("POST", "/mcp", {"content": b'"' + b"x" * 2_000_000 + b'"', "headers": {"x-api-key": "KEY"}}, 413),
    "too large for the gateway": ("POST", "/mcp", {"content": b"x" * 11_000_000}, 413),
    "too many headers": ("POST", "/mcp", {"headers": {"x-large": "x" * 11_000}}, 431),
    "a form without a ticket": ("POST", "/upload/up_1", {"files": {"file": b"x"}}, 403),
}


@pytest.mark.parametrize(("method", "path", "request_parts", "status"), ERRORS.values(), ids=ERRORS)
def test_an_allowed_page_can_read_why_a_call_failed(
    server: Server, method: str, path: str, request_parts: dict[str, Any], status: int
) -> None:
    for origin, readable in ((FRIEND, True), ("https://evil.example", False)):
        given = {
            name: server.key if value == "KEY" else value for name, value in request_parts.get("headers", {}).items()
        }
        parts: dict[str, Any] = {**request_parts, "headers": {**given, "origin": origin}}
        answer = server.http.request(method, path, **parts)
        assert answer.status_code == status if readable else answer.status_code in {status, 403}
        assert answer.headers.get("access-control-allow-origin") == (FRIEND if readable else None)


def test_the_metadata_that_clients_read_before_they_have_a_key_may_be_read_by_every_page(server: Server) -> None:
    for path in ("/.well-known/oauth-protected-resource", "/.well-known/oauth-protected-resource/mcp"):
        answer = server.http.get(path, headers={"origin": "https://anything.example"})
        assert answer.headers["access-control-allow-origin"] == "*"


def test_a_page_sends_a_file_with_a_ticket(server: Server) -> None:
    content = b"# Pump\n"
    policy = {"public": False, "users": ["maria"], "any_tags": [], "all_tags": []}
    requested = {"collection": "default", "file_name": "pump.md", "size": len(content), "policy": policy}
    requested["sha256"] = hashlib.sha256(content).hexdigest()
    headers = {"authorization": f"Bearer {server.key}", "origin": FRIEND}
    ticket = server.http.post("/v1/uploads", headers=headers, json=requested)
    assert ticket.headers["access-control-allow-origin"] == FRIEND, ticket.text
    form = ticket.json()
    path = httpx.URL(form["url"]).path
    sent = server.http.post(path, headers={"origin": FRIEND}, data=form["fields"], files={"file": content})
    assert (sent.status_code, sent.headers["access-control-allow-origin"]) == (204, FRIEND), sent.text
