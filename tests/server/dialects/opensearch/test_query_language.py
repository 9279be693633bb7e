"""Query language of the dialect: the rules of the engine on exact values, and refusals that name their cause."""

from datetime import date
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from groundwire.dialects.opensearch.errors import OpenSearchError
from groundwire.dialects.opensearch.query.fields import IndexFields
from groundwire.dialects.opensearch.query.parser import QueryParser
from groundwire.dialects.opensearch.query.search.search_body import parse_search_body
from groundwire.domain.documents.segment import Segment
from groundwire.domain.filters.expression import matches
from groundwire.domain.filters.field_types import field_types
from tests.server.dialects.opensearch.query_evaluator import milliseconds, passes
from tests.support.plugins.draws import examples

_TOPICS = ("pump", "valve", "Pump", "pipe line", "")
_DAYS = (date(2024, 12, 31), date(2025, 1, 1), date(2025, 6, 30))
_NUMBERS = (0, 1, 2, 2.5, 10, -3)

_DOCUMENTS = st.fixed_dictionaries(
    {},
    optional={
        "topic": st.sampled_from(_TOPICS),
        "year": st.sampled_from(_NUMBERS),
        "day": st.sampled_from(_DAYS),
        "open": st.booleans(),
        "tags": st.lists(st.sampled_from(_TOPICS), max_size=3, unique=True).map(tuple),
        "marks": st.lists(st.sampled_from(_NUMBERS), max_size=3, unique=True).map(tuple),
    },
)
_LITERALS: dict[str, st.SearchStrategy[Any]] = {
    "metadata.topic": st.sampled_from(_TOPICS),
    "metadata.topic.keyword": st.sampled_from(_TOPICS),
    "metadata.year": st.sampled_from((*_NUMBERS, "2", "2.5", "10")),
    "metadata.day": st.sampled_from(
        [*(each.isoformat() for each in _DAYS), *map(milliseconds, _DAYS), *(str(milliseconds(each)) for each in _DAYS)]
    ),
    "metadata.open": st.sampled_from([True, False, "true", "false"]),
    "metadata.tags": st.sampled_from(_TOPICS),
    "metadata.marks": st.sampled_from((*_NUMBERS, "1")),
    "metadata.unknown": st.sampled_from(["x", 1]),
}
_ORDERED = ("metadata.year", "metadata.day", "metadata.marks")


def _on_field(kind: str) -> st.SearchStrategy[dict[str, Any]]:
    return st.sampled_from(sorted(_LITERALS)).flatmap(
        lambda field: _LITERALS[field].map(lambda literal: {kind: {field: literal}})
    )


def _terms() -> st.SearchStrategy[dict[str, Any]]:
    return st.sampled_from(sorted(_LITERALS)).flatmap(
        lambda field: st.lists(_LITERALS[field], max_size=3).map(lambda found: {"terms": {field: found}})
    )


def _ranges() -> st.SearchStrategy[dict[str, Any]]:
    return st.sampled_from(_ORDERED).flatmap(
        lambda field: st.dictionaries(
            st.sampled_from(["gt", "gte", "lt", "lte"]), _LITERALS[field], min_size=1, max_size=2
        ).map(lambda bounds: {"range": {field: bounds}})
    )


_LEAVES = st.one_of(
    st.just({"match_all": {}}),
    st.just({"match_none": {}}),
    _on_field("term"),
    _on_field("match"),
    _terms(),
    _ranges(),
    st.sampled_from(sorted(_LITERALS)).map(lambda field: {"exists": {"field": field.removesuffix(".keyword")}}),
    st.sampled_from(["metadata.topic", "metadata.tags"]).flatmap(
        lambda field: st.sampled_from(["p", "pump", "P", ""]).map(lambda start: {"prefix": {field: start}})
    ),
)


def _bool(parts: st.SearchStrategy[dict[str, Any]]) -> st.SearchStrategy[dict[str, Any]]:
    members = st.fixed_dictionaries(
        {},
        optional={name: st.lists(parts, min_size=1, max_size=2) for name in ("must", "filter", "should", "must_not")},
    )
    return st.tuples(members, st.sampled_from([None, 0, 1])).map(
        lambda pair: {"bool": pair[0] if pair[1] is None else {**pair[0], "minimum_should_match": pair[1]}}
    )


_QUERIES = st.recursive(_LEAVES, _bool, max_leaves=8)


@settings(max_examples=examples(300), suppress_health_check=[HealthCheck.too_slow])
@given(documents=st.lists(_DOCUMENTS, min_size=6, max_size=6), query=_QUERIES)
def test_a_query_on_exact_values_passes_the_documents_that_the_engine_would(
    documents: list[dict[str, Any]], query: dict[str, Any]
) -> None:
    known = field_types([*documents, _EVERY_FIELD])
    parsed = QueryParser(IndexFields(known)).parse(query)
    assert parsed.is_filter
    for document in documents:
        assert (parsed.where is None or matches(parsed.where, document)) is passes(query, document)


_EVERY_FIELD: dict[str, Any] = {
    "topic": "pump",
    "year": 1,
    "day": _DAYS[0],
    "open": True,
    "tags": ("pump",),
    "marks": (1,),
}
_FIELDS = IndexFields(field_types([_EVERY_FIELD]))


def _parse(query: object) -> Any:
    return QueryParser(_FIELDS).parse(query)


@pytest.mark.parametrize(
    ("query", "reason"),
    [
        ({"nosuch": {}}, "unknown query [nosuch]"),
        ({}, "query malformed, empty clause found"),
        ({"script": {"script": "true"}}, "[script] is not supported here"),
        ({"query_string": {"query": "a"}}, "[query_string] is not supported here"),
        ({"wildcard": {"metadata.topic": "p*"}}, "[wildcard] is not supported here"),
        ({"match": {"content": {"query": "a", "foo": 1}}}, "[match] query does not support [foo]"),
        ({"match": {"content": {"query": "a", "fuzziness": 2}}}, "[match.fuzziness] is not supported here"),
        ({"match": {"a": "x", "c": "y"}}, "[match] query doesn't support multiple fields, found [a] and [c]"),
        ({"bool": {"foo": []}}, "[bool] unknown field [foo]"),
        ({"term": {"content": "a"}}, "[term on content] is not supported here"),
        ({"term": {"url": "a"}}, "Cannot search on field [url]"),
        ({"term": {"metadata.year": "many"}}, 'For input string: "many"'),
        ({"range": {"metadata.day": {"gte": "now-1d"}}}, "[date math] is not supported here"),
        ({"range": {"metadata.day": {"gte": "soon"}}}, "failed to parse date field [soon]"),
        ({"range": {"metadata.day": {"gte": "2025-01-01", "time_zone": "+01:00"}}}, "[range.time_zone]"),
        ({"knn": {"content_vector": {"vector": [0.5], "k": 1, "min_score": 0.5}}}, "[knn.min_score]"),
        ({"knn": {"content_vector": {"vector": [], "k": 1}}}, "[knn] requires a vector"),
        ({"knn": {"content_vector": {"vector": "rain", "k": 1}}}, "words go into [neural] with query_text"),
        ({"knn": {"content_vector": {"vector": [1.0]}}}, "[knn] requires k"),
        ({"bool": {"must_not": {"match": {"content": "a"}}}}, "[must_not with a text of content]"),
        ({"bool": {"should": [{"match": {"content": "a"}}, {"term": {"metadata.open": True}}]}}, "[should with texts"),
        (
            {"bool": {"must_not": {"bool": {"must": [{"term": {"_id": "a.0"}}, {"term": {"metadata.open": True}}]}}}},
            "[must_not with ids and exact values in one clause]",
        ),
        ({"terms": {"metadata.topic": {"index": "other"}}}, "[terms lookup] is not supported here"),
        ({"match": 5}, "[match] query malformed"),
        ([], "[query] query malformed"),
    ],
)
def test_what_is_wrong_or_not_served_is_an_error_that_names_it(query: object, reason: str) -> None:
    with pytest.raises(OpenSearchError) as caught:
        _parse(query)
    assert reason in str(caught.value)
    assert caught.value.status == 400


def _nested(depth: int) -> dict[str, Any]:
    query: dict[str, Any] = {"match_all": {}}
    for _ in range(depth):
        query = {"bool": {"must": [query]}}
    return query


def test_a_query_has_at_most_fifty_clauses_and_eight_levels() -> None:
    assert _parse({"bool": {"must": [{"match_all": {}}] * 49}}).is_filter
    with pytest.raises(OpenSearchError, match="maxClauseCount is set to 50"):
        _parse({"bool": {"must": [{"match_all": {}}] * 50}})
    assert _parse(_nested(8)).is_filter
    with pytest.raises(OpenSearchError, match="nested depth"):
        _parse(_nested(9))


def test_a_point_in_time_is_compared_with_the_beginning_of_a_stored_day() -> None:
    noon = {"range": {"metadata.day": {"gte": "2025-01-01T12:00:00Z"}}}
    midnight = {"range": {"metadata.day": {"gte": "2025-01-01T01:00:00+01:00"}}}
    assert not matches(_parse(noon).where, {"day": date(2025, 1, 1)})
    assert matches(_parse(noon).where, {"day": date(2025, 1, 2)})
    assert matches(_parse(midnight).where, {"day": date(2025, 1, 1)})


def test_one_item_of_a_list_must_be_within_both_bounds() -> None:
    within = _parse({"range": {"metadata.marks": {"gt": 2, "lte": 5}}}).where
    assert not matches(within, {"marks": (1, 9)})
    assert matches(within, {"marks": (1, 4, 9)})


def _segment(text: str, title: str = "") -> Segment:
    return Segment("d.1", "d", 1, "c", 0, text, (), None, None, "", "", title=title)


@pytest.mark.parametrize(
    ("query", "text", "found"),
    [
        ({"match_phrase": {"content": "wheel pump"}}, "The Wheel pump leaks.", True),
        ({"match_phrase": {"content": "wheel pump"}}, "The pump has a wheel.", False),
        ({"match_phrase": {"content": {"query": "wheel leaks", "slop": 1}}}, "The wheel pump leaks.", True),
        ({"match": {"content": {"query": "wheel leaks", "operator": "and"}}}, "The wheel pump leaks.", True),
        ({"match": {"content": {"query": "wheel rust", "operator": "and"}}}, "The wheel pump leaks.", False),
        ({"multi_match": {"query": "pump leaks", "type": "phrase"}}, "The wheel pump leaks.", True),
        ({"multi_match": {"query": "wheel leaks", "type": "phrase"}}, "The wheel pump leaks.", False),
        ({"multi_match": {"query": "wheel leaks", "type": "phrase", "slop": 1}}, "The wheel pump leaks.", True),
    ],
)
def test_phrases_and_all_words_are_checked_on_the_stored_text(query: dict[str, Any], text: str, *, found: bool) -> None:
    parsed = _parse(query)
    assert parsed.check is not None
    assert parsed.check(_segment(text)) is found


def test_the_slop_of_a_search_without_a_phrase_has_no_effect() -> None:
    assert _parse({"multi_match": {"query": "wheel mill", "slop": 1}}).check is None


def test_of_alternative_phrases_one_must_be_in_the_text() -> None:
    parsed = _parse({"bool": {"should": [{"match_phrase": {"content": "a b"}}, {"match_phrase": {"content": "c d"}}]}})
    assert [each.text for each in parsed.texts] == ["a b", "c d"]
    assert parsed.check(_segment("x c d"))
    assert not parsed.check(_segment("a c b d"))


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ({"size": -1}, "[size] parameter cannot be negative, found [-1]"),
        ({"from": 995, "size": 10}, "Result window is too large"),
        ({"foo": 1}, "Unknown key for a VALUE_NUMBER in [foo]."),
        ({"match": {"content": "a"}}, "Unknown key for a START_OBJECT in [match]."),
        *(({member: {}}, f"[{member}] is not supported here") for member in ("fields", "collapse", "pit")),
        *(
            ({member: 1}, f"[{member}] is not supported here")
            for member in ("min_score", "post_filter", "search_after")
        ),
        ({"sort": "metadata.nosuch"}, "No mapping found for [metadata.nosuch] in order to sort on"),
        ({"sort": "content"}, "have no order: [content]"),
        (
            {"sort": [{"_script": {"type": "number", "script": {"source": "1"}}}]},
            "[sort by _script] is not supported here",
        ),
        ({"sort": [{"metadata.year": {"order": "asc", "mode": "avg"}}]}, "[sort.mode] is not supported here"),
        ({"aggs": {"a": {"avg": {"field": "metadata.year"}}}}, "[aggregation avg] is not supported here"),
        ({"aggs": {"a": {"terms": {"field": "metadata.topic", "size": 21}}}}, "[size] must be from 1 to 20"),
        ({"aggs": {"a": {"terms": {"field": "content"}}}}, "have no buckets: [content]"),
        ({"_source": 5}, "[_source] takes"),
    ],
)
def test_a_search_names_the_member_that_is_wrong_or_not_served(body: dict[str, Any], reason: str) -> None:
    with pytest.raises(OpenSearchError) as caught:
        parse_search_body(body, _FIELDS)
    assert reason in str(caught.value)
