"""JSON-RPC: ids, malformed messages, and what is recorded of a message."""

import json
from typing import Any

import pytest

from groundwire_mcp.jsonrpc.errors import ERROR_CODES, ResultCode
from groundwire_mcp.transport.http import HttpRequest, error_response
from tests.mcp_core.promises import promise
from tests.mcp_core.requests import (
    JSON_HEADERS,
    MODERN,
    VERSIONS,
    ask,
    body_of,
    check_form,
    envelope,
    headers,
    message,
    send,
    status_and_code,
)

TRACE = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"


@promise("J1")
@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("identifier", [0, -1, 2**53, "", "0", "request-123", "ключ", "\x00"])
def test_an_id_comes_back_unchanged_with_results_and_errors(version: str | None, identifier: object) -> None:
    for method in ("tools/list", "made/up"):
        payload = body_of(send(message(version, method, identifier=identifier), headers(version, method)))
        assert payload["id"] == identifier
        assert type(payload["id"]) is type(identifier)


@promise("J1", "J2")
@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("identifier", [None, True, False, 1.0, 1.5, [], {}])
def test_an_id_of_another_type_is_an_invalid_request(version: str | None, identifier: object) -> None:
    answer = send(message(version, "tools/list", identifier=identifier), headers(version, "tools/list"))
    assert status_and_code(answer) == (400, -32600)
    assert body_of(answer).get("id") is None


@promise("J2")
@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize(
    "body",
    [
        None,
        7,
        "ping",
        {},
        {"id": 1, "method": "ping"},
        {"jsonrpc": "1.0", "id": 1, "method": "ping"},
        {"jsonrpc": 2.0, "id": 1, "method": "ping"},
        {"jsonrpc": "2.0", "id": 1},
        {"jsonrpc": "2.0", "id": 1, "method": None},
        {"jsonrpc": "2.0", "id": 1, "method": 7, "result": {}},
        {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": []},
        {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": "x"},
    ],
)
def test_what_is_no_message_is_an_invalid_request_answered_with_its_id_if_it_has_one(
    version: str | None, body: Any
) -> None:
    answer = send(body, headers(version, "tools/list"))
    assert status_and_code(answer) == (400, -32600)
    assert body_of(answer).get("id") == (body.get("id") if isinstance(body, dict) else None)


@promise("D2")
def test_params_may_be_null_since_some_clients_send_it() -> None:
    assert send({"jsonrpc": "2.0", "id": 1, "method": "ping", "params": None}, JSON_HEADERS).response.status == 200


@promise("J2", "H22")
@pytest.mark.parametrize("body", [b"", b"{", b"nonsense", b"\xff", b"[" * 100_000, b'{"a":1,"a":2}', b"NaN"])
@pytest.mark.parametrize("version", VERSIONS)
def test_what_is_no_json_is_a_parse_error(version: str | None, body: bytes) -> None:
    answer = send(body, headers(version, ""))
    assert status_and_code(answer) == (400, -32700)
    assert (answer.result_code, answer.method) == (ResultCode.PARSE_ERROR, None)


@promise("J7")
def test_every_refusal_has_a_code_of_the_standards_or_one_outside_their_range() -> None:
    standard = {-32700, -32600, -32601, -32602, -32603, -32000, -32002, -32020, -32021, -32022}
    no_refusals = {ResultCode.ANSWERED, ResultCode.ACCEPTED, ResultCode.INPUT_REQUIRED, ResultCode.SESSION_ENDED}
    assert ERROR_CODES.keys() == set(ResultCode) - no_refusals - {ResultCode.NOT_ADMITTED, ResultCode.UNKNOWN_PATH}
    for code, status in ERROR_CODES.values():
        assert code in standard or code > 0
        assert status in (200, 503) or 400 <= status < 500


@promise("D6")
@pytest.mark.parametrize("version", VERSIONS)
def test_method_tool_outcome_and_trace_are_reported_for_the_record(version: str | None) -> None:
    meta = {**(envelope() if version == MODERN else {}), "traceparent": TRACE}
    answer = ask(version, "tools/call", {"name": "find", "_meta": meta})
    assert answer[1:] == (ResultCode.ANSWERED, "tools/call", "find", TRACE, None)


@promise("D6")
@pytest.mark.parametrize("trace", [7, "", "x" * 55, TRACE.upper(), TRACE + "-0", TRACE.replace("-", "\n")])
def test_a_malformed_trace_is_not_recorded(trace: object) -> None:
    assert ask(None, "ping", {"_meta": {"traceparent": trace}}).traceparent is None


@promise("D6")
def test_what_is_recorded_of_a_method_is_bounded() -> None:
    assert ask(None, "x" * 1000).method == "x" * 64


@promise("D5", "J1")
@pytest.mark.parametrize(
    ("body", "identifier"),
    [(b'{"id": "a", "method": 1}', "a"), (b'{"id": true}', None), (b"[]", None), (b"{", None), (b"[" * 9999, None)],
)
def test_an_internal_error_carries_the_id_where_one_can_be_read(body: bytes, identifier: object) -> None:
    code, status = ERROR_CODES[ResultCode.INTERNAL_ERROR]
    response = error_response(HttpRequest("POST", "/mcp", {}, body), status, code, "Internal error.")
    check_form(response)
    assert json.loads(response.body) == {
        "jsonrpc": "2.0",
        "id": identifier,
        "error": {"code": -32603, "message": "Internal error."},
    }


@promise("D5")
def test_a_refusal_from_outside_the_protocol_takes_the_same_form() -> None:
    request = HttpRequest("POST", "/mcp", {}, b'{"id": 7}')
    response = error_response(request, 429, 429, "Slow down.", {"retryable": True}, {"retry-after": "3"})
    check_form(response)
    assert (response.status, response.headers["retry-after"]) == (429, "3")
    assert json.loads(response.body)["id"] == 7
