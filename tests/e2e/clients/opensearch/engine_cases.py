"""Calls of `opensearch-mcp-server-py`, tool by tool."""

import json
from collections.abc import Iterator, Mapping
from typing import Any, Final

from tests.e2e.clients.company import CLOSED, Caller
from tests.e2e.clients.interfaces import QUESTION
from tests.e2e.clients.opensearch.case import COLLECTION, MISSING, Case, holds_all, json_after, matching, of_file

ENGINE_TOOLS: Final = frozenset(
    {
        *("ListIndexTool", "IndexMappingTool", "SearchIndexTool", "GetShardsTool", "GenericOpenSearchApiTool"),
        *("CountTool", "MsearchTool", "ExplainTool", "ClusterHealthTool"),
    }
)
"""Its tools in single mode, the four generated ones among them."""
_SEARCH: Final = "SearchIndexTool"
_GENERIC: Final = "GenericOpenSearchApiTool"
_FOUND: Final = f"Search results from {COLLECTION} (JSON format):\n"
_PUBLIC: Final = ("handbook.md", "warehouse.md")
_FORBIDDEN: Final = "AuthorizationException(403"
_READ_ONLY: Final = "these routes only read; add documents by ingestion"
_NOT_FOUND: Final = ("NotFoundError(404", "no such index [")
_WRITES: Final[tuple[tuple[str, str, Any], ...]] = (
    ("PUT", f"/{COLLECTION}/_doc/1", {"content": "new"}),
    ("POST", f"/{COLLECTION}/_doc", {"content": "new"}),
    ("POST", "/_bulk", '{"index":{}}\n{"content":"new"}\n'),
    ("POST", f"/{COLLECTION}/_delete_by_query", {"query": {"match_all": {}}}),
    ("POST", f"/{COLLECTION}/_update/1", {"doc": {"content": "new"}}),
    ("PUT", "/new-index", {}),
    ("PATCH", f"/{COLLECTION}", {}),
    ("DELETE", f"/{COLLECTION}", None),
    ("DELETE", f"/{COLLECTION}/_doc/1", None),
)


def engine_cases(caller: Caller, other_user: str) -> Iterator[Case]:
    """Yield the calls for a caller; `other_user` is somebody else in the tenant."""
    yield from _index_cases()
    yield from _search_cases(caller)
    yield from _count_cases(caller)
    yield from _refused_cases(caller, other_user)


def _index_cases() -> Iterator[Case]:
    tool = "ListIndexTool"

    def is_listed(rows: list[dict[str, Any]]) -> bool:
        return [(row["index"], row["health"], row["docs.count"].isdecimal()) for row in rows] == [
            (COLLECTION, "green", True)
        ]

    yield Case("list", "list", tool, {}, holds=json_after("All indices information:\n", is_listed))
    names = {"index": "d*", "include_detail": False}
    yield Case("list", "list of names", tool, names, holds=json_after("Indices:\n", lambda each: each == [COLLECTION]))
    details = json_after(
        f"Index information for {COLLECTION}:\n",
        lambda each: each[COLLECTION].keys() == {"aliases", "mappings", "settings"},
    )
    yield Case("list", "list with details", tool, {"index": COLLECTION}, holds=details)
    yield Case("list", "list of a missing one", tool, {"index": MISSING}, _NOT_FOUND)
    yield Case("list", "list of a closed one", tool, {"index": CLOSED}, _NOT_FOUND, like="list of a missing one")
    fields = json_after(
        f"Mapping for {COLLECTION}:\n",
        lambda each: {"title", "content", "source_file_name"} <= each[COLLECTION]["mappings"]["properties"].keys(),
    )
    tool = "IndexMappingTool"
    yield Case("mapping", "mapping", tool, {"index": COLLECTION}, holds=fields)
    yield Case("mapping", "mapping of a missing one", tool, {"index": MISSING}, _NOT_FOUND)
    like = "mapping of a missing one"
    yield Case("mapping", "mapping of a closed one", tool, {"index": CLOSED}, _NOT_FOUND, like=like)
    rows = "index | shard | prirep | state | docs | store | ip | node\n"
    yield Case("shards", "shards", "GetShardsTool", {"index": COLLECTION}, holds=lambda text: text == rows)
    for name, given in {"health": {}, "health of one": {"index": COLLECTION}}.items():
        green = json_after("", lambda each: (each["status"], each["active_shards"]) == ("green", 1))
        yield Case("health", name, "ClusterHealthTool", given, holds=green)


def _search_cases(caller: Caller) -> Iterator[Case]:
    def is_found(answer: Mapping[str, Any]) -> bool:
        return any(caller.expected in hit["_source"]["content"] for hit in answer["hits"]["hits"])

    def search(query: object, **more: object) -> dict[str, Any]:
        return {"index": COLLECTION, "query_dsl": query, **more}

    found = json_after(_FOUND, is_found)
    yield Case("search", "search", _SEARCH, search(matching(QUESTION)), holds=found)
    yield Case("search", "search as a text", _SEARCH, search(json.dumps(matching(QUESTION))), holds=found)
    # The tool's own size replaces that of the query.
    few = json_after(_FOUND, lambda each: len(each["hits"]["hits"]) == 1 < each["hits"]["total"]["value"])
    yield Case("search", "search of a size", _SEARCH, search({"size": 5}, size=1), holds=few)
    none = json_after(_FOUND, lambda each: (each["hits"]["total"]["value"], each["hits"]["hits"]) == (0, []))
    yield Case("search", "search for a closed file", _SEARCH, search(of_file(caller.forbidden[0])), holds=none)
    files = {"aggs": {"files": {"terms": {"field": "source_file_name"}}}}
    buckets = json_after(
        _FOUND,
        lambda each: (
            {bucket["key"] for bucket in each["aggregations"]["files"]["buckets"]} == {caller.document, *_PUBLIC}
        ),
    )
    yield Case("search", "search with buckets", _SEARCH, search(files, size=0), holds=buckets)
    table = holds_all(f"Search results from {COLLECTION} (CSV format):\n_id,_index,_score,content,", caller.expected)
    yield Case("csv", "search as a table", _SEARCH, search(matching(QUESTION), format="csv"), holds=table)
    found_after = f"OpenSearch API Response (POST /{COLLECTION}/_search):\n"
    generic = {"path": f"/{COLLECTION}/_search", "method": "POST", "body": matching(QUESTION)}
    yield Case("search", "search by path", _GENERIC, generic, holds=json_after(found_after, is_found))
    unknown = ("RequestError(400", "unknown query [nosuch]")
    yield Case("errors", "unknown query", _SEARCH, search({"query": {"nosuch": {}}}), unknown)
    unserved = ("RequestError(400", "[script_fields] is not supported here")
    yield Case("errors", "unserved member", _SEARCH, search({"script_fields": {}}), unserved)
    yield Case("errors", "search of a missing one", _SEARCH, search({}) | {"index": MISSING}, _NOT_FOUND)
    like = "search of a missing one"
    yield Case("errors", "search of a closed one", _SEARCH, search({}) | {"index": CLOSED}, _NOT_FOUND, like=like)


def _count_cases(caller: Caller) -> Iterator[Case]:
    tool = "CountTool"
    some = json_after("", lambda each: each["count"] >= 3)
    yield Case("count", "count", tool, {"index": COLLECTION}, holds=some)
    yield Case("count", "count of all", tool, {}, holds=some)
    one, none = (json_after("", lambda each, number=number: each["count"] == number) for number in (1, 0))
    yield Case("count", "count by query", tool, {"body": of_file(caller.document)}, holds=one)
    text = json.dumps(of_file(caller.document))
    yield Case("count", "count by text", tool, {"index": COLLECTION, "body": text}, holds=one)
    closed = {"index": COLLECTION, "body": of_file(caller.forbidden[0])}
    yield Case("count", "count of a closed file", tool, closed, holds=none)
    several = [{"index": COLLECTION}, matching(QUESTION), {"index": CLOSED}, {}, {}, of_file(caller.document)]
    lines = "".join(f"{json.dumps(each)}\n" for each in several)

    def is_answered(answer: Mapping[str, Any]) -> bool:
        first, closed, last = answer["responses"]
        return (
            any(caller.expected in hit["_source"]["content"] for hit in first["hits"]["hits"])
            and (closed["status"], closed["error"]["type"]) == (404, "index_not_found_exception")
            and (last["status"], last["hits"]["total"]["value"]) == (200, 1)
        )

    for name, body in {"msearch": several, "msearch as lines": lines}.items():
        yield Case("msearch", name, "MsearchTool", {"body": body}, holds=json_after("", is_answered))
        given = {"index": COLLECTION, "body": body}
        yield Case("msearch", f"{name}, path", "MsearchTool", given, holds=json_after("", is_answered))


def _refused_cases(caller: Caller, other_user: str) -> Iterator[Case]:
    explained = {"index": COLLECTION, "id": "1", "body": {"query": {"match_all": {}}}}
    why = (_FORBIDDEN, "hits have their relevance in _score")
    yield Case("explain", "explain", "ExplainTool", explained, why)
    for method, path, body in _WRITES:
        given = {"path": path, "method": method} | ({} if body is None else {"body": body})
        yield Case("writes", f"{method} {path}", _GENERIC, given, (_FORBIDDEN, _READ_ONLY))
    identity = {"x-user-id": other_user, "x-session-tags": f'["{caller.forbidden[0]}"]'}
    for name, value in identity.items():
        for path in (f"/{COLLECTION}/_count", "/_cat/indices"):
            given = {"path": path, "headers": {name: value}}
            yield Case("headers", f"{name} on {path}", _GENERIC, given, (_FORBIDDEN, "security_exception"))
