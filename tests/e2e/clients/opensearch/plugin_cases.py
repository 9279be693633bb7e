"""Calls of a client of the MCP server: before an administrator registers tools, and afterwards."""

import json
from collections.abc import Iterator
from typing import Any, Final

from tests.e2e.clients.company import CLOSED, Caller
from tests.e2e.clients.interfaces import QUESTION
from tests.e2e.clients.opensearch.case import COLLECTION, MISSING, Case, holds_all, json_after, matching, of_file

DEFAULT_TOOLS: Final = ("ListIndexTool",)
REGISTERED_TOOLS: Final = ("SearchIndexTool", "IndexMappingTool", "CountTool", "VectorDBTool")
_LIST: Final = "ListIndexTool"
_SEARCH: Final = "SearchIndexTool"


def default_cases() -> Iterator[Case]:
    """Yield the calls that the page has, and errors of its tool."""
    header = "row,health,status,index,uuid,pri(number of primary shards),"
    listed = holds_all(header, f"\n1,green,open,{COLLECTION},")
    yield Case("list", "list", _LIST, {}, holds=lambda text: listed(text) and text.count("\n") == 2)
    yield Case("list", "list of one", _LIST, {"indices": [COLLECTION]}, holds=listed)
    bare = f"no such index [{MISSING}]"
    yield Case("errors", "list of a missing one", _LIST, {"indices": [MISSING]}, (bare,), lambda text: text == bare)
    closed = {"indices": [CLOSED]}
    yield Case("errors", "list of a closed one", _LIST, closed, ("no such index",), like="list of a missing one")


def registered_cases(caller: Caller) -> Iterator[Case]:
    """Yield the calls of the tools that an administrator registered."""

    def search(query: object) -> dict[str, Any]:
        return {"index": COLLECTION, "query": query}

    def is_found(text: str) -> bool:
        hits = [json.loads(line) for line in text.splitlines()]
        return all(hit["_index"] == COLLECTION for hit in hits) and any(
            caller.expected in hit["_source"]["content"] for hit in hits
        )

    fields = holds_all(f"index: {COLLECTION}\n\nmappings:\nproperties={{", "content={type=text}", "\nsettings:\n")
    yield Case("mapping", "mapping", "IndexMappingTool", {"index": [COLLECTION]}, holds=fields)
    yield Case("search", "search", _SEARCH, search(matching(QUESTION)), holds=is_found)
    yield Case("search", "search as a text", _SEARCH, search(json.dumps(matching(QUESTION))), holds=is_found)
    closed = search(of_file(caller.forbidden[0]))
    yield Case("search", "search for a closed file", _SEARCH, closed, holds=lambda text: not text)
    yield Case("vector", "vector", "VectorDBTool", {"index": COLLECTION, "input": QUESTION}, holds=is_found)
    some = json_after("", lambda each: each["count"] >= 3)
    one = json_after("", lambda each: each == {"count": 1})
    yield Case("count", "count", "CountTool", {"index": COLLECTION}, holds=some)
    yield Case("count", "count by query", "CountTool", search(of_file(caller.document)), holds=one)
    bare = "unknown query [nosuch]"
    unknown = search({"query": {"nosuch": {}}})
    yield Case("errors", "unknown query", _SEARCH, unknown, (bare,), lambda text: text == bare)
    missing = search({}) | {"index": MISSING}
    yield Case("errors", "search of a missing one", _SEARCH, missing, (f"no such index [{MISSING}]",))
    closed = search({}) | {"index": CLOSED}
    yield Case("errors", "search of a closed one", _SEARCH, closed, ("no such",), like="search of a missing one")
