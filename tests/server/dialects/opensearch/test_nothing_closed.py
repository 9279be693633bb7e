"""Documents that a user may not read change no byte of any answer, in either engine."""

import json
import re
from collections.abc import Iterator, Sequence
from datetime import date
from typing import Any, Final

import pytest

from groundwire.domain.documents.metadata import Metadata
from tests.server.dialects.opensearch.node import MCP, Node, started_node
from tests.support.isolation.policies import PUBLIC, for_users
from tests.support.worlds.homes import fresh_home
from tests.support.worlds.on_opensearch import AFTER_ITS_TIME, Lagging, open_lagging_world
from tests.support.worlds.world import World, open_world

EMBEDDED: Final = "embedded"
MEMBERS_FOR_TIME: Final = (rb'"took":[0-9]+', rb"content-length: [0-9]+")
"""All that may differ between two equal answers: a time, and the length of its digits."""
COMMON: Final[Metadata] = {"year": 2024.0, "topic": "pumps", "tags": ("oil", "steam"), "day": date(2025, 1, 1)}
OPEN: Final[tuple[tuple[str, str, Metadata], ...]] = (
    ("guide", "The wheel pump of the mill needs oil each spring.\n\nThe pump stands in the cellar.", COMMON),
    ("plan", "The mill has two wheels and one pump.", {"year": 2023.0, "topic": "mill", "open": True}),
    ("list", "Oil, water, steam and flour.", {"tags": ("oil", "flour"), "day": date(2024, 5, 1), "open": False}),
)
CLOSED: Final[tuple[tuple[str, str, str, Metadata], ...]] = (
    ("c-one", "The wheel pump opens with the code seven.", "handbook", COMMON),
    (
        "c-two",
        "Wheel, wheel, wheel, pump, pump, oil.\n\nThe mill of the code.",
        "handbook",
        {"hidden": "x", "year": 1.0},
    ),
    ("c-three", "Das Rad der Mühle und die Pumpe im Keller.", "handbook", {"topic": "zebra", "open": True}),
    ("c-four", "Soup with a code.", "kitchen", {"topic": "pumps", "tags": ("oil",) * 1}),
    ("c-five", "The wheel pump of the vault.", "vault", {"year": 2024.0}),
    ("c-six", "Another vault.", "handbooks", {"topic": 7.0}),
)
_ALL: Final = (
    "handbook",
    "kitchen",
    "vault",
    "handbooks",
    "nosuch",
    "hand*",
    "*",
    "_all",
    "handbook,kitchen",
    "*,-kitchen",
)
_QUERIES: Final[tuple[Any, ...]] = (
    {"match": {"content": "wheel pump code"}},
    {"multi_match": {"query": "mill oil", "fields": ["title", "content"]}},
    {"match_phrase": {"content": "wheel pump"}},
    {"match": {"content": {"query": "wheel code", "operator": "and"}}},
    {"neural": {"content_vector": {"query_text": "a pump in a mill", "k": 3}}},
    {"term": {"metadata.topic": "pumps"}},
    {"term": {"metadata.hidden": "x"}},
    {"terms": {"metadata.tags": ["oil", "steam"]}},
    {"range": {"metadata.year": {"gte": 1}}},
    {"range": {"metadata.day": {"gte": "2024-01-01"}}},
    {"exists": {"field": "metadata.hidden"}},
    {"prefix": {"metadata.topic": "pu"}},
    {"ids": {"values": ["c-one.0", "guide.0"]}},
    {"bool": {"must_not": [{"exists": {"field": "metadata.hidden"}}]}},
    {"bool": {"must": [{"match": {"content": "pump"}}], "filter": [{"term": {"metadata.year": 2024}}]}},
    {"bool": {"should": [{"term": {"metadata.topic": "zebra"}}, {"match_all": {}}], "minimum_should_match": 1}},
)
_BODIES: Final[tuple[Any, ...]] = (
    {},
    {"size": 0},
    {"sort": ["metadata.year", {"metadata.topic": "desc"}], "_source": ["metadata", "title"]},
    {"sort": [{"metadata.hidden": "asc"}]},
    {"size": 0, "aggs": {"t": {"terms": {"field": "metadata.topic", "size": 1}}}},
    {"size": 0, "aggs": {"g": {"terms": {"field": "metadata.tags"}}, "h": {"terms": {"field": "metadata.hidden"}}}},
    {"size": 0, "aggs": {"l": {"terms": {"field": "language"}}, "d": {"terms": {"field": "metadata.day"}}}},
    {"query": {"match": {"content": "code"}}, "aggs": {"y": {"terms": {"field": "metadata.year"}}}},
)
_TOOL_CALLS: Final[tuple[tuple[str, Any], ...]] = (
    *(("ListIndexTool", {"indices": names.split(",")}) for names in _ALL),
    *(("IndexMappingTool", {"index": names.split(",")}) for names in _ALL),
    *(("SearchIndexTool", {"index": "hand*", "query": {"query": query}}) for query in _QUERIES),
    *(("CountTool", {"index": names.split(","), "query": {}}) for names in _ALL),
    ("VectorDBTool", {"input": "the code of the vault", "index": "*"}),
    ("Preset", {"query": {"query": {"match_all": {}}}}),
)
Call = tuple[str, str, Any]


def calls() -> list[Call]:
    """Return requests to every route, with arguments that could reveal hidden documents."""
    engine: list[Call] = [
        ("GET", path, None)
        for name in _ALL
        for path in (
            f"/{name}",
            f"/{name}/_mapping",
            f"/_cat/indices/{name}?format=json",
            f"/_cat/indices/{name}?v",
            f"/_cat/shards/{name}",
            f"/_resolve/index/{name}",
            f"/_cluster/health/{name}",
            f"/{name}/_count",
            f"/{name}/_search?size=50",
        )
    ]
    engine += [("HEAD", f"/{name}", None) for name in _ALL]
    engine += [("GET", path, None) for path in ("", "/", "/_mapping", "/_cat/indices?v", "/_cluster/health", "/_count")]
    engine += [("POST", "/hand*/_search", {"query": query}) for query in _QUERIES]
    engine += [("POST", "/_count", {"query": query}) for query in _QUERIES]
    engine += [("POST", "/_search", body) for body in _BODIES]
    searches = [{"index": "hand*"}, {"query": _QUERIES[0]}, {"index": "vault"}, {}, {}, _BODIES[4]]
    engine.append(("POST", "/_msearch", "".join(f"{json.dumps(each)}\n" for each in searches).encode()))
    engine += [("GET", f"/handbook/_explain/{doc_id}", {"query": _QUERIES[0]}) for doc_id in ("c-one.0", "nosuch")]
    listed: list[Call] = [(method, f"/opensearch{path}", body) for method, path, body in engine]
    listed += [("POST", MCP, _message("tools/list", {})), ("POST", MCP, _message("tools/list", {"cursor": "x"}))]
    listed += [("POST", MCP, _message("tools/call", {"name": name, "arguments": given})) for name, given in _TOOL_CALLS]
    return listed


def _message(method: str, params: object) -> dict[str, object]:
    return {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}


@pytest.fixture(params=[EMBEDDED, AFTER_ITS_TIME[-1]])
def node(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[Node]:
    if request.param == EMBEDDED:
        with fresh_home() as home, open_world(home, monkeypatch) as world:
            yield prepared(world)
        return
    url = request.getfixturevalue("opensearch_url")
    with open_lagging_world(url, str(request.param), monkeypatch) as world:
        yield prepared(world)


def prepared(world: World) -> Node:
    node = started_node(world)
    for doc_id, text, metadata in OPEN:
        node.add(doc_id, text, PUBLIC, metadata=metadata)
    types = ("ListIndexTool", "IndexMappingTool", "SearchIndexTool", "CountTool", "VectorDBTool")
    node.register(
        *({"type": each} for each in types),
        {"type": "SearchIndexTool", "name": "Preset", "parameters": {"index": "*", "filter": _QUERIES[5]}},
    )
    return node


def seen(node: Node, every: Sequence[Call]) -> list[bytes]:
    # What a process keeps for some seconds could hide a difference.
    node.world.reopen()
    if isinstance(node.world, Lagging):
        node.world.emulated.become_visible()
    answers = [node.send(method, path, body).bytes for method, path, body in every]
    return [_timeless(answer) for answer in answers]


def _timeless(answer: bytes) -> bytes:
    for pattern in MEMBERS_FOR_TIME:
        answer = re.sub(pattern, b"", answer)
    return answer


def test_hidden_documents_change_no_byte_when_they_come_change_and_go(node: Node) -> None:
    every = calls()
    before = seen(node, every)
    for doc_id, text, collection, metadata in CLOSED:
        node.add(doc_id, text, for_users("ben"), collection, metadata)
    differences(every, before, seen(node, every))
    for doc_id, _, collection, _ in CLOSED[:3]:
        node.add(doc_id, f"Anew: the wheel pump and the code of {doc_id}.", for_users("cleo"), collection, COMMON)
    differences(every, before, seen(node, every))
    for doc_id, *_ in CLOSED:
        node.world.services.administration.document_admin.delete(node.tenant, doc_id)
    differences(every, before, seen(node, every))


def differences(every: Sequence[Call], before: Sequence[bytes], after: Sequence[bytes]) -> None:
    for call, was, now in zip(every, before, after, strict=True):
        assert now == was, call


def test_the_calls_find_what_is_open_and_ben_finds_more(node: Node) -> None:
    every = calls()
    for doc_id, text, collection, metadata in CLOSED:
        node.add(doc_id, text, for_users("ben"), collection, metadata)
    mine = seen(node, every)
    others = [_timeless(node.send(method, path, body, user="ben").bytes) for method, path, body in every]
    differing = sum(own != other for own, other in zip(mine, others, strict=True))
    # Otherwise a call without an answer would count as one that tells nothing.
    assert differing > len(every) * 0.7, (differing, len(every))
