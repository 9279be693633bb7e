"""Headers that repeat the body, so that a gateway may decide by them."""

import base64

import pytest

from groundwire_mcp.jsonrpc.errors import ResultCode
from tests.mcp_core.promises import promise
from tests.mcp_core.requests import HANDSHAKE, MODERN, ask, headers, message, send, status_and_code

CALL = {"name": "find", "arguments": {}}


def sentinel(text: str) -> str:
    return f"=?base64?{base64.b64encode(text.encode()).decode()}?="


@promise("H16")
@pytest.mark.parametrize("header", ["mcp-method", "mcp-name", "mcp-protocol-version"])
@pytest.mark.parametrize("value", ["another", "", "TOOLS/CALL", "Find", "find, find", sentinel("another")])
def test_a_header_that_differs_from_the_body_is_refused(header: str, value: str) -> None:
    answer = ask(MODERN, "tools/call", CALL, more_headers={header: value})
    assert status_and_code(answer) == (400, -32020)
    assert answer.result_code == ResultCode.HEADER_MISMATCH


@promise("H16", "H13")
@pytest.mark.parametrize("header", ["mcp-method", "mcp-name"])
def test_a_header_that_is_missing_is_refused(header: str) -> None:
    sent = headers(MODERN, "tools/call", CALL)
    del sent[header]
    assert status_and_code(send(message(MODERN, "tools/call", CALL), sent)) == (400, -32020)


@promise("H16")
@pytest.mark.parametrize("value", ["find", "  find\t", sentinel("find"), f" {sentinel('find')} "])
def test_a_name_is_compared_after_trimming_and_decoding(value: str) -> None:
    assert ask(MODERN, "tools/call", CALL, more_headers={"mcp-name": value}).response.status == 200


@promise("H16")
@pytest.mark.parametrize(
    "value", ["=?base64?!!!?=", "=?base64?ZmluZA?=", "=?base64?Zm!luZA==?=", "=?base64?/w==?=", "fi\x00nd", "fïnd"]
)
def test_a_malformed_header_is_a_mismatch(value: str) -> None:
    assert status_and_code(ask(MODERN, "tools/call", CALL, more_headers={"mcp-name": value})) == (400, -32020)


@promise("H16")
def test_a_name_beyond_ascii_is_found_by_its_encoded_header() -> None:
    name = {"name": "söker"}
    answer = ask(MODERN, "tools/call", name, more_headers={"mcp-name": sentinel("söker")})
    assert answer.result_code == ResultCode.UNKNOWN_TOOL


@promise("H16")
@pytest.mark.parametrize("version", [None, *HANDSHAKE])
def test_handshake_clients_need_no_such_header_and_none_is_compared(version: str | None) -> None:
    assert ask(version, "tools/call", CALL).response.status == 200
    assert ask(version, "tools/call", CALL, more_headers={"mcp-name": "another"}).response.status == 200


GOOD = [
    ({"region": "north"}, {"mcp-param-region": "north"}),
    ({"region": "süd "}, {"mcp-param-region": sentinel("süd ")}),
    ({"region": ""}, {"mcp-param-region": ""}),
    ({"limit": 42}, {"mcp-param-limit": "42"}),
    ({"limit": 42}, {"mcp-param-limit": "42.0"}),
    ({"limit": -1}, {"mcp-param-limit": " -1 "}),
    ({"exact": True, "region": None}, {"mcp-param-exact": "true"}),
    ({"exact": False}, {"mcp-param-exact": "false"}),
    ({"near": {"city": "Oslo"}}, {"mcp-param-city": "Oslo"}),
    ({"near": "Oslo"}, {}),
    ({"region": ["north"]}, {}),
    ({}, {"mcp-param-unheard-of": "x"}),
]
BAD = [
    ({"region": "north"}, {"mcp-param-region": "North"}),
    ({"region": "north"}, {}),
    ({"region": None}, {"mcp-param-region": "north"}),
    ({}, {"mcp-param-region": "north"}),
    ({}, {"mcp-param-region": ""}),
    ({"region": "nörth"}, {"mcp-param-region": "nörth"}),
    ({"region": "no\x01rth"}, {"mcp-param-region": "no\x01rth"}),
    ({"limit": 42}, {"mcp-param-limit": "43"}),
    ({"limit": 42}, {"mcp-param-limit": "4_2"}),
    ({"limit": 42}, {"mcp-param-limit": "42x"}),
    ({"limit": 42}, {"mcp-param-limit": ""}),
    ({"limit": 42}, {"mcp-param-limit": "e"}),
    ({"exact": True}, {"mcp-param-exact": "True"}),
    ({"exact": True}, {"mcp-param-exact": "1"}),
    ({"near": {"city": "Oslo"}}, {"mcp-param-city": "Bergen"}),
]


@promise("H17")
@pytest.mark.parametrize(("arguments", "sent"), GOOD)
def test_parameter_headers_that_say_what_the_arguments_say_pass(
    arguments: dict[str, object], sent: dict[str, str]
) -> None:
    answer = ask(MODERN, "tools/call", {"name": "find", "arguments": arguments}, more_headers=sent)
    assert answer.result_code == ResultCode.ANSWERED


@promise("H17")
@pytest.mark.parametrize(("arguments", "sent"), BAD)
def test_parameter_headers_that_say_anything_else_are_refused(
    arguments: dict[str, object], sent: dict[str, str]
) -> None:
    answer = ask(MODERN, "tools/call", {"name": "find", "arguments": arguments}, more_headers=sent)
    assert status_and_code(answer) == (400, -32020)
