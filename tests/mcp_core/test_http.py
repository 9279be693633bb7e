"""The transport: what HTTP itself is checked for."""

import json
from typing import Any

import pytest

from groundwire_mcp.jsonrpc.errors import ResultCode
from groundwire_mcp.limits import MAX_BODY_BYTES
from groundwire_mcp.server import McpServer
from groundwire_mcp.transport.origins import NO_ORIGINS
from tests.mcp_core.definitions import EVERYTHING_OFFERED, Caller
from tests.mcp_core.promises import promise
from tests.mcp_core.requests import (
    HANDSHAKE,
    JSON_HEADERS,
    MODERN,
    ORIGIN,
    RULES,
    VERSIONS,
    ask,
    body_of,
    headers,
    message,
    send,
    status_and_code,
)

PING = message(None, "ping")
INITIALIZED = {"jsonrpc": "2.0", "method": "notifications/initialized"}


@promise("H1", "H9", "H10")
@pytest.mark.parametrize("method", ["GET", "DELETE", "PUT", "HEAD", "OPTIONS"])
@pytest.mark.parametrize("version", VERSIONS)
def test_only_post_is_served(method: str, version: str | None) -> None:
    sent = {**headers(version, "ping"), "accept": "text/event-stream"}
    answer = send(b"", sent, method=method)
    assert answer.response.status == 405
    assert answer.response.headers["allow"] == "POST"
    assert answer.result_code == ResultCode.METHOD_NOT_ALLOWED


REFUSED_FORMS: dict[str, tuple[str, dict[str, str], int]] = {
    "GET": ("GET", {}, 405),
    "DELETE without a session": ("DELETE", {}, 405),
    "an Accept without JSON": ("POST", {"accept": "text/html"}, 406),
    "another content type": ("POST", {"content-type": "text/plain"}, 415),
}


@promise("J1", "H7", "H8", "H9", "H10")
@pytest.mark.parametrize("identifier", [1, 0, "a", ""])
@pytest.mark.parametrize(("method", "more", "status"), REFUSED_FORMS.values(), ids=REFUSED_FORMS)
def test_a_request_of_the_wrong_form_is_refused_with_its_id(
    method: str, more: dict[str, str], status: int, identifier: object
) -> None:
    answer = send(message(None, "ping", identifier=identifier), {**JSON_HEADERS, **more}, method=method)
    assert answer.response.status == status
    assert (body_of(answer)["id"], answer.method) == (identifier, "ping")


@promise("J1", "H7", "H8", "H9", "H10")
@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"hello",
        b"\xff",
        b"7",
        b'{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}',
        b'{"jsonrpc":"2.0","id":null,"method":"ping"}',
        b'{"jsonrpc":"2.0","id":true,"method":"ping"}',
        b'{"jsonrpc":"2.0","id":[1],"method":"ping"}',
        b'{"jsonrpc":"2.0","method":"ping"}',
        b'[{"jsonrpc":"2.0","id":1,"method":"ping"}]',
        b"[" * 100_000,
    ],
)
@pytest.mark.parametrize(("method", "more", "status"), REFUSED_FORMS.values(), ids=REFUSED_FORMS)
def test_a_request_of_the_wrong_form_whose_id_cannot_be_read_is_refused_with_null(
    method: str, more: dict[str, str], status: int, body: bytes
) -> None:
    answer = send(body, {**JSON_HEADERS, **more}, method=method)
    assert (answer.response.status, body_of(answer)["id"]) == (status, None)


@promise("J1")
@pytest.mark.parametrize("body", [b"hello", b"[]", b'{"jsonrpc":"2.0","id":1.5,"method":"ping"}'])
@pytest.mark.parametrize("version", VERSIONS)
def test_an_id_that_cannot_be_read_takes_the_form_of_the_version_that_the_request_names(
    version: str | None, body: bytes
) -> None:
    # In the schemas from 2025-11-25 on an error may have no id, and a null is none; JSON-RPC itself has null.
    foreign = {"origin": "https://evil.example.com"}
    for more in ({}, foreign):
        named = {} if version is None else {"mcp-protocol-version": version}
        answer = body_of(send(body, {**JSON_HEADERS, **named, **more}))
        assert ("id" in answer) is (version is None or version < "2025-11-25")
        assert answer.get("id") is None


@promise("J1")
def test_a_body_that_alone_names_the_version_decides_the_form_too() -> None:
    meta = {"_meta": {"io.modelcontextprotocol/protocolVersion": MODERN}}
    body = json.dumps({"jsonrpc": "2.0", "id": 1.5, "method": "ping", "params": meta}).encode()
    assert "id" not in body_of(send(body, JSON_HEADERS))


@promise("J1", "H22")
def test_a_body_over_the_limit_is_refused_with_its_id_as_far_as_its_values_are_few_and_shallow() -> None:
    def refused(params: bytes) -> Any:
        body = b'{"jsonrpc":"2.0","method":"ping","params":%s,"id":"far"}' % params
        answer = send(body, JSON_HEADERS)
        assert status_and_code(answer) == (413, -32600)
        return body_of(answer)["id"]

    assert refused(b'{"a":"%s"}' % (b"x" * MAX_BODY_BYTES)) == "far"
    assert refused(b"[%s1]" % (b"1," * MAX_BODY_BYTES)) is None
    assert refused(b"[" * MAX_BODY_BYTES) is None


@promise("H2")
@pytest.mark.parametrize("origin", ["https://evil.example.com", "null", "", f"{ORIGIN}, {ORIGIN}", ORIGIN + ":8443"])
@pytest.mark.parametrize("method", ["POST", "GET"])
def test_a_foreign_origin_is_refused_whatever_the_request(origin: str, method: str) -> None:
    answer = send(PING, {**JSON_HEADERS, "origin": origin}, method=method)
    assert answer.response.status == 403
    assert answer.result_code == ResultCode.FORBIDDEN_ORIGIN
    assert body_of(answer).get("id") is None


@promise("H2")
def test_where_no_origin_is_allowed_every_origin_is_refused() -> None:
    server = McpServer(EVERYTHING_OFFERED, RULES._replace(allowed_origins=NO_ORIGINS))
    assert send(PING, {**JSON_HEADERS, "origin": ORIGIN}, server=server).response.status == 403


@promise("H2")
@pytest.mark.parametrize("more", [{}, {"origin": ORIGIN}])
def test_an_allowed_origin_or_none_is_served(more: dict[str, str]) -> None:
    assert send(PING, {**JSON_HEADERS, **more}).response.status == 200


@promise("H4", "H19")
@pytest.mark.parametrize("version", VERSIONS)
def test_an_answer_is_one_json_object_even_if_the_client_prefers_a_stream(version: str | None) -> None:
    params = {"name": "find", "_meta": {}} if version != MODERN else {"name": "find"}
    answer = ask(version, "tools/call", params, more_headers={"accept": "text/event-stream, application/json;q=0.1"})
    assert answer.response.headers["content-type"] == "application/json"
    assert answer.response.headers["cache-control"] == "no-store"
    assert isinstance(body_of(answer), dict)


@promise("H7")
@pytest.mark.parametrize(
    "accept",
    [
        "",
        " ",
        "*/*",
        "application/*",
        "Application/JSON",
        "text/html, */*;q=0.1",
        "application/json;q=x",
        "application/json;v=1;q=1",
        "a,,*/*",
    ],
)
def test_every_accept_that_admits_json_is_good_enough(accept: str) -> None:
    assert send(PING, {**JSON_HEADERS, "accept": accept}).response.status == 200


@promise("H7")
def test_no_accept_is_good_enough() -> None:
    assert send(PING, {"content-type": "application/json"}).response.status == 200


@promise("H7")
@pytest.mark.parametrize(
    "accept", ["text/html", "text/event-stream", "application/json;q=0, */*", "*/*;q=0", "image/*, application/xml"]
)
def test_an_accept_that_excludes_json_is_406(accept: str) -> None:
    assert send(PING, {**JSON_HEADERS, "accept": accept}).response.status == 406


@promise("H8")
@pytest.mark.parametrize("content_type", ["text/plain", "application/x-www-form-urlencoded", "application/jsonp", ""])
def test_another_content_type_is_415(content_type: str) -> None:
    assert send(PING, {"content-type": content_type}).response.status == 415


@promise("H8")
@pytest.mark.parametrize("content_type", ["application/json", "Application/JSON; charset=utf-8", "application/json;"])
def test_json_by_any_spelling_of_its_name_is_read(content_type: str) -> None:
    assert send(PING, {"content-type": content_type}).response.status == 200


@promise("H8")
def test_a_body_without_a_content_type_is_read_as_json() -> None:
    assert send(PING, {}).response.status == 200


@promise("H22")
def test_a_body_over_the_limit_is_413_and_one_at_the_limit_is_read() -> None:
    spaces = MAX_BODY_BYTES - len(b'{"jsonrpc":"2.0","id":1,"method":"ping"}')
    body = b'{"jsonrpc":"2.0","id":1,"method":"ping"' + b" " * spaces + b"}"
    assert send(body, JSON_HEADERS).response.status == 200
    assert status_and_code(send(body + b" ", JSON_HEADERS)) == (413, -32600)


@promise("H5", "H20")
@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("method", ["notifications/initialized", "notifications/cancelled", "notifications/unheard_of"])
def test_a_notification_is_accepted_with_an_empty_202(version: str | None, method: str) -> None:
    answer = send({"jsonrpc": "2.0", "method": method, "params": {"requestId": 7}}, headers(version, method))
    assert (answer.response.status, answer.response.body) == (202, b"")
    assert "content-type" not in answer.response.headers
    assert (answer.result_code, answer.method) == (ResultCode.ACCEPTED, method)


@promise("D4", "H5")
@pytest.mark.parametrize("version", VERSIONS)
def test_a_call_whose_id_was_forgotten_is_refused_not_swallowed(version: str | None) -> None:
    body = message(version, "tools/call", {"name": "find"})
    del body["id"]
    answer = send(body, headers(version, "tools/call", {"name": "find"}))
    assert status_and_code(answer) == (400, -32600)
    assert "`id`" in body_of(answer)["error"]["message"]


@promise("H5", "H6")
@pytest.mark.parametrize("response", [{"result": {}}, {"error": {"code": 1, "message": "no"}}])
def test_a_response_of_the_client_is_accepted_from_handshake_clients_only(response: dict[str, Any]) -> None:
    body = {"jsonrpc": "2.0", "id": 1, **response}
    for version in (None, *HANDSHAKE):
        assert send(body, headers(version, "")).response.status == 202
    assert status_and_code(send(body, headers(MODERN, ""))) == (400, -32600)


@promise("H18", "H5")
def test_a_notification_under_an_unsupported_version_is_400_without_a_code_of_the_stateless_era() -> None:
    answer = send(INITIALIZED, {**JSON_HEADERS, "mcp-protocol-version": "1999-01-01"})
    assert status_and_code(answer) == (400, -32600)


@promise("H23", "J7")
@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("tool", ["find", "look_up"])
def test_a_missing_scope_is_403_and_named_in_body_and_challenge(version: str | None, tool: str) -> None:
    answer = ask(version, "tools/call", {"name": tool}, caller=Caller(lacks={tool: "search"}))
    assert answer.response.status == 403
    assert answer.response.headers["www-authenticate"] == 'Bearer error="insufficient_scope", scope="search"'
    payload = body_of(answer)
    assert payload["id"] == 1
    # Without a mark of MCP the codes are those of Mindset AI's page, whose own codes are -32099 to -32000.
    code = payload["error"]["code"]
    assert code == -32001 if version is None else not -32768 <= code <= -32000
    assert "`search`" in payload["error"]["message"]
    assert (answer.result_code, answer.tool) == (ResultCode.MISSING_SCOPE, tool)
