"""Whatever is sent: never an exception, always JSON-RPC or an empty 202 (`send` checks the form)."""

import json
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from groundwire_mcp.jsonrpc.errors import ResultCode
from tests.mcp_core.promises import promise
from tests.mcp_core.requests import MODERN, VERSIONS, body_of, envelope, headers, message, send
from tests.support.plugins.draws import examples

QUICK = settings(deadline=None, max_examples=examples(400))
METHODS = (
    "initialize",
    "ping",
    "tools/list",
    "tools/call",
    "server/discover",
    "notifications/initialized",
    "resources/read",
    "resources/list",
    "prompts/get",
    "prompts/list",
    "completion/complete",
    "logging/setLevel",
)
KEYS = (
    *("jsonrpc", "id", "method", "params", "name", "arguments", "_meta", "cursor", "result", "error", "uri", "ref"),
    *("argument", "context", "value", "level", "inputResponses", "requestState", "progressToken"),
    *envelope(logLevel=""),
)

json_values: st.SearchStrategy[Any] = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-3, 3)
    | st.floats(-2, 2)
    | st.text(max_size=5)
    | st.sampled_from((*METHODS, *VERSIONS[1:], "2.0", "find", "look_up")),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(KEYS), inner, max_size=4),
    max_leaves=12,
)
header_texts = st.text(max_size=12) | st.sampled_from(
    (*METHODS, *VERSIONS[1:], "application/json", "=?base64?", "=?base64?=", "*/*;q=", "find")
)
header_names: st.SearchStrategy[str] = st.sampled_from(
    (
        "accept",
        "content-type",
        "origin",
        "mcp-session-id",
        "mcp-protocol-version",
        "mcp-method",
        "mcp-name",
        "mcp-param-region",
        "x",
    )
)


@st.composite
def mutated(draw: st.DrawFn) -> tuple[Any, dict[str, str]]:
    """A good request, with some of its members and headers replaced or taken away."""
    version, method = draw(st.sampled_from(VERSIONS)), draw(st.sampled_from(METHODS))
    params: dict[str, Any] = {"name": "find", "arguments": {}, "protocolVersion": "2025-06-18", "uri": "doc://a/1"}
    body, sent = message(version, method, params), headers(version, method, params)
    for target in (body, body["params"], body["params"].get("_meta", {})):
        target.update(draw(st.dictionaries(st.sampled_from(KEYS), json_values, max_size=1)))
        if target and draw(st.booleans()):
            target.pop(draw(st.sampled_from(sorted(target))))
    sent.update(draw(st.dictionaries(header_names, header_texts, max_size=2)))
    return draw(st.sampled_from([body, [body], [body, body]])), sent


@promise("J2")
@QUICK
@given(mutated())
def test_a_mutated_request_is_answered_in_form(request: tuple[Any, dict[str, str]]) -> None:
    body, sent = request
    send(body, sent)


@promise("J2")
@QUICK
@given(json_values, st.sampled_from(VERSIONS))
def test_any_json_is_answered_in_form(body: Any, version: str | None) -> None:
    send(body, headers(version, "tools/call", {"name": "find"}))


@promise("J2")
@QUICK
@given(st.binary(max_size=80), st.dictionaries(header_names, header_texts), st.text(max_size=6))
def test_any_bytes_and_headers_are_answered_in_form(body: bytes, sent: dict[str, str], method: str) -> None:
    send(body, sent, method=method)


@promise("J2")
@QUICK
@given(st.data())
def test_a_request_with_broken_bytes_is_answered_in_form(data: st.DataObject) -> None:
    body = bytearray(json.dumps(message(MODERN, "tools/call", {"name": "find", "arguments": {}})).encode())
    for position in data.draw(st.lists(st.integers(0, len(body) - 1), min_size=1, max_size=4)):
        body[position] = data.draw(st.integers(0, 255))
    send(bytes(body), headers(MODERN, "tools/call", {"name": "find"}))


@promise("J2")
@QUICK
@given(mutated())
def test_a_request_that_is_refused_is_recorded_with_its_reason(request: tuple[Any, dict[str, str]]) -> None:
    body, sent = request
    answer = send(body, sent)
    if isinstance(body, list) or not answer.response.body:
        return
    assert ("error" in body_of(answer)) == (answer.result_code not in (ResultCode.ANSWERED, ResultCode.INPUT_REQUIRED))
