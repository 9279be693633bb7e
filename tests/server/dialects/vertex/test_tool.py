"""`retrieve_contexts` over MCP: the page's schema and annotations, results, and errors in Google's form."""

import json
from collections.abc import Mapping
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from groundwire.dialects.vertex.members import RETRIEVE_CONTEXTS_REQUEST, MessageType, ScalarType
from groundwire.dialects.vertex.schemas import RETRIEVE_CONTEXTS_INPUT, RETRIEVE_CONTEXTS_OUTPUT
from tests.server.dialects.vertex.company import CLOSED, HANDBOOK, PARENT, Company, request, texts
from tests.support.worlds.world import caller

PATHS = ["/mcp/generate", "/mcp/retrieval"]
MARKED = {"mcp-protocol-version": "2025-06-18"}


def send(company: Company, path: str, method: str, **params: object) -> dict[str, Any]:
    return company.post(path, {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}).result


def arguments(**more: object) -> dict[str, Any]:
    return {"parent": PARENT, **request(**more)}  # type: ignore[arg-type]


@pytest.mark.parametrize("path", PATHS)
def test_both_paths_list_the_one_tool_with_the_pages_annotations(company: Company, path: str) -> None:
    [tool] = send(company, path, "tools/list")["tools"]
    assert tool["name"] == "retrieve_contexts"
    hints = {name: tool["annotations"][name] for name in tool["annotations"] if name.endswith("Hint")}
    assert hints == {
        "readOnlyHint": True,
        "idempotentHint": True,
        "destructiveHint": False,
        "openWorldHint": False,
    }
    assert (tool["inputSchema"], tool["outputSchema"]) == (RETRIEVE_CONTEXTS_INPUT, RETRIEVE_CONTEXTS_OUTPUT)
    # A converter of Google's library fails on it, and clients may send snake_case.
    assert "additionalProperties" not in json.dumps(tool)
    assert "required" not in json.dumps(tool["outputSchema"])


@pytest.mark.parametrize("path", PATHS)
def test_the_tool_gives_the_contexts_of_the_rest_route(company: Company, path: str) -> None:
    for headers in ({}, MARKED):
        result = company.tool(arguments(), path, **headers)
        assert result["isError"] is False
        assert result["structuredContent"] == {"contexts": {"contexts": company.retrieve(request())}}
        Draft202012Validator(RETRIEVE_CONTEXTS_OUTPUT).validate(result["structuredContent"])


def test_the_pages_call_succeeds_once_its_comment_is_arguments(company: Company) -> None:
    # The call of the page: no handshake, no session, no version.
    body = {
        "method": "tools/call",
        "params": {"name": "retrieve_contexts", "arguments": arguments()},
        "jsonrpc": "2.0",
        "id": 1,
    }
    headers = {**company.headers, "accept": "application/json, text/event-stream"}
    result = company.post("/mcp/generate", body, headers).result
    assert "The wheel pump needs oil." in texts(result["structuredContent"]["contexts"]["contexts"])


def test_the_tool_takes_the_pages_snake_case(company: Company) -> None:
    snake = {
        "parent": PARENT,
        "query": {"text": "wheel pump", "rag_retrieval_config": {"top_k": 1}},
        "vertex_rag_store": {"rag_resources": [{"rag_corpus": HANDBOOK}]},
    }
    [found] = company.tool(snake)["structuredContent"]["contexts"]["contexts"]
    assert [found] == company.retrieve(request(topK=1))


@pytest.mark.parametrize(
    ("sent", "status", "field"),
    [
        ({}, "INVALID_ARGUMENT", "parent"),
        ({"parent": PARENT}, "INVALID_ARGUMENT", "query.text"),
        ({"parent": PARENT, "query": "text"}, "INVALID_ARGUMENT", "query"),
        ({"parent": PARENT, "query": '{"text": "x"}'}, "INVALID_ARGUMENT", "query"),
        ({"parent": PARENT, "query": {"text": " \n"}}, "INVALID_ARGUMENT", "query.text"),
        ({"parent": "p1", "query": {"text": "x"}}, "INVALID_ARGUMENT", "parent"),
        ({"parent": PARENT, **request(corpus=CLOSED)}, "NOT_FOUND", None),
    ],
)
def test_an_error_is_a_result_with_googles_error(
    company: Company, sent: object, status: str, field: str | None
) -> None:
    for headers in ({}, MARKED):
        result = company.tool(sent, **headers)
        assert result["isError"] is True
        error = result["structuredContent"]["error"]
        assert error["status"] == status
        if field is not None:
            assert error["details"][0]["fieldViolations"][0]["field"] == field
        Draft202012Validator(RETRIEVE_CONTEXTS_OUTPUT).validate(result["structuredContent"])


def test_a_plain_text_query_is_refused_with_the_form_to_send(company: Company) -> None:
    error = company.tool({"parent": PARENT, "query": "wheel"})["structuredContent"]["error"]
    assert "send an object with text, ragRetrievalConfig" in error["message"]


def test_the_server_keeps_no_session_and_answers_no_get(company: Company) -> None:
    path = PATHS[0]
    message = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"protocolVersion": "2025-06-18"}}
    started = company.post(path, message)
    assert started.status == 200
    assert "mcp-session-id" not in dict(started.response.headers)
    assert company.get(path).status == 405


def test_no_call_is_answered_without_a_key(company: Company) -> None:
    for method in ("initialize", "tools/list", "tools/call"):
        answer = company.post(PATHS[0], {"jsonrpc": "2.0", "id": 1, "method": method}, {})
        assert (answer.status, answer.payload["jsonrpc"]) == (401, "2.0")


def test_beyond_the_rate_an_mcp_client_gets_googles_error_as_a_result(company: Company) -> None:
    slow = caller(company.world.slow_key(company.tenant, "default"), "ana")
    company.tool(arguments(), **slow, **MARKED)
    result = company.tool(arguments(), **slow, **MARKED)
    assert result["isError"] is True
    error = result["structuredContent"]["error"]
    assert (error["code"], error["status"]) == (429, "RESOURCE_EXHAUSTED")
    assert error["details"][0]["retryDelay"].endswith("s")


def test_mcp_sends_the_members_of_v1_and_takes_those_of_v1beta1(company: Company) -> None:
    beta = {"text": "wheel pump", "similarityTopK": 1, "ranking": {"alpha": 0.5}}
    sent = {"parent": PARENT, "query": beta, "vertexRagStore": {"ragCorpora": [HANDBOOK]}}
    [found] = company.tool(sent)["structuredContent"]["contexts"]["contexts"]
    assert set(found["chunk"]) == {"text", "pageSpan"}


TYPES = {
    ScalarType.STRING: "string",
    ScalarType.INT32: "integer",
    ScalarType.FLOAT: "number",
    ScalarType.DOUBLE: "number",
}
PAGE_INPUT = {
    *("parent", "query", "query.text", "query.ragRetrievalConfig", "query.ragRetrievalConfig.topK"),
    *(f"query.ragRetrievalConfig.{name}" for name in ("filter", "filter.metadataFilter", "ranking")),
    *(f"query.ragRetrievalConfig.filter.vector{name}Threshold" for name in ("Distance", "Similarity")),
    *(f"query.ragRetrievalConfig.ranking.{name}" for name in ("rankService", "llmRanker")),
    *(f"query.ragRetrievalConfig.ranking.{name}.modelName" for name in ("rankService", "llmRanker")),
    *("vertexRagStore", "vertexRagStore.ragResources", "vertexRagStore.vectorDistanceThreshold"),
    *("vertexRagStore.ragResources.ragCorpus", "vertexRagStore.ragResources.ragFileIds"),
}
"""Members of the request, as the tool's page lists them."""
PAGE_OUTPUT = {
    *("contexts", "contexts.contexts"),
    *(f"contexts.contexts.{name}" for name in ("sourceUri", "sourceDisplayName", "text", "chunk", "score")),
    *(f"contexts.contexts.chunk.{name}" for name in ("text", "pageSpan", "pageSpan.firstPage", "pageSpan.lastPage")),
}
BETA_INPUT = {
    *("query.similarityTopK", "query.ranking", "query.ranking.alpha", "vertexRagStore.ragCorpora"),
    *("query.ragRetrievalConfig.hybridSearch", "query.ragRetrievalConfig.hybridSearch.alpha"),
}
"""Members that v1beta1 has besides."""


def members_of(schema: Mapping[str, Any], path: str = "") -> dict[str, str]:
    """The type of each member, by its path; a list has the path of its items."""
    inner = schema.get("items", schema)
    found = {path: inner["type"]} if path else {}
    for name, each in inner.get("properties", {}).items():
        found |= members_of(each, f"{path}.{name}" if path else name)
    return found


def declared(message_type: MessageType, path: str = "") -> dict[str, str]:
    """The same of the table by which requests are read."""
    found: dict[str, str] = {}
    for member in message_type.members:
        name = f"{path}.{member.json_name}" if path else member.json_name
        if isinstance(member.type, MessageType):
            found |= {name: "object", **declared(member.type, name)}
        else:
            found[name] = TYPES[member.type]
    return found


def test_the_schemas_have_the_members_of_the_page_and_those_of_v1beta1() -> None:
    assert set(members_of(RETRIEVE_CONTEXTS_INPUT)) == PAGE_INPUT | BETA_INPUT
    assert members_of(RETRIEVE_CONTEXTS_INPUT) == declared(RETRIEVE_CONTEXTS_REQUEST)
    assert set(members_of(RETRIEVE_CONTEXTS_OUTPUT)) == PAGE_OUTPUT
