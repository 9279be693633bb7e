"""Registration, change and removal of tools, as a node with the plugin answered them."""

import asyncio
import json
import threading
from collections.abc import Mapping
from typing import Any

import pytest

from groundwire.domain.access.scopes import Scope
from groundwire.domain.limits import MAX_REGISTERED_TOOLS
from tests.server.dialects.opensearch.node import JSON, TOOLS, Node, refusal
from tests.support.isolation.policies import PUBLIC
from tests.support.worlds.world import READ, caller

VALIDATION = "action_request_validation_exception"
NULL_LIST = "Validation Failed: 1: tools list can not be null;"
ARGUMENT = "illegal_argument_exception"
FOUND_ARRAY = "Failed to parse object: expecting token of type [START_OBJECT] but found [START_ARRAY]"
LIST = {"type": "ListIndexTool"}
REGISTER: Mapping[str, tuple[object, int, str, str]] = {
    "no tools": ({}, 400, VALIDATION, NULL_LIST),
    "empty tools": ({"tools": []}, 400, VALIDATION, NULL_LIST),
    "array": ([], 400, "parsing_exception", FOUND_ARRAY),
    "tools no array": ({"tools": {}}, 400, "parsing_exception", "Failed to parse object: expecting token of type"),
    "element no object": ({"tools": [[]]}, 400, "parsing_exception", FOUND_ARRAY),
    "no type": ({"tools": [LIST, {"name": "a"}]}, 400, ARGUMENT, "type field required"),
    "unknown type": (
        {"tools": [LIST, {"type": "RAGTool"}]},
        400,
        VALIDATION,
        "Validation Failed: 1: Unrecognized tool in request;",
    ),
    "twice": ({"tools": [LIST, LIST]}, 400, VALIDATION, "Validation Failed: 1: duplicate tool name: ListIndexTool"),
    "schema a text": (
        {"tools": [{**LIST, "attributes": {"input_schema": "{}"}}]},
        500,
        "exception",
        "Failed to persist 1 mcp tool(s) into system index",
    ),
    "empty name": ({"tools": [{**LIST, "name": ""}]}, 500, "exception", "Failed to persist 1 mcp tool(s)"),
    "name null": (
        {"tools": [{**LIST, "name": None}]},
        500,
        "illegal_state_exception",
        "Can't get text on a VALUE_NULL",
    ),
    "type null": ({"tools": [{"type": None}]}, 500, "illegal_state_exception", "Can't get text on a VALUE_NULL"),
    "empty body": (b"", 400, "parse_exception", "request body is required"),
    "bad json": (b"{", 400, "json_parse_exception", ""),
    "long name": ({"tools": [{**LIST, "name": "x" * 200}]}, 400, ARGUMENT, "The name of a tool can have at most"),
    "too many": (
        {"tools": [{**LIST, "name": str(number)} for number in range(MAX_REGISTERED_TOOLS + 1)]},
        400,
        ARGUMENT,
        "A tenant can have at most",
    ),
    "too large": ({"tools": [{**LIST, "description": "x" * 70_000}]}, 400, ARGUMENT, "The definition has"),
    "wrong filter": (
        {"tools": [{"type": "SearchIndexTool", "parameters": {"filter": {"nosuch": {}}}}]},
        400,
        "parsing_exception",
        "unknown query [nosuch]",
    ),
    "filter with words": (
        {"tools": [{"type": "SearchIndexTool", "parameters": {"filter": {"match": {"content": "a"}}}}]},
        400,
        ARGUMENT,
        "[a text in parameters.filter] is not supported here",
    ),
    "empty index": ({"tools": [{**LIST, "parameters": {"index": ""}}]}, 400, ARGUMENT, "parameters.index is empty"),
    "wrong k": ({"tools": [{"type": "VectorDBTool", "parameters": {"k": "x"}}]}, 400, ARGUMENT, "parameters.k is"),
}


@pytest.mark.parametrize("case", REGISTER)
def test_a_wrong_registration_stores_nothing(node: Node, case: str) -> None:
    body, status, kind, words = REGISTER[case]
    got_status, got_kind, reason = refusal_of(node, "_register", body)
    assert (got_status, got_kind) == (status, kind), reason
    assert reason.startswith(words)
    assert node.administer("GET", f"{TOOLS}/_list").payload == {"tools": []}
    assert node.listed() == ["ListIndexTool"]


def refusal_of(node: Node, operation: str, body: object) -> tuple[int, str, str]:
    return refusal(node.administer("POST", f"{TOOLS}/{operation}", body))


def stored(node: Node) -> list[dict[str, Any]]:
    return node.administer("GET", f"{TOOLS}/_list").payload["tools"]


def test_the_default_tool_is_there_until_the_first_registration_which_may_have_its_name(node: Node) -> None:
    assert node.listed() == ["ListIndexTool"]
    node.register({"type": "ListIndexTool", "unknown": 1})
    assert node.listed() == ["ListIndexTool"]
    taken = (400, ARGUMENT, "Unable to register tool: a tool with the same name already exists.")
    assert refusal_of(node, "_register", {"tools": [{"type": "CountTool"}, LIST]}) == taken
    assert node.listed() == ["ListIndexTool"]
    assert node.administer("POST", f"{TOOLS}/_remove", ["ListIndexTool"]).status == 200
    assert (node.listed(), stored(node)) == ([], [])


def test_the_list_has_what_was_given_and_tools_list_fills_in_the_rest(node: Node) -> None:
    schema = {"properties": {"index": {"type": "string"}}}
    node.register({"type": "SearchIndexTool", "name": 5, "description": "Mine."}, {"type": "CountTool"})
    node.register({"type": "ListIndexTool", "name": "Z", "attributes": {"input_schema": schema, "strict": False}})
    first, second, third = stored(node)
    assert first.keys() == {"type", "name", "description", "create_time"}
    assert (first["name"], second.keys()) == ("5", {"type", "name", "create_time"})
    assert third["attributes"] == {"input_schema": schema, "strict": False}
    tools = node.ask("tools/list", {})["result"]["tools"]
    assert [tool["name"] for tool in tools] == ["5", "CountTool", "Z"]
    assert all(tool.keys() == {"name", "description", "inputSchema"} for tool in tools)
    assert all(tool["inputSchema"]["type"] == "object" for tool in tools)
    assert tools[0]["description"] == "Mine."
    assert tools[2]["inputSchema"] == {**schema, "type": "object"}


def test_an_update_merges_ignores_the_type_and_moves_the_tool_to_the_end(node: Node) -> None:
    node.register({"type": "SearchIndexTool", "name": "A", "parameters": {"index": "handbook", "x": 1}}, LIST)
    change = {"name": "A", "type": "PPLTool", "description": "New.", "parameters": {"x": 2}}
    answer = node.administer("POST", f"{TOOLS}/_update", {"tools": [change]})
    assert list(answer.payload.values()) == [{"updated": True}]
    assert node.listed() == ["ListIndexTool", "A"]
    changed = stored(node)[1]
    assert (changed["type"], changed["description"]) == ("SearchIndexTool", "New.")
    assert changed["parameters"] == {"index": "handbook", "x": 2}
    assert changed["last_update_time"] >= changed["create_time"]


UPDATE: Mapping[str, tuple[object, int, str]] = {
    "no name": ({"tools": [{"description": "x"}]}, 400, "name field required"),
    "none known": (
        {"tools": [{"name": "x"}]},
        500,
        "Failed to update tools as none of them is found in index",
    ),
    "one unknown": (
        {"tools": [{"name": "A", "description": "x"}, {"name": "x"}]},
        500,
        "Failed to find one or more requested tools in system index",
    ),
    "bare tool": ({"name": "A", "type": "PPLTool"}, 400, NULL_LIST),
    "description null": ({"tools": [{"name": "A", "description": None}]}, 500, "Can't get text on a VALUE_NULL"),
}
REMOVE: Mapping[str, tuple[object, int, str]] = {
    "empty": ([], 400, NULL_LIST),
    "object": ({}, 400, "Failed to parse object: expecting token of type [START_ARRAY] but found [START_OBJECT]"),
    "none known": (["x"], 500, "Unable to remove tools as no tool in the request found in system index"),
    "one unknown": (["A", "x"], 500, "Unable to remove tools as these tools: [x] are not found in system index"),
    "twice": (["A", "A"], 500, "Unable to remove tools as these tools: [A] are not found in system index"),
}


@pytest.mark.parametrize(("operation", "cases"), [("_update", UPDATE), ("_remove", REMOVE)])
def test_a_wrong_change_changes_nothing(
    node: Node, operation: str, cases: Mapping[str, tuple[object, int, str]]
) -> None:
    node.register({"type": "CountTool", "name": "A"}, {"type": "CountTool", "name": "B"})
    before = stored(node)
    for body, status, words in cases.values():
        got, _, reason = refusal_of(node, operation, body)
        assert (got, reason[: len(words)]) == (status, words)
    assert stored(node) == before


def test_names_with_a_comma_between_them_are_removed_both(node: Node) -> None:
    node.register(*({"type": "CountTool", "name": name} for name in ("A", "B", "C, D")))
    answer = node.administer("POST", f"{TOOLS}/_remove", ["A, B"])
    assert list(answer.payload.values()) == [{"removed": True}]
    assert node.administer("POST", f"{TOOLS}/_remove", ["C, D"]).status == 200
    assert node.listed() == []


def test_another_method_is_405_and_names_the_right_one(node: Node) -> None:
    answer = node.administer("GET", f"{TOOLS}/_register")
    assert (answer.status, dict(answer.response.headers)["allow"]) == (405, "POST")


@pytest.mark.parametrize("operation", ["_list", "_register", "_update", "_remove"])
def test_an_administrator_of_some_collections_neither_sees_nor_changes_tools(node: Node, operation: str) -> None:
    node.register({"type": "SearchIndexTool", "name": "pay", "parameters": {"index": "layoffs-2027"}})
    before = stored(node)
    key = node.world.acting_key(node.tenant, scopes=READ | {Scope.ADMIN}, collections=frozenset({"handbook"}))
    bodies: dict[str, object] = {
        "_register": {"tools": [{"type": "ListIndexTool", "name": "other"}]},
        "_update": {"tools": [{"name": "pay", "parameters": {"index": "handbook"}}]},
        "_remove": ["pay"],
    }
    body = json.dumps(bodies[operation]).encode() if operation in bodies else b""
    method = "POST" if operation in bodies else "GET"

    answer = node.world.request(method, f"{TOOLS}/{operation}", {**JSON, **caller(key, "ana")}, body)

    assert refusal(answer)[:2] == (403, "security_exception")
    assert b"layoffs" not in answer.bytes
    assert stored(node) == before


@pytest.mark.parametrize("operation", ["_list", "_register", "_update", "_remove"])
def test_administration_needs_the_admin_scope(node: Node, operation: str) -> None:
    method = "GET" if operation == "_list" else "POST"
    answer = node.send(method, f"{TOOLS}/{operation}", {"tools": [LIST]})
    assert (answer.status, answer.payload["error"]["type"]) == (403, "security_exception")


def test_registrations_at_the_same_time_are_all_kept(node: Node) -> None:
    def add(name: str) -> None:
        # The adapter of the REST application runs on the loop of its thread.
        loop = asyncio.new_event_loop()
        asyncio.set_event_loop(loop)
        node.administer("POST", f"{TOOLS}/_register", {"tools": [{"type": "CountTool", "name": name}]})
        loop.close()

    threads = [threading.Thread(target=add, args=(f"T{number}",)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(node.listed()) == ["T0", "T1", "T2", "T3"]


def test_presets_only_narrow(node: Node) -> None:
    newer = json.dumps({"range": {"metadata.year": {"gte": 2024}}})
    node.register(
        {"type": "SearchIndexTool", "name": "new", "parameters": {"index": "handbook", "filter": newer}},
        {"type": "CountTool", "name": "all", "parameters": {"index": "handbook,closed"}},
        {"type": "CountTool", "name": "none", "parameters": {"index": ["closed"]}},
        {"type": "ListIndexTool", "name": "list", "parameters": {"index": "k*"}},
        {"type": "VectorDBTool", "name": "near", "parameters": {"index": "handbook", "k": "5", "doc_size": 1}},
    )
    text = node.tool("new", {"query": {}})
    assert len(text.splitlines()) == 2
    assert "Bread" not in text
    assert node.tool("new", {"index": "*", "query": {}}) == text
    assert node.failure("new", {"index": "kitchen", "query": {}}) == (-32603, "no such index [kitchen]")
    either = {"query": {"bool": {"should": [{"match_all": {}}, {"term": {"metadata.year": 2023}}]}}}
    assert "Bread" not in node.tool("new", {"query": either})
    assert node.tool("all", {}) == '{"count":3}'
    assert node.tool("none", {}) == '{"count":0}'
    assert "handbook" not in node.tool("list", {})
    assert len(node.tool("near", {"input": "wheel pump"}).splitlines()) == 1


def test_tools_of_one_tenant_do_not_exist_for_another(node: Node) -> None:
    node.register({"type": "CountTool", "name": "own"})
    other = node.world.tenant("brook")
    stranger = Node(node.world, other, node.world.acting_key(other), node.world.acting_key(other))
    assert stranger.listed() == ["ListIndexTool"]


def test_a_preset_filter_holds_for_a_field_that_nobody_had_when_the_fields_were_read(node: Node) -> None:
    excluded = {"bool": {"must_not": [{"term": {"metadata.flagged": "yes"}}]}}
    node.register({"type": "CountTool", "parameters": {"index": "kitchen", "filter": excluded}})
    assert node.tool("CountTool", {}) == '{"count":1}'
    node.add("cake", "Cake on Sunday.", PUBLIC, "kitchen", {"flagged": "yes"})
    assert node.tool("CountTool", {}) == '{"count":1}'


@pytest.mark.parametrize("k", ["000000100" + "9" * 5_000, "000000100999", "201", 0, True])
def test_a_number_of_a_preset_is_within_its_bound_however_it_is_written(node: Node, k: object) -> None:
    answer = node.administer(
        "POST", f"{TOOLS}/_register", {"tools": [{"type": "VectorDBTool", "parameters": {"k": k}}]}
    )
    assert refusal(answer)[:2] == (400, ARGUMENT)


def test_a_removal_names_thousands_of_tools_without_work_for_each_pair(node: Node) -> None:
    node.register(LIST)
    names = ",".join(str(number % 7) for number in range(100_000))
    assert refusal(node.administer("POST", f"{TOOLS}/_remove", ["ListIndexTool", names]))[0] == 500
    assert node.listed() == ["ListIndexTool"]
