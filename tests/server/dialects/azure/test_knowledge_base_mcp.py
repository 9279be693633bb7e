"""A knowledge base as an MCP server."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from tests.server.dialects.azure.office import AGENT_VERSIONS, BASE_VERSIONS, Office
from tests.support.worlds.world import Answer, caller

PATHS = ("/knowledgebases/handbook/mcp", "/knowledgebases('handbook')/mcp")


def call(office: Office, path: str, intents: Sequence[str] | None, headers: Mapping[str, str] | None = None) -> Answer:
    params = {"name": "knowledge_base_retrieve", "arguments": {"request": {"knowledgeAgentIntents": intents}}}
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
    accepting = {"accept": "application/json", **caller(office.key, "ana")}
    return office.send("POST", f"{path}?api-version=2025-11-01-preview", message, headers or accepting)


@pytest.mark.parametrize("path", PATHS)
def test_the_tool_retrieves_without_initialize_what_the_user_may_read(office: Office, path: str) -> None:
    result = call(office, path, ["wheel pump", "bread"]).result
    count, passages = (block["text"] for block in result["content"])
    found = json.loads(passages)
    assert count == f"Retrieved {len(found)} documents."
    assert {"The wheel pump needs oil.", "Bread is baked in the morning."} <= {each["content"] for each in found}
    assert "code" not in passages
    assert result["structuredContent"]["references"][0]["type"] == "searchIndex"


def test_a_client_that_names_no_json_reads_one_event(office: Office) -> None:
    answer = call(office, PATHS[0], ["wheel pump"], {**caller(office.key, "ana")})
    assert dict(answer.response.headers)["content-type"] == "text/event-stream"
    event, data = answer.response.body.decode().strip().split("\n")
    assert event == "event: message"
    assert json.loads(data.removeprefix("data: "))["result"]["content"][0]["text"].startswith("Retrieved ")


def test_the_list_of_tools_has_the_schema_that_agents_see(office: Office) -> None:
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
    [tool] = office.send("POST", PATHS[1], message, {"accept": "application/json", **caller(office.key, "ana")}).result[
        "tools"
    ]
    assert (tool["name"], tool["inputSchema"]["required"]) == ("knowledge_base_retrieve", ["request"])


@pytest.mark.parametrize("name", ["closed", "nowhere"])
def test_a_hidden_and_an_unknown_knowledge_base_get_the_same_error(office: Office, name: str) -> None:
    result: dict[str, Any] = call(office, f"/knowledgebases('{name}')/mcp", ["wheel pump"]).result
    assert result["isError"] is True
    message = result["structuredContent"]["error"]["message"]
    assert message == f"No Knowledge Base with the name '{name}' was found in service 'groundwire'."


@pytest.mark.parametrize("intents", [None, [], [" "]])
def test_a_call_without_a_query_is_an_error_that_states_what_to_send(office: Office, intents: list[str] | None) -> None:
    result = call(office, PATHS[0], intents).result
    assert (result["isError"], "at least one query" in result["content"][0]["text"]) == (True, True)


def test_a_get_is_405_and_an_unknown_path_is_404(office: Office) -> None:
    assert office.send("GET", PATHS[0]).status == 405
    for headers in (None, {}):
        answer = office.send("POST", "/nothing/mcp", {}, headers)
        assert (answer.status, answer.payload) == (404, {"message": "Not Found"})


def version_answer(office: Office, query: str) -> Answer:
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
    headers = {"accept": "application/json", **caller(office.key, "ana")}
    return office.send("POST", f"{PATHS[1]}{query}", message, headers)


@pytest.mark.parametrize("query", ["", *(f"?api-version={version}" for version in BASE_VERSIONS)])
def test_each_version_with_knowledge_bases_is_served_and_so_is_an_address_without_one(
    office: Office, query: str
) -> None:
    assert version_answer(office, query).status == 200
    assert version_answer(office, query.replace("preview", "Preview")).status == 200


@pytest.mark.parametrize("versions", [("2024-07-01",), ("",), AGENT_VERSIONS[:1], BASE_VERSIONS[:2]])
def test_a_version_that_is_unknown_without_knowledge_bases_or_one_of_two_is_an_error(
    office: Office, versions: Sequence[str]
) -> None:
    answer = version_answer(office, "?" + "&".join(f"api-version={version}" for version in versions))
    assert answer.status == 400
    assert (answer.payload["id"], "api-version" in answer.payload["error"]["message"]) == (1, True)
