"""Example requests of the documentation of OpenSearch's MCP server, in its order; descriptions are shortened.

The page connects and calls a tool. The pages of its tools' administration register, change and remove tools, some of
types that only other plugins have: these are refused as a whole.
"""

from collections.abc import Mapping
from typing import Any

import pytest

from tests.server.dialects.opensearch.node import TOOLS, Node, refusal
from tests.server.dialects.opensearch.test_mcp_tools import HEADER

ENABLED = {"persistent": {"plugins.ml_commons.mcp_server_enabled": "true"}}
NAMES_SCHEMA = {
    "type": "object",
    "properties": {"indices": {"type": "array", "items": {"type": "string"}, "description": "Names of indexes."}},
    "additionalProperties": False,
}
LIST: Mapping[str, Any] = {
    "name": "ListIndexTool",
    "type": "ListIndexTool",
    "description": "Lists indexes.",
    "attributes": {"input_schema": NAMES_SCHEMA},
}
SEARCH: Mapping[str, Any] = {
    "name": "SearchIndexTool",
    "type": "SearchIndexTool",
    "description": "Searches an index.",
    "attributes": {
        "input_schema": {
            "type": "object",
            "properties": {"index": {"type": "string"}, "query": {"type": "string"}},
            "additionalProperties": False,
        }
    },
}
MAPPING: Mapping[str, Any] = {
    "name": "IndexMappingTool",
    "type": "IndexMappingTool",
    "description": "Describes indexes.",
    "attributes": {
        "input_schema": {
            "type": "object",
            "properties": {"index": {"type": "array", "items": {"type": "string"}}},
            "required": ["index"],
            "additionalProperties": False,
        }
    },
}
OF_OTHER_PLUGINS = ("SearchAlertsTool", "SearchAnomalyDetectorsTool", "SearchAnomalyResultsTool", "SearchMonitorsTool")
WITHOUT_PARAMETERS = [LIST, SEARCH, MAPPING, *({"name": each, "type": each} for each in OF_OTHER_PLUGINS)]
VECTOR: Mapping[str, Any] = {
    "type": "VectorDBTool",
    "name": "HandbookTool",
    "description": "Finds passages of the handbook.",
    "parameters": {
        "model_id": "a-model",
        "index": "handbook",
        "embedding_field": "content_vector",
        "source_field": '["content"]',
        "input": "${parameters.input}",
        "doc_size": 2,
    },
    "attributes": {
        "input_schema": {
            "type": "object",
            "properties": {"input": {"type": "string", "description": "The question."}},
            "required": ["input"],
        }
    },
}
ANSWERING: Mapping[str, Any] = {**VECTOR, "type": "RAGTool", "name": "AnswerTool"}
WEB_SEARCH: Mapping[str, Any] = {
    "type": "WebSearchTool",
    "name": "GoogleSearchTool",
    "description": "Searches the web.",
    "attributes": {"input_schema": {"type": "object", "properties": {}, "required": ["engine"]}, "strict": False},
}


def listed(node: Node) -> list[str]:
    return [each["name"] for each in node.administer("GET", f"{TOOLS}/_list").payload["tools"]]


def test_the_server_is_enabled_before_it_is_used(node: Node) -> None:
    answer = node.administer("PUT", "/_cluster/settings", ENABLED)
    assert (answer.status, answer.payload["acknowledged"]) == (200, True)


def test_the_page_lists_the_tool_and_calls_it(node: Node) -> None:
    assert node.post({"jsonrpc": "2.0", "method": "notifications/initialized", "params": {}}).status == 202
    [tool] = node.ask("tools/list", {})["result"]["tools"]
    assert tool.keys() == {"name", "description", "inputSchema"}
    assert tool["name"] == "ListIndexTool"
    assert tool["inputSchema"].keys() == NAMES_SCHEMA.keys()
    called = node.ask("tools/call", {"name": "ListIndexTool", "arguments": {"indices": []}})["result"]
    assert called["isError"] is False
    assert called["content"][0]["text"].startswith(f"{HEADER}\n1,green,open,handbook,")


def test_tools_without_parameters_are_registered_without_those_of_other_plugins(node: Node) -> None:
    refused = node.administer("POST", f"{TOOLS}/_register", {"tools": WITHOUT_PARAMETERS})
    assert refusal(refused)[2] == "Validation Failed: 1: Unrecognized tool in request;"
    assert listed(node) == []
    node.register(LIST, SEARCH, MAPPING)
    assert listed(node) == ["ListIndexTool", "SearchIndexTool", "IndexMappingTool"]
    shown = {tool["name"]: tool["inputSchema"] for tool in node.ask("tools/list", {})["result"]["tools"]}
    assert shown["SearchIndexTool"] == SEARCH["attributes"]["input_schema"]
    text = node.tool("SearchIndexTool", {"index": "handbook", "query": '{"query":{"match_all":{}}}'})
    assert text.count("\n") == 3


def test_a_tool_with_parameters_has_its_own_name_description_and_schema(node: Node) -> None:
    node.register(VECTOR)
    [tool] = node.ask("tools/list", {})["result"]["tools"]
    assert (tool["name"], tool["description"]) == ("HandbookTool", VECTOR["description"])
    assert tool["inputSchema"] == VECTOR["attributes"]["input_schema"]
    found = node.tool("HandbookTool", {"input": "wheel pump"})
    assert '"_source":{"content":' in found
    assert found.count("\n") == 2


@pytest.mark.parametrize("tool", [ANSWERING, WEB_SEARCH, {"type": "PPLTool", "name": "a"}])
def test_a_type_of_another_plugin_is_unrecognized(node: Node, tool: Mapping[str, Any]) -> None:
    answer = node.administer("POST", f"{TOOLS}/_register", {"tools": [tool]})
    assert refusal(answer)[0] == 400
    assert "Unrecognized tool in request" in refusal(answer)[2]


def test_an_update_names_a_tool_that_is_registered_within_tools(node: Node) -> None:
    node.register(VECTOR)
    unknown = node.administer("POST", f"{TOOLS}/_update", {"tools": [WEB_SEARCH]})
    assert refusal(unknown)[0] == 500
    single = node.administer("POST", f"{TOOLS}/_update", {**VECTOR, "description": "Anew."})
    assert refusal(single)[2] == "Validation Failed: 1: tools list can not be null;"
    changed = node.administer("POST", f"{TOOLS}/_update", {"tools": [{**VECTOR, "description": "Anew."}]})
    assert list(changed.payload.values()) == [{"updated": True}]
    assert node.ask("tools/list", {})["result"]["tools"][0]["description"] == "Anew."


def test_a_removal_removes_all_or_nothing(node: Node) -> None:
    node.register(LIST, SEARCH)
    refused = node.administer("POST", f"{TOOLS}/_remove", ["WebSearchTool", "ListIndexTool"])
    assert refusal(refused)[0] == 500
    assert "[WebSearchTool]" in refusal(refused)[2]
    assert listed(node) == ["ListIndexTool", "SearchIndexTool"]
    done = node.administer("POST", f"{TOOLS}/_remove", ["SearchIndexTool", "ListIndexTool"])
    assert list(done.payload.values()) == [{"removed": True}]
    assert listed(node) == []
