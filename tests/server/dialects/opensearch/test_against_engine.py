"""REST answers beside those of a real node that holds the same documents, member by member."""

import json
import urllib.error
import urllib.request
import uuid
from collections.abc import Iterator, Mapping
from datetime import date
from typing import Any, NamedTuple

import pytest

from groundwire.domain.documents.metadata import Metadata
from tests.server.dialects.opensearch.node import Node
from tests.support.isolation.policies import PUBLIC, for_users
from tests.support.worlds.homes import fresh_home
from tests.support.worlds.world import World, open_world

Reply = tuple[int, str, str]
"""Status, content type and text of an answer."""
ARTICLES: Mapping[str, tuple[str, Metadata]] = {
    "pump": ("The wheel pump needs oil.\n\nThe pump stands in the cellar.", {"year": 2024.0, "open": True}),
    "bread": ("Bread is baked in the morning.", {"year": 2023.5, "topic": "food", "day": date(2025, 1, 1)}),
    "soup": ("Soup is served on Monday.", {"topic": "food", "tags": ("hot", "liquid"), "open": False}),
    "valve": ("A valve closes the pipe.", {"year": 2024.0, "topic": "parts", "day": date(2025, 6, 30), "open": True}),
    "empty": ("Nothing is said of it.", {"tags": ("hot",)}),
}
VALUES_THAT_DIFFER = frozenset(
    {
        *("took", "uuid", "index_uuid", "cluster_uuid", "creation_date", "node", "name", "cluster_name", "build_type"),
        *("build_hash", "build_date", "lucene_version", "store.size", "pri.store.size", "line", "col"),
        # The real node counts indexes and tasks of other tests.
        *("active_primary_shards", "active_shards", "number_of_pending_tasks", "task_max_waiting_in_queue_millis"),
        # Only the real node names classes and positions.
        "caused_by",
        "terminated_early",
    }
)


MISSING_VALUES = ("-Infinity", "Infinity", -(2**63), 2**63 - 1)
"""Sort values of documents without the field, which are null here."""
SCORES = frozenset({"_score", "max_score"})


class Pair(NamedTuple):
    """The dialect, and a real node with the same documents in an index of the same name."""

    node: Node
    name: str
    url: str

    def ours(self, method: str, path: str, body: object) -> Reply:
        answer = self.node.send(method, f"/opensearch{path.format(self.name)}", _sent(body, self.name))
        return answer.status, dict(answer.response.headers)["content-type"], answer.response.body.decode()

    def real(self, method: str, path: str, body: object) -> Reply:
        return _call(method, self.url + path.format(self.name), _sent(body, self.name))


@pytest.fixture(scope="module")
def pair(opensearch_url: str) -> Iterator[Pair]:
    index = f"beside{uuid.uuid4().hex[:12]}"
    with pytest.MonkeyPatch.context() as patch, fresh_home() as home, open_world(home, patch) as world:
        yield from _filled(world, index, opensearch_url)


def _filled(world: World, index: str, url: str) -> Iterator[Pair]:
    tenant = world.tenant("amber")
    key = world.acting_key(tenant)
    node = Node(world, tenant, key, key)
    for doc_id, (text, metadata) in ARTICLES.items():
        node.add(doc_id, text, PUBLIC, index, metadata)
    node.add("secret", "The wheel pump opens with a code.", for_users("ben"), index, {"hidden": "x"})
    found = Pair(node, index, url)
    properties = json.loads(found.ours("GET", "/{}/_mapping", None)[2])[index]["mappings"]["properties"]
    # Its library for vectors is not part of the distribution.
    del properties["content_vector"]
    settings = {"number_of_replicas": 0, "number_of_shards": 1}
    _call("PUT", f"{url}/{index}", json.dumps({"settings": settings, "mappings": {"properties": properties}}).encode())
    try:
        hits = json.loads(found.ours("GET", "/{}/_search?size=100", None)[2])["hits"]["hits"]
        lines = [[{"index": {"_id": hit["_id"]}}, hit["_source"]] for hit in hits]
        bulk = "".join(f"{json.dumps(line)}\n" for pair in lines for line in pair).encode()
        assert json.loads(_call("POST", f"{url}/{index}/_bulk?refresh=true", bulk)[2])["errors"] is False
        yield found
    finally:
        _call("DELETE", f"{url}/{index}", None)


def _sent(body: object, index: str) -> bytes | None:
    if body is None or isinstance(body, bytes):
        return None if body is None else body.replace(b"INDEX", index.encode())
    return json.dumps(body).encode()


def _call(method: str, url: str, body: bytes | None) -> Reply:
    headers = {"content-type": "application/json"}
    request = urllib.request.Request(url, data=body, method=method, headers=headers)
    try:
        with urllib.request.urlopen(request, timeout=60) as answer:
            return answer.status, answer.headers["content-type"], answer.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.headers["content-type"], error.read().decode()


def comparable(value: Any) -> Any:
    """The value without what must differ between two nodes; numbers are equal whether whole or not."""
    if isinstance(value, dict):
        kept = {name: comparable(each) for name, each in value.items() if name not in VALUES_THAT_DIFFER}
        # The score of a term is made of statistics there, and here 1.0 for all that a filter finds.
        return {name: bool(each) if name in SCORES else each for name, each in kept.items()}
    if isinstance(value, str) and value.startswith("Incorrect HTTP method"):
        # The real node has the methods in the order of a hash.
        return "".join(sorted(value))
    if value in MISSING_VALUES:
        return None
    return [comparable(each) for each in value] if isinstance(value, list) else value


def shape(value: Any) -> Any:
    """The members of a value and the types of what they hold."""
    if isinstance(value, dict):
        return {name: shape(each) for name, each in value.items() if name not in {"caused_by", "terminated_early"}}
    if isinstance(value, list):
        return [shape(each) for each in value[:1]]
    return "number" if isinstance(value, int | float) and not isinstance(value, bool) else type(value).__name__


TERM = {"query": {"term": {"metadata.topic": "food"}}}
SEARCHES: tuple[object, ...] = (
    None,
    {},
    TERM,
    {"query": {"match_all": {}}, "size": 2, "from": 3},
    {"query": {"match_none": {}}},
    {"query": {"terms": {"metadata.topic": ["food", "parts"]}}, "_source": ["title", "metadata.*"]},
    {"query": {"range": {"metadata.year": {"gte": 2023.5, "lt": 2024}}}, "_source": False},
    {"query": {"range": {"metadata.day": {"gte": "2025-01-01", "lte": "2025-03-01"}}}},
    {"query": {"exists": {"field": "metadata.tags"}}},
    {"query": {"prefix": {"metadata.topic": "fo"}}},
    {"query": {"term": {"metadata.open": True}}, "track_total_hits": False},
    {"query": {"term": {"metadata.tags": "hot"}}},
    {"query": {"term": {"metadata.nosuch": "hot"}}},
    {"query": {"bool": {"filter": [{"term": {"metadata.year": 2024}}], "must_not": [{"exists": {"field": "page"}}]}}},
    {"sort": [{"metadata.year": "desc"}, "source_file_name"], "_source": {"excludes": ["metadata", "content"]}},
    {"sort": [{"metadata.day": {"order": "asc", "missing": "_first"}}, {"metadata.topic": "asc"}], "_source": "title"},
    {"size": 0, "aggs": {"a": {"terms": {"field": "metadata.topic", "size": 1}}}},
    {"size": 0, "aggs": {"a": {"terms": {"field": "metadata.year"}}, "b": {"terms": {"field": "metadata.open"}}}},
    {"size": 0, "aggs": {"a": {"terms": {"field": "metadata.day"}}, "b": {"terms": {"field": "metadata.tags"}}}},
    {"size": 0, "aggs": {"a": {"terms": {"field": "metadata.nosuch"}}}, **TERM},
)


@pytest.mark.parametrize("number", range(len(SEARCHES)))
def test_a_search_by_exact_values_is_answered_as_the_engine_answers_it(pair: Pair, number: int) -> None:
    ours, real = (
        call("POST" if SEARCHES[number] else "GET", "/{}/_search", SEARCHES[number]) for call in (pair.ours, pair.real)
    )
    assert ours[:2] == real[:2]
    answer = json.loads(ours[2])
    assert comparable(answer) == _without_order(comparable(json.loads(real[2])), answer)


def _exclusions(ids: list[str]) -> dict[str, object]:
    return {
        "ids": {"ids": {"values": [ids[0], "none.0"]}},
        "terms and term": [{"terms": {"_id": ids[1:3]}}, {"term": {"_id": ids[0]}}],
        "should": {"bool": {"should": [{"term": {"_id": ids[3]}}, {"term": {"_id": ids[4]}}]}},
        "twice": {"bool": {"must_not": {"ids": {"values": ids[2:4]}}}},
        "beside values": [{"ids": {"values": ids[:2]}}, {"term": {"metadata.topic": "food"}}],
    }


@pytest.mark.parametrize("kind", ["ids", "terms and term", "should", "twice", "beside values"])
def test_documents_that_a_search_excludes_by_id_are_those_that_the_engine_excludes(pair: Pair, kind: str) -> None:
    every = json.loads(pair.ours("GET", "/{}/_search", None)[2])["hits"]["hits"]
    excluded = _exclusions([hit["_id"] for hit in every])[kind]
    query = {"bool": {"must": {"match_all": {}}, "must_not": excluded}}
    ours, real = (
        [json.loads(call("POST", f"/{{}}/{path}", {"query": query})[2]) for path in ("_search", "_count")]
        for call in (pair.ours, pair.real)
    )
    assert 0 < ours[1]["count"] == real[1]["count"] < len(every)
    assert comparable(ours[0]) == _without_order(comparable(real[0]), ours[0])


def _without_order(real: Any, ours: Any) -> Any:
    """The real answer with its hits in our order where neither has a sort: an engine promises none."""
    if any("sort" in hit for hit in real["hits"]["hits"]):
        return real
    place = {hit["_id"]: at for at, hit in enumerate(ours["hits"]["hits"])}
    hits: list[dict[str, Any]] = real["hits"]["hits"]
    return {**real, "hits": {**real["hits"], "hits": sorted(hits, key=lambda hit: place.get(hit["_id"], -1))}}


SAME = (
    ("GET", "/{}/_count", None),
    ("POST", "/{}/_count", TERM),
    ("GET", "/{}/_search?size=0&typed_keys=true", {"aggs": {"a": {"terms": {"field": "metadata.open"}}}}),
    ("GET", "/{}/_search?_source_includes=title&size=1&sort=source_file_name:desc", None),
    ("GET", "/{}/_search?track_total_hits=false&size=0", None),
    ("GET", "/nosuch*/_search", None),
    ("GET", "/nosuch*/_count", None),
    ("GET", "/nosuch/_search?ignore_unavailable=true", None),
    ("GET", "/_resolve/index/{}", None),
    ("GET", "/_resolve/index/nosuch", None),
    ("GET", "/_cat/indices/{}?format=json", None),
    ("GET", "/_cat/indices/nosuch*?format=json", None),
    ("GET", "/_cluster/health/{}", None),
    ("GET", "/_cluster/health/nosuch?timeout=1ms", None),
    ("GET", "/nosuch*", None),
    ("GET", "/nosuch", None),
    ("GET", "/nosuch/_mapping", None),
    ("GET", "/nosuch/_search", None),
    ("GET", "/nosuch/_count", None),
    ("GET", "/_cat/indices/nosuch?format=json", None),
    ("GET", "/_cat/shards/nosuch?format=json", None),
    ("GET", "/_msearch", b'{"index":"INDEX"}\n{"size":0}\n{"index":"nosuch"}\n{}\n'),
    ("GET", "/{}/_msearch", b'{}\n{"size":0}\n{}\n{"sort":"nosuch"}\n'),
    ("POST", "/_msearch", b'{"index":"INDEX"}\n{"size":0}'),
    ("POST", "/_msearch", b'{"index":"INDEX"}\n'),
    ("POST", "/_msearch", b'{"foo":1}\n{}\n'),
    ("POST", "/_msearch", b'{"index":"INDEX"}\n{"query":{"nosuch":{}}}\n'),
    ("POST", "/{}/_search", {"query": {"nosuch": {}}}),
    ("POST", "/{}/_search", {"foo": 1}),
    ("POST", "/{}/_search", {"size": -1}),
    ("POST", "/{}/_search", {"sort": "nosuch"}),
    ("POST", "/{}/_count", {"size": 1}),
    ("GET", "/{}/_search?foo=1", None),
    ("GET", "/{}/_count?foo=1", None),
    ("GET", "/_foo", None),
    ("GET", "/_foo/bar", None),
    ("GET", "/{}/_foo", None),
    ("POST", "/_cat/indices", None),
    ("PUT", "/{}/_search", {}),
    ("DELETE", "/_count", None),
    ("POST", "/_cluster/health", None),
)


@pytest.mark.parametrize("number", range(len(SAME)))
def test_a_route_is_answered_as_the_engine_answers_it(pair: Pair, number: int) -> None:
    ours, real = (call(*SAME[number]) for call in (pair.ours, pair.real))
    assert ours[:2] == real[:2]
    assert comparable(json.loads(ours[2])) == comparable(json.loads(real[2]))


SHAPED = (
    ("GET", "/", None),
    ("GET", "/{}", None),
    ("GET", "/{}/_mapping", None),
    ("POST", "/{}/_search", {"query": {"match": {"content": "pump"}}}),
    ("POST", "/{}/_search", {"query": {"multi_match": {"query": "pump", "fields": ["title", "content"]}}, "size": 1}),
    ("POST", "/{}/_search", {"query": {"match_phrase": {"content": "wheel pump"}}, "sort": ["source_file_name"]}),
    ("POST", "/{}/_search", {"sort": "content"}),
    ("POST", "/{}/_search", {"size": 20_000}),
    ("POST", "/{}/_search", {"query": {}}),
    ("POST", "/{}/_search", {"query": {"bool": {"foo": []}}}),
    ("POST", "/{}/_search", {"query": {"match": {"title": "a", "content": "b"}}}),
    ("GET", "/{}/_search?size=x", None),
    ("POST", "/{}/_search", b"{"),
)


@pytest.mark.parametrize("number", range(len(SHAPED)))
def test_an_answer_with_values_of_its_own_has_the_members_of_the_engines(pair: Pair, number: int) -> None:
    ours, real = (call(*SHAPED[number]) for call in (pair.ours, pair.real))
    assert ours[:2] == real[:2]
    found = shape(json.loads(ours[2]))
    _drop_vectors(found)
    assert found == shape(json.loads(real[2]))


def _drop_vectors(found: Any) -> None:
    for described in found.values():
        if isinstance(described, dict) and "mappings" in described:
            described["mappings"]["properties"].pop("content_vector", None)


TABLES = ("/_cat/indices/{}", "/_cat/indices/{}?v", "/_cat/indices/{}?v&h=index,docs.count", "/_cat/indices/nosuch*")


@pytest.mark.parametrize("path", TABLES)
def test_a_table_has_the_columns_of_the_engines(pair: Pair, path: str) -> None:
    ours, real = (call("GET", path, None) for call in (pair.ours, pair.real))
    assert ours[:2] == real[:2]
    assert len(ours[2].splitlines()) == len(real[2].splitlines())
    if "v" in path.partition("?")[2]:
        assert ours[2].split("\n")[0].split() == real[2].split("\n")[0].split()
