"""Which era answers, and how each introduces itself."""

from typing import Any

import pytest

from groundwire_mcp.jsonrpc.errors import ResultCode
from tests.mcp_core.promises import promise
from tests.mcp_core.requests import (
    HANDSHAKE,
    JSON_HEADERS,
    LEGACY,
    MODERN,
    TOOLS_SERVER,
    VERSIONS,
    ask,
    body_of,
    envelope,
    headers,
    message,
    result,
    send,
    status_and_code,
)

STATELESS_CODES = {-32020, -32021, -32022}


@promise("D1", "J6")
@pytest.mark.parametrize("version", HANDSHAKE)
def test_initialize_echoes_the_version_that_was_requested(version: str) -> None:
    answer = ask(None, "initialize", {"protocolVersion": version, "capabilities": {}, "clientInfo": {}})
    assert body_of(answer)["result"]["protocolVersion"] == version
    assert result(version, "initialize", {"protocolVersion": version})["protocolVersion"] == version


@promise("D1")
@pytest.mark.parametrize("requested", ["2026-07-28", "1999-01-01", "", None, 7, ["2025-06-18"]])
def test_initialize_offers_the_latest_handshake_version_when_another_was_requested(requested: object) -> None:
    assert result(None, "initialize", {"protocolVersion": requested})["protocolVersion"] == "2025-11-25"


@promise("D1")
@pytest.mark.parametrize("version", [*VERSIONS, "1999-01-01", ""])
def test_initialize_is_answered_under_any_version_header(version: str | None) -> None:
    sent = {**headers(version, "initialize"), "mcp-method": "initialize"}
    answer = send(message(None, "initialize", {"protocolVersion": "2025-06-18"}), sent)
    assert body_of(answer)["result"]["protocolVersion"] == "2025-06-18"


@promise("D1")
@pytest.mark.parametrize("version", [*LEGACY, "1999-01-01"])
def test_initialize_is_answered_even_with_an_envelope_unless_the_header_is_of_the_stateless_era(
    version: str | None,
) -> None:
    params = {"protocolVersion": "2025-06-18", "_meta": envelope()}
    answer = send(message(None, "initialize", params), headers(version, "initialize"))
    assert body_of(answer)["result"]["protocolVersion"] == "2025-06-18"


@promise("H15")
@pytest.mark.parametrize(
    "method", ["initialize", "ping", "logging/setLevel", "resources/subscribe", "resources/unsubscribe", "made/up"]
)
def test_what_the_stateless_revision_has_not_is_404(method: str) -> None:
    answer = ask(MODERN, method)
    assert status_and_code(answer) == (404, -32601)
    assert body_of(answer)["id"] == 1


@promise("F2")
@pytest.mark.parametrize("version", LEGACY)
@pytest.mark.parametrize(
    "method",
    [
        *("server/discover", "resources/subscribe", "x", "prompts/list", "prompts/get", "completion/complete"),
        *("resources/list", "resources/read", "resources/templates/list", "x/echo"),
    ],
)
def test_what_the_handshake_revisions_were_not_promised_is_an_unknown_method(version: str | None, method: str) -> None:
    answer = ask(version, method, server=TOOLS_SERVER)
    assert status_and_code(answer) == (200, -32601)
    assert answer.result_code == ResultCode.UNKNOWN_METHOD


@promise("F14")
@pytest.mark.parametrize("version", LEGACY)
def test_ping_is_answered_with_nothing(version: str | None) -> None:
    assert body_of(ask(version, "ping")) == {"jsonrpc": "2.0", "id": 1, "result": {}}


@promise("D2", "J6", "H18")
def test_a_call_with_no_handshake_and_no_version_header_just_works() -> None:
    call = {"jsonrpc": "2.0", "method": "tools/call", "params": {"name": "find", "arguments": {}}, "id": "request-123"}
    payload = body_of(send(call, {"content-type": "application/json"}))
    assert payload["id"] == "request-123"
    assert payload["result"]["status"] == "success"


@promise("D3", "H13")
@pytest.mark.parametrize("version", LEGACY)
@pytest.mark.parametrize("method", ["tools/list", "tools/call", "server/discover"])
def test_an_envelope_without_its_version_header_is_refused(version: str | None, method: str) -> None:
    answer = send(message(MODERN, method, {"name": "find"}), headers(version, method))
    assert status_and_code(answer) == (400, -32020)


@promise("H13")
@pytest.mark.parametrize("sent", ["2026-07-29", "1999-01-01", "2026-07-28, 2026-07-28", ""])
def test_a_version_header_that_differs_from_the_envelope_is_refused(sent: str) -> None:
    answer = ask(MODERN, "tools/list", more_headers={"mcp-protocol-version": sent})
    assert status_and_code(answer) == (400, -32020)


@promise("H13")
def test_blanks_around_a_version_header_do_not_matter() -> None:
    for version in VERSIONS[1:]:
        assert ask(version, "tools/list", more_headers={"mcp-protocol-version": f" {version}\t"}).response.status == 200


@promise("H14")
@pytest.mark.parametrize("version", ["2027-01-01", "v999.0.0", "1999-01-01"])
def test_an_unsupported_version_is_refused_with_the_supported_ones(version: str) -> None:
    body = message(MODERN, "server/discover", {"_meta": envelope(version)})
    answer = send(body, {**headers(MODERN, "server/discover"), "mcp-protocol-version": version})
    assert status_and_code(answer) == (400, -32022)
    data = body_of(answer)["error"]["data"]
    assert data["requested"] == version
    assert data["supported"] == result(MODERN, "server/discover")["supportedVersions"]
    assert MODERN in data["supported"]


@promise("H18")
@pytest.mark.parametrize("method", ["tools/list", "tools/call", "ping"])
def test_an_unsupported_version_header_on_a_request_without_envelope_is_400(method: str) -> None:
    answer = send(message(None, method, {"name": "find"}), {**JSON_HEADERS, "mcp-protocol-version": "1999-01-01"})
    assert answer.response.status == 400
    error = body_of(answer)["error"]
    assert error["code"] not in STATELESS_CODES
    assert all(version in error["message"] for version in HANDSHAKE)


@promise("J3", "J2")
@pytest.mark.parametrize("missing", ["protocolVersion", "clientCapabilities"])
@pytest.mark.parametrize("value", ["absent", None, 7])
def test_an_incomplete_envelope_is_invalid_params_with_400(missing: str, value: object) -> None:
    key = f"io.modelcontextprotocol/{missing}"
    meta = {**envelope(), key: value}
    if value == "absent":
        del meta[key]
    answer = ask(MODERN, "server/discover", {"_meta": meta})
    assert status_and_code(answer) == (400, -32602)
    assert key in body_of(answer)["error"]["message"]


@promise("J3")
@pytest.mark.parametrize("params", [{"_meta": {}}, {"_meta": None}, {"_meta": []}, {"_meta": "x"}])
def test_no_envelope_is_invalid_params_with_400(params: dict[str, Any]) -> None:
    assert status_and_code(ask(MODERN, "tools/list", params)) == (400, -32602)


@promise("J3")
def test_client_info_may_be_left_out() -> None:
    meta = {key: value for key, value in envelope().items() if not key.endswith("clientInfo")}
    assert ask(MODERN, "tools/list", {"_meta": meta}).response.status == 200


@promise("J5", "F17")
@pytest.mark.parametrize("version", VERSIONS)
def test_only_the_stateless_revision_marks_its_results(version: str | None) -> None:
    listed, called = result(version, "tools/list"), result(version, "tools/call", {"name": "find"})
    if version != MODERN:
        assert {*listed, *called}.isdisjoint({"resultType", "ttlMs", "cacheScope", "_meta"})
        return
    for each in (listed, called):
        assert each["resultType"] == "complete"
        assert each["_meta"]["io.modelcontextprotocol/serverInfo"]["name"] == "groundwire"
    assert listed["cacheScope"] == "private"
    assert listed["ttlMs"] >= 0
    assert "cacheScope" not in called


@promise("J6")
@pytest.mark.parametrize("version", VERSIONS)
def test_the_same_request_gets_the_same_answer_whatever_came_before(version: str | None) -> None:
    first = ask(version, "tools/call", {"name": "find"}).response
    for before in VERSIONS:
        ask(before, "initialize", {"protocolVersion": "2024-11-05"})
        ask(before, "tools/call", {"name": "look_up", "arguments": {"fault": "failure"}})
    assert ask(version, "tools/call", {"name": "find"}).response == first
