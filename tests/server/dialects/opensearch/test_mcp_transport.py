"""HTTP and JSON-RPC of the MCP server, as a node with the plugin answered them."""

import json
from collections.abc import Mapping

import pytest

from tests.server.dialects.opensearch.node import JSON, MCP, Node

INITIALIZE = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-03-26",
        "capabilities": {"roots": {"listChanged": True}, "sampling": {}},
        "clientInfo": {"name": "test-client", "version": "1.0.0"},
    },
}
INITIALIZED = (
    b'{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-03-26","capabilities":{"logging":{},"prompts":'
    b'{"listChanged":false},"resources":{"subscribe":false,"listChanged":false},"tools":{"listChanged":true}},'
    b'"serverInfo":{"name":"OpenSearch-MCP-Stateless-Server","version":"0.1.0"},"instructions":'
    b'"OpenSearch MCP Stateless Server - provides access to ML tools without sessions"}}'
)
PING = {"jsonrpc": "2.0", "id": 7, "method": "ping"}
RESULTS: Mapping[str, object] = {
    "ping": {},
    "prompts/list": {"prompts": []},
    "resources/list": {"resources": []},
    "resources/templates/list": {"resourceTemplates": []},
}
ERRORS: Mapping[str, tuple[bytes, int, object, str]] = {
    "empty": (b"", -32700, None, "Parse error: empty body"),
    "blank": (b" \n", -32700, None, "Parse error: empty body"),
    "no json": (b"{", -32700, None, "Parse error: "),
    "array": (b"[]", -32700, None, "Parse error: "),
    "batch": (json.dumps([PING]).encode(), -32700, None, "Parse error: "),
    "number": (b"1", -32700, None, "Parse error: "),
    "text": (b'"a"', -32700, None, "Parse error: "),
    "null": (b"null", -32700, None, "Parse error: "),
    "no method": (b"{}", -32700, None, "Parse error: Cannot deserialize JSONRPCMessage: {}"),
    "id null": (b'{"method":"ping","id":null}', -32700, None, "Parse error: MCP requests MUST include an ID"),
    "id float": (b'{"method":"ping","id":1.5}', -32700, None, "Parse error: MCP requests MUST have an ID"),
    "id boolean": (b'{"method":"ping","id":true}', -32700, None, "Parse error: MCP requests MUST have an ID"),
    "id object": (b'{"method":"ping","id":{}}', -32700, None, "Parse error: MCP requests MUST have an ID"),
    "response": (b'{"id":1,"result":{}}', -32603, None, "Internal server error: Unknown message type"),
    "deep": (b'{"id":1,"method":"ping","params":' + b"[" * 40 + b"]" * 40 + b"}", -32700, None, "Parse error: "),
}
INTERNAL = "Internal server error: "
REFUSED: Mapping[str, tuple[str, object, int, str]] = {
    "unknown": ("nothing/here", {}, -32603, f"{INTERNAL}Missing handler for request type: nothing/here"),
    "discover": ("server/discover", {}, -32603, f"{INTERNAL}Missing handler for request type: server/discover"),
    "level": ("logging/setLevel", {}, -32603, f"{INTERNAL}Missing handler for request type: logging/setLevel"),
    "no params": ("initialize", None, -32603, INTERNAL),
    "params text": ("tools/call", "a", -32603, INTERNAL),
    "params array": ("tools/call", [], -32603, INTERNAL),
    "arguments text": ("tools/call", {"name": "ListIndexTool", "arguments": "a"}, -32603, INTERNAL),
    "arguments array": ("tools/call", {"name": "ListIndexTool", "arguments": []}, -32603, INTERNAL),
    "unknown tool": ("tools/call", {"name": "NoSuch"}, -32602, "Unknown tool: invalid_tool_name"),
    "other case": ("tools/call", {"name": "listindextool"}, -32602, "Unknown tool: invalid_tool_name"),
    "no name": ("tools/call", {}, -32602, "Unknown tool: invalid_tool_name"),
    "prompt": ("prompts/get", {"name": "x"}, -32603, "Prompt not found: x"),
    "resource": ("resources/read", {"uri": "u"}, -32603, f"{INTERNAL}Resource not found: u"),
}


def test_initialize_answers_the_pages_object_byte_for_byte(node: Node) -> None:
    answer = node.post(INITIALIZE)
    headers = dict(answer.response.headers)
    assert answer.response.body == INITIALIZED
    assert headers["content-type"] == "application/json"
    assert headers["x-opensearch-version"] == "OpenSearch/3.5.0 (opensearch)"


@pytest.mark.parametrize("version", ["2025-03-26", "2025-06-18", "2025-11-25"])
def test_initialize_repeats_a_supported_version(node: Node, version: str) -> None:
    assert node.ask("initialize", {"protocolVersion": version})["result"]["protocolVersion"] == version


@pytest.mark.parametrize("params", [{}, {"protocolVersion": "2024-11-05"}, {"protocolVersion": 5}, {"more": []}])
def test_initialize_answers_any_other_version_with_the_latest(node: Node, params: object) -> None:
    assert node.ask("initialize", params)["result"]["protocolVersion"] == "2025-11-25"


@pytest.mark.parametrize("method", RESULTS)
def test_a_method_without_params_answers_its_constant(node: Node, method: str) -> None:
    assert node.ask(method) == {"jsonrpc": "2.0", "id": 7, "result": RESULTS[method]}


@pytest.mark.parametrize("case", ERRORS)
def test_an_error_of_a_message_is_an_error_on_status_200(node: Node, case: str) -> None:
    body, code, identifier, words = ERRORS[case]
    answer = node.post(body)
    assert answer.status == 200
    assert (answer.payload["error"]["code"], answer.payload["id"]) == (code, identifier)
    assert answer.payload["error"]["message"].startswith(words)


@pytest.mark.parametrize("case", REFUSED)
def test_a_refused_request_is_an_error_with_its_id(node: Node, case: str) -> None:
    method, params, code, words = REFUSED[case]
    error = node.ask(method, params)["error"]
    assert error["code"] == code
    assert error["message"].startswith(words)


def test_an_unknown_tool_is_named_in_the_data(node: Node) -> None:
    assert node.ask("tools/call", {"name": "NoSuch"})["error"]["data"] == "Tool not found: NoSuch"
    assert node.ask("tools/call", {})["error"]["data"] == "Tool not found: null"


@pytest.mark.parametrize("method", ["notifications/initialized", "tools/list", "nothing"])
def test_a_message_without_an_id_is_accepted_without_a_body(node: Node, method: str) -> None:
    answer = node.post({"jsonrpc": "2.0", "method": method, "params": {}})
    assert (answer.status, answer.response.body) == (202, b"")


def test_get_is_405_without_body_and_allow(node: Node) -> None:
    answer = node.send("GET", MCP)
    assert (answer.status, answer.response.body) == (405, b"")
    assert "allow" not in dict(answer.response.headers)


@pytest.mark.parametrize("method", ["DELETE", "PUT", "PATCH"])
def test_another_method_is_405_with_allow(node: Node, method: str) -> None:
    answer = node.send(method, MCP)
    reason = f"Incorrect HTTP method for uri [{MCP}] and method [{method}], allowed: [POST, GET]"
    assert (answer.status, answer.payload) == (405, {"error": reason, "status": 405})
    assert dict(answer.response.headers)["allow"] == "POST,GET"


@pytest.mark.parametrize("sent", ["text/plain", "application/xml", ""])
def test_a_body_of_another_content_type_is_406(node: Node, sent: str) -> None:
    answer = node.send("POST", MCP, PING, {"content-type": sent} if sent else {})
    reason = f"Content-Type header [{sent}] is not supported"
    assert (answer.status, answer.payload) == (406, {"error": reason, "status": 406})


@pytest.mark.parametrize(
    "sent",
    [
        "application/json; charset=UTF-8",
        "APPLICATION/JSON",
        "application/x-ndjson",
        "application/yaml",
        "application/vnd.opensearch+json",
    ],
)
def test_a_body_of_a_json_content_type_is_read_as_json(node: Node, sent: str) -> None:
    assert node.send("POST", MCP, PING, {"content-type": sent}).payload["result"] == {}


def test_headers_of_sessions_versions_and_accepted_types_change_nothing(node: Node) -> None:
    headers = {**JSON, "accept": "text/html", "mcp-session-id": "x", "mcp-protocol-version": "2026-07-28"}
    assert node.send("POST", MCP, PING, headers).payload["result"] == {}


def test_a_page_of_another_origin_is_refused(node: Node) -> None:
    assert node.send("POST", MCP, PING, {**JSON, "origin": "https://evil.example"}).status == 403


def test_pretty_is_ignored_and_an_unknown_parameter_is_400(node: Node) -> None:
    assert node.send("POST", f"{MCP}?pretty", PING).payload["result"] == {}
    answer = node.send("POST", f"{MCP}?foo=bar", PING)
    assert answer.status == 400
    assert answer.payload["error"]["type"] == "illegal_argument_exception"
    assert answer.payload["error"]["reason"] == f"request [{MCP}] contains unrecognized parameter: [foo]"


def test_a_slash_at_the_end_changes_nothing(node: Node) -> None:
    assert node.send("POST", f"{MCP}/", PING).payload["result"] == {}


@pytest.mark.parametrize("path", [f"{MCP}/stream", f"{MCP}/sse", f"{MCP}/sse/message", "/_plugins/_ml/agents"])
def test_a_path_that_is_not_there_has_no_handler(node: Node, path: str) -> None:
    answer = node.send("POST", path, {})
    assert (answer.status, answer.payload) == (400, {"error": f"no handler found for uri [{path}] and method [POST]"})


def test_a_wrong_key_is_refused_in_json_rpc_and_by_the_engines_form(node: Node) -> None:
    wrong = {**JSON, "authorization": "Bearer gw_live_wrong"}
    answer = node.world.request("POST", MCP, wrong, json.dumps(PING).encode())
    assert (answer.status, answer.payload["id"], "error" in answer.payload) == (401, 7, True)
    answer = node.world.request("GET", f"{MCP}/tools/_list", wrong, b"")
    assert (answer.status, answer.payload["error"]["type"]) == (401, "security_exception")
