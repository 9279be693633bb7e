"""Texts find the same passages whatever part of them is shown, ordered or counted."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.dialects.opensearch.query.name_patterns import is_match
from tests.server.dialects.opensearch.node import Node, refusal
from tests.support.isolation.policies import PUBLIC
from tests.support.worlds.homes import fresh_home
from tests.support.worlds.world import World, open_world

YEARS = (2023, 2024, 2025)
EACH = 90
TEXT = {"match": {"content": "pump number"}}


@pytest.fixture(scope="module")
def node() -> Iterator[Node]:
    with pytest.MonkeyPatch.context() as patch, fresh_home() as home, open_world(home, patch) as world:
        yield filled(world)


def filled(world: World) -> Node:
    tenant = world.tenant("amber")
    key = world.acting_key(tenant)
    node = Node(world, tenant, key, key)
    for year in YEARS:
        paragraphs = (f"The pump of {year} has the number {number} and a code." for number in range(EACH))
        node.add(f"pumps-{year}", "\n\n".join(paragraphs), PUBLIC, metadata={"year": float(year)})
    return node


def found(node: Node, body: object, **parameters: object) -> dict[str, Any]:
    query = "&".join(f"{name}={value}" for name, value in parameters.items()).replace("start=", "from=")
    answer = node.send("POST", f"/opensearch/handbook/_search?{query}", body)
    assert answer.status == 200, answer.payload
    return answer.payload


def ids(answer: dict[str, Any]) -> list[str]:
    return [hit["_id"] for hit in answer["hits"]["hits"]]


def test_a_shorter_answer_is_the_beginning_of_the_longer_one(node: Node) -> None:
    longest = ids(found(node, {"query": TEXT}, size=200))
    assert len(set(longest)) == len(longest) == 200
    for size in (10, 50, 60, 110, 150):
        assert ids(found(node, {"query": TEXT}, size=size)) == longest[:size]


@pytest.mark.parametrize("sort", [[], [{"metadata.year": "desc"}, {"source_file_name": "asc"}]])
def test_pages_have_no_passage_twice(node: Node, sort: list[object]) -> None:
    pages = [ids(found(node, {"query": TEXT, "sort": sort}, size=50, start=start)) for start in range(0, 200, 50)]
    every = [each for page in pages for each in page]
    assert len(set(every)) == len(every) == 200
    assert every == ids(found(node, {"query": TEXT, "sort": sort}, size=200))


def test_an_order_is_that_of_all_passages(node: Node) -> None:
    sort = [{"metadata.year": "desc"}]
    first = found(node, {"query": TEXT, "sort": sort}, size=1)
    assert ids(first) == ids(found(node, {"query": TEXT, "sort": sort}, size=200))[:1]
    assert first["hits"]["max_score"] is None


def test_counts_of_values_and_totals_do_not_depend_on_the_size(node: Node) -> None:
    body = {"query": TEXT, "aggs": {"y": {"terms": {"field": "metadata.year"}}}}
    answers = [found(node, body, size=size) for size in (0, 60, 200)]
    assert answers[0]["aggregations"] == answers[1]["aggregations"] == answers[2]["aggregations"]
    assert {answer["hits"]["total"]["value"] for answer in answers} == {200}
    counted = node.send("POST", "/opensearch/handbook/_count", {"query": TEXT}).payload["count"]
    assert counted == 200


def test_a_phrase_and_an_id_are_looked_for_in_all_that_the_text_finds(node: Node) -> None:
    phrase = {"match_phrase": {"content": "pump of 2024"}}
    totals = [found(node, {"query": phrase}, size=size)["hits"]["total"] for size in (1, 200)]
    assert totals[0] == totals[1]
    [*_, last] = ids(found(node, {"query": TEXT}, size=200))
    narrowed = {"bool": {"must": [TEXT], "filter": [{"ids": {"values": [last]}}]}}
    assert ids(found(node, {"query": narrowed}, size=1)) == [last]


@pytest.mark.parametrize("kind", ["ids", "terms", "term"])
def test_passages_that_were_shown_are_left_out_by_their_ids_and_the_order_of_the_others_stays(
    node: Node, kind: str
) -> None:
    every = ids(found(node, {"query": TEXT}, size=40))
    shown = every[:1] if kind == "term" else every[:7]
    clause = {"ids": {"values": shown}} if kind == "ids" else {kind: {"_id": shown[0] if kind == "term" else shown}}
    query = {"bool": {"must": [TEXT], "must_not": [clause]}}
    assert ids(found(node, {"query": query}, size=40 - len(shown))) == every[len(shown) :]
    assert node.send("POST", "/opensearch/handbook/_count", {"query": query}).payload["count"] == 200 - len(shown)


def test_of_more_passages_than_are_listed_those_that_are_left_out_are_not_counted(node: Node) -> None:
    every = found(node, {"query": {"match_all": {}}}, size=10)
    total = node.send("POST", "/opensearch/handbook/_count", {"query": {"match_all": {}}}).payload["count"]
    query = {"bool": {"must_not": [{"ids": {"values": [*ids(every), "none.0"]}}]}}
    assert node.send("POST", "/opensearch/handbook/_count", {"query": query}).payload["count"] == total - 10
    rest = found(node, {"query": query}, size=200)
    assert not {*ids(every)} & {*ids(rest)}
    assert total - 11 <= rest["hits"]["total"]["value"] <= total - 10


def test_an_optional_text_only_changes_the_order_of_what_a_filter_finds(node: Node) -> None:
    filtered = {"term": {"metadata.year": 2024}}
    query = {"bool": {"filter": [filtered], "should": [{"match": {"content": "number 17"}}]}}
    answer = found(node, {"query": query}, size=200)
    assert answer["hits"]["total"] == {"value": EACH, "relation": "eq"}
    assert {*ids(answer)} == {*ids(found(node, {"query": filtered}, size=200))}
    assert "number 17 " in answer["hits"]["hits"][0]["_source"]["content"]
    assert node.send("POST", "/opensearch/handbook/_count", {"query": query}).payload["count"] == EACH


def test_the_best_score_is_that_of_all_hits_whatever_page_is_shown(node: Node) -> None:
    scores = [found(node, {"query": TEXT}, size=10, start=start)["hits"]["max_score"] for start in (0, 20)]
    assert scores[0] == scores[1] == found(node, {"query": TEXT}, size=10)["hits"]["hits"][0]["_score"]


@given(st.text("ab*", max_size=8), st.text("ab", max_size=8))
def test_a_star_means_any_characters_and_nothing_else_has_a_meaning(pattern: str, name: str) -> None:
    oracle = re.compile(".*".join(map(re.escape, pattern.split("*"))), re.DOTALL)
    assert is_match(pattern, name) is (oracle.fullmatch(name) is not None)


LONG = "*a" * 200
WRONG_SHAPES: tuple[object, ...] = (
    {"query": {"multi_match": {"query": "x", "type": ["a"]}}},
    {"query": {"multi_match": {"query": "x", "fields": [LONG]}}},
    {"query": {"multi_match": {"query": "x", "fields": ["a"] * 60}}},
    {"query": {"multi_match": {"query": "x", "fields": ["content", "metadata.year"]}}},
    {"query": {"range": {"metadata.year": {"gte": 1, "format": []}}}},
    {"query": {"exists": {"field": LONG}}},
    {"query": {"bool": {"minimum_should_match": {"a": 1}}}},
    {"query": {"bool": {"should": [TEXT], "minimum_should_match": "50%"}}},
    {"_source": [LONG]},
    {"_source": {"excludes": [LONG]}},
    {"size": "many"},
    {"track_total_hits": -5},
)


@pytest.mark.parametrize("body", WRONG_SHAPES)
def test_a_value_of_another_shape_or_length_is_an_error_that_names_it(node: Node, body: object) -> None:
    status, _, reason = refusal(node.send("POST", "/opensearch/handbook/_search", body))
    assert status == 400
    assert reason


def test_numbers_as_texts_and_orders_of_several_fields_are_read_as_the_engine_reads_them(node: Node) -> None:
    body = {"size": "3", "from": 1.0, "track_total_hits": "true", "sort": {"metadata.year": "DESC", "_doc": "asc"}}
    answer = found(node, body)
    assert len(answer["hits"]["hits"]) == 3
    assert answer["hits"]["total"]["value"] == EACH * len(YEARS)
