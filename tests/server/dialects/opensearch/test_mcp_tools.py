"""Tools over indexes: the table of odd arguments, and the texts of answers."""

import json
from collections.abc import Mapping

import pytest

from tests.server.dialects.opensearch.node import Node

HEADER = (
    "row,health,status,index,uuid,pri(number of primary shards),rep(number of replica shards),docs.count(number of "
    "available documents),docs.deleted(number of deleted documents),store.size(store size of primary and replica "
    "shards),pri.store.size(store size of primary shards)"
)
LISTED: Mapping[str, tuple[object, list[str]]] = {
    "absent": ({}, ["handbook", "kitchen"]),
    "empty": ({"indices": []}, ["handbook", "kitchen"]),
    "empty as text": ({"indices": "[]"}, ["handbook", "kitchen"]),
    "all": ({"indices": ["_all"]}, ["handbook", "kitchen"]),
    "star": ({"indices": ["*"]}, ["handbook", "kitchen"]),
    "two": ({"indices": ["kitchen", "handbook"]}, ["kitchen", "handbook"]),
    "pattern": ({"indices": ["hand*"]}, ["handbook"]),
    "without one": ({"indices": ["*", "-kitchen"]}, ["handbook"]),
    "as text": ({"indices": '["kitchen"]'}, ["kitchen"]),
    "packed": ({"input": '{"indices":["kitchen"]}'}, ["kitchen"]),
    "more": ({"indices": ["kitchen"], "local": True, "page_size": 3, "nothing": {}}, ["kitchen"]),
}
SEARCHING = ({"type": "SearchIndexTool"}, {"type": "IndexMappingTool"}, {"type": "CountTool"}, {"type": "VectorDBTool"})


@pytest.fixture
def tools(node: Node) -> Node:
    node.register({"type": "ListIndexTool"}, *SEARCHING)
    return node


def rows(text: str) -> list[list[str]]:
    first, *others = text.removesuffix("\n").split("\n")
    assert first == HEADER
    return [line.split(",") for line in others]


@pytest.mark.parametrize("case", LISTED)
def test_list_index_returns_the_requested_indexes(node: Node, case: str) -> None:
    arguments, names = LISTED[case]
    listed = rows(node.tool("ListIndexTool", arguments))
    assert [row[3] for row in listed] == names
    assert [row[0] for row in listed] == [str(number) for number in range(1, len(names) + 1)]
    assert all(len(row[4]) == 22 and row[9:] == ["null", "null"] for row in listed)


@pytest.mark.parametrize("name", ["nosuch", "closed", "handbook,kitchen", "Hand Book", ".plugins-ml-config"])
def test_an_unknown_and_a_hidden_index_get_the_same_error(node: Node, name: str) -> None:
    assert node.failure("ListIndexTool", {"indices": [name]}) == (-32603, f"no such index [{name}]")


def test_a_pattern_without_an_index_is_no_error(node: Node) -> None:
    text = 'There were no results searching the indices parameter [["nosuch*"]].'
    assert node.tool("ListIndexTool", {"indices": ["nosuch*"]}) == text


@pytest.mark.parametrize(("given", "found"), [("a", "STRING"), (5, "NUMBER"), ({}, "BEGIN_OBJECT")])
def test_indices_of_another_type_are_an_error(node: Node, given: object, found: str) -> None:
    code, text = node.failure("ListIndexTool", {"indices": given})
    assert (code, text.startswith(f"Expected BEGIN_ARRAY but was {found} at line 1")) == (-32603, True)


def test_mappings_are_printed_as_java_prints_maps(tools: Node) -> None:
    text = tools.tool("IndexMappingTool", {"index": ["handbook"]})
    assert text.startswith("index: handbook\n\nmappings:\nproperties={content={type=text}, content_vector={")
    assert "metadata={properties={year={type=" in text
    assert "hidden" not in text
    assert "\n\n\nsettings:\nindex." in text
    assert "\nindex.number_of_replicas=0\nindex.number_of_shards=1\nindex.provided_name=handbook\n" in text
    assert text.endswith("\n\n\n")
    assert tools.tool("IndexMappingTool", {"index": "handbook"}) == text


@pytest.mark.parametrize(("arguments", "shown"), [({"index": ["no*"]}, '["no*"]'), ({"index": []}, "[]"), ({}, "null")])
def test_mappings_of_nothing_are_no_error(tools: Node, arguments: object, shown: str) -> None:
    assert tools.tool("IndexMappingTool", arguments) == (
        f"There were no results searching the index parameter [{shown}]."
    )
    assert tools.failure("IndexMappingTool", {"index": ["closed"]}) == (-32603, "no such index [closed]")


def found(text: str) -> list[dict[str, object]]:
    return [json.loads(line) for line in text.splitlines()]


@pytest.mark.parametrize("as_text", [False, True])
def test_a_search_returns_a_line_of_json_for_each_hit(tools: Node, *, as_text: bool) -> None:
    query: object = {"query": {"match": {"content": "wheel pump"}}}
    text = tools.tool("SearchIndexTool", {"index": "handbook", "query": json.dumps(query) if as_text else query})
    hits = found(text)
    assert hits
    assert {hit["_index"] for hit in hits} == {"handbook"}
    assert "The wheel pump needs oil." in text
    assert "code" not in text
    assert all(hit.keys() == {"_index", "_source", "_id", "_score"} for hit in hits)


def test_an_empty_query_is_every_passage_and_a_sort_has_no_score(tools: Node) -> None:
    assert len(found(tools.tool("SearchIndexTool", {"index": "handbook", "query": {}}))) == 3
    query = {"query": {"match_all": {}}, "sort": [{"metadata.year": "desc"}], "_source": False}
    hits = found(tools.tool("SearchIndexTool", {"index": "handbook", "query": query}))
    assert [hit["_score"] for hit in hits] == [None] * 3
    assert all("_source" not in hit for hit in hits)


def test_a_search_without_a_hit_is_an_empty_text(tools: Node) -> None:
    assert tools.tool("SearchIndexTool", {"index": "nosuch*", "query": {}}) == ""
    nothing = {"query": {"term": {"metadata.year": 1999}}}
    assert tools.tool("SearchIndexTool", {"index": "handbook", "query": nothing}) == ""


REQUIRED = "SearchIndexTool's two parameters: index and query are required and should be in valid format"
WRONG: Mapping[str, tuple[object, str]] = {
    "array": ({"index": ["handbook"], "query": {}}, 'no such index [["handbook"]]'),
    "comma": ({"index": "handbook,kitchen", "query": {}}, "no such index [handbook,kitchen]"),
    "closed": ({"index": "closed", "query": {}}, "no such index [closed]"),
    "no index": ({"query": {}}, REQUIRED),
    "empty index": ({"index": "", "query": {}}, REQUIRED),
    "no query": ({"index": "handbook"}, REQUIRED),
    "unwrapped": (
        {"index": "handbook", "query": {"match": {"content": "a"}}},
        "Unknown key for a START_OBJECT in [match].",
    ),
    "unknown": ({"index": "handbook", "query": {"query": {"nosuch": {}}}}, "unknown query [nosuch]"),
    "size": ({"index": "handbook", "query": {"size": -1}}, "[size] parameter cannot be negative, found [-1]"),
    "twice": ({"index": "handbook", "query": '"{}"'}, "query must be a JSON object"),
    "script": ({"index": "handbook", "query": {"query": {"script": {}}}}, "[script] is not supported here"),
    "raw": ({"index": "handbook", "query": {}, "return_raw_response": True}, "[return_raw_response] is not supported"),
}


@pytest.mark.parametrize("case", WRONG)
def test_a_wrong_search_is_an_error_with_the_bare_reason(tools: Node, case: str) -> None:
    arguments, words = WRONG[case]
    code, text = tools.failure("SearchIndexTool", arguments)
    assert (code, text[: len(words)]) == (-32603, words)


def test_a_count_counts_what_the_user_may_read(tools: Node) -> None:
    assert tools.tool("CountTool", {"index": "handbook"}) == '{"count":3}'
    assert tools.tool("CountTool", {"index": "handbook"}, "ben") == '{"count":4}'
    query = {"query": {"term": {"metadata.year": 2023}}}
    assert tools.tool("CountTool", {"query": query}) == '{"count":1}'
    assert tools.failure("CountTool", {"index": "closed"}) == (-32603, "no such index [closed]")


def test_a_semantic_search_needs_a_text_and_finds_what_the_user_may_read(tools: Node) -> None:
    text = tools.tool("VectorDBTool", {"input": "wheel pump", "index": "handbook"})
    assert len(found(text)) == 2
    assert "code" not in text
    assert tools.failure("VectorDBTool", {}) == (-32603, "[input] is null or empty, can not process it.")
    assert tools.failure("VectorDBTool", {"input": "a", "index": "closed"}) == (-32603, "no such index [closed]")
