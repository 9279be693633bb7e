"""Error answers of each tool, by error, MCP revision and transport mark."""

from typing import Any, Final, NamedTuple

import pytest

from groundwire_mcp.jsonrpc.errors import ResultCode
from tests.mcp_core.definitions import CONTRACT, TOOLS, Caller
from tests.mcp_core.promises import promise
from tests.mcp_core.requests import (
    HANDSHAKE,
    JSON_HEADERS,
    MODERN,
    VERSIONS,
    Payload,
    ask,
    body_of,
    result,
    send,
    status_and_code,
)

TEXT: Final = "what to do about it"
TOOL_OF_A_CONTRACT: Final = "look_up"
UNDER_CONTRACT: Final = Caller(is_under_contract=True)


class Row(NamedTuple):
    """A call that goes wrong.

    Attributes:
        outcome: what the audit line says. code: of the JSON-RPC error.
        retry_after_s: None for a fault that a repeat does not cure.
    """

    arguments: dict[str, Any]
    outcome: ResultCode
    code: int
    retry_after_s: int | None = None

    @property
    def error(self) -> Payload:
        """The JSON-RPC error that the contract asks for."""
        data = {} if self.retry_after_s is None else {"data": self.retry}
        return {"code": self.code, "message": TEXT, **data}

    @property
    def text(self) -> str:
        """The text of the result, for the model."""
        return TEXT if self.retry_after_s is None else f"{TEXT} Call the tool again after {self.retry_after_s} s."

    @property
    def retry(self) -> Payload:
        """Return the data of a retryable error, for a program."""
        return {"retryable": True, "retry_after_s": self.retry_after_s}


TABLE: Final = (
    Row({"fault": "arguments"}, ResultCode.TOOL_ARGUMENTS, -32602),
    Row({"fault": "failure"}, ResultCode.TOOL_FAILURE, -32603),
    Row({"fault": "retryable", "retry_after_s": 0}, ResultCode.TOOL_RETRYABLE, -32000, 0),
    Row({"fault": "retryable", "retry_after_s": 7}, ResultCode.TOOL_RETRYABLE, -32000, 7),
    Row({"fault": "retryable"}, ResultCode.TOOL_RETRYABLE, -32000, 5),
)
MARKS: Final[dict[str, tuple[dict[str, str], Payload]]] = {
    **{f"version {version}": ({"mcp-protocol-version": version}, {}) for version in HANDSHAKE},
    "empty _meta": ({}, {"_meta": {}}),
    "progress token": ({}, {"_meta": {"progressToken": "p"}}),
    "_meta that is no object": ({}, {"_meta": None}),
}
"""Of handshake clients; each alone: headers, params."""


def check_is_for_a_model(reported: Payload, row: Row, *, is_stateless: bool = False) -> None:
    assert reported["isError"] is True
    assert reported["content"] == [{"type": "text", "text": row.text}]
    assert "structuredContent" not in reported
    meta = dict(reported.get("_meta", {}))
    assert ("io.modelcontextprotocol/serverInfo" in meta) is is_stateless
    meta.pop("io.modelcontextprotocol/serverInfo", None)
    assert meta == ({} if row.retry_after_s is None else {"groundwire/retry": row.retry})


@promise("F6", "J2")
@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("row", TABLE)
def test_an_error_of_a_tool_without_a_contract_is_a_result_in_every_revision_and_an_error_without_any(
    version: str | None, row: Row
) -> None:
    answer = ask(version, "tools/call", {"name": "find", "arguments": row.arguments}, caller=UNDER_CONTRACT)
    assert (answer.response.status, answer.result_code, answer.tool) == (200, row.outcome, "find")
    if version is None:
        assert body_of(answer)["error"] == row.error
        return
    check_is_for_a_model(body_of(answer)["result"], row, is_stateless=version == MODERN)


@promise("F6", "J2")
@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("row", TABLE)
def test_a_caller_under_the_contract_gets_every_error_as_an_error_in_every_revision(
    version: str | None, row: Row
) -> None:
    params = {"name": TOOL_OF_A_CONTRACT, "arguments": row.arguments}
    answer = ask(version, "tools/call", params, caller=UNDER_CONTRACT)
    assert (answer.response.status, answer.result_code, answer.tool) == (200, row.outcome, TOOL_OF_A_CONTRACT)
    assert body_of(answer)["error"] == row.error


@promise("F6", "J2", "D2")
@pytest.mark.parametrize("row", TABLE)
def test_a_call_without_any_mark_of_mcp_is_answered_by_errors(row: Row) -> None:
    answer = ask(None, "tools/call", {"name": TOOL_OF_A_CONTRACT, "arguments": row.arguments})
    assert (answer.response.status, answer.result_code) == (200, row.outcome)
    assert body_of(answer)["error"] == row.error


@promise("F6")
@pytest.mark.parametrize("row", TABLE)
@pytest.mark.parametrize("mark", MARKS.values(), ids=MARKS)
def test_each_mark_of_mcp_alone_has_errors_reported_to_the_model(
    mark: tuple[dict[str, str], Payload], row: Row
) -> None:
    headers, params = mark
    params = {"name": TOOL_OF_A_CONTRACT, "arguments": row.arguments, **params}
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
    answer = send(message, {**JSON_HEADERS, **headers})
    assert (answer.response.status, answer.result_code) == (200, row.outcome)
    check_is_for_a_model(body_of(answer)["result"], row)


@promise("F6", "H12")
@pytest.mark.parametrize("row", TABLE)
def test_a_session_is_a_mark_of_mcp_for_clients_that_send_no_version(row: Row) -> None:
    started = ask(None, "initialize", {"protocolVersion": "2025-03-26", "capabilities": {}, "clientInfo": {}})
    session = {"mcp-session-id": started.response.headers["mcp-session-id"]}
    params = {"name": TOOL_OF_A_CONTRACT, "arguments": row.arguments}
    check_is_for_a_model(body_of(ask(None, "tools/call", params, more_headers=session))["result"], row)
    batch = [{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}]
    answers: Any = body_of(send(batch, {**JSON_HEADERS, **session}))
    [reported] = answers
    check_is_for_a_model(reported["result"], row)


@promise("F6")
@pytest.mark.parametrize("row", TABLE)
def test_a_stateless_client_has_errors_reported_to_its_model(row: Row) -> None:
    params = {"name": TOOL_OF_A_CONTRACT, "arguments": row.arguments}
    reported = body_of(ask(MODERN, "tools/call", params))["result"]
    assert reported["resultType"] == "complete"
    check_is_for_a_model(reported, row, is_stateless=True)


@promise("F4")
@pytest.mark.parametrize("version", VERSIONS)
def test_only_a_caller_under_the_contract_is_shown_its_arguments(version: str | None) -> None:
    def shown(caller: Caller) -> dict[str, Any]:
        return {tool["name"]: tool["inputSchema"] for tool in result(version, "tools/list", caller=caller)["tools"]}

    schemas = {tool.name: tool.input_schema for tool in TOOLS if tool.name != "hidden"}
    of_the_contract = schemas | {TOOL_OF_A_CONTRACT: CONTRACT.input_schema}
    # A call without a mark of MCP is answered as the contract says, so its list says so.
    assert shown(Caller()) == (of_the_contract if version is None else schemas)
    assert shown(UNDER_CONTRACT) == of_the_contract


@promise("F6", "F7", "H23")
@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("tool", ["find", TOOL_OF_A_CONTRACT])
def test_what_is_wrong_before_a_tool_runs_is_an_error_of_the_protocol_for_every_tool(
    version: str | None, tool: str
) -> None:
    shapeless = ask(version, "tools/call", {"name": tool, "arguments": []})
    assert status_and_code(shapeless) == (200, -32602)
    unseen = ask(version, "tools/call", {"name": tool}, caller=Caller(()))
    assert status_and_code(unseen) == (200, -32602)
    forbidden = ask(version, "tools/call", {"name": tool}, caller=Caller(lacks={tool: "search"}))
    assert status_and_code(forbidden) == (403, -32001 if version is None else 403)


@promise("F7", "H23")
@pytest.mark.parametrize("version", VERSIONS)
def test_a_missing_scope_under_a_contract_has_a_code_of_the_contract(version: str | None) -> None:
    caller = UNDER_CONTRACT._replace(lacks={TOOL_OF_A_CONTRACT: "search"})
    answer = ask(version, "tools/call", {"name": TOOL_OF_A_CONTRACT}, caller=caller)
    assert status_and_code(answer) == (403, -32001)
    assert body_of(answer)["error"]["data"] == {"scope": "search"}
