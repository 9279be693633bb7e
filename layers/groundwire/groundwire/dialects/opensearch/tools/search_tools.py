"""Tools that search and count."""

from collections.abc import Mapping
from math import isfinite
from typing import TYPE_CHECKING, Any, Final

from groundwire.dialects.opensearch.errors import illegal_argument, not_served
from groundwire.dialects.opensearch.query.fields import VECTOR
from groundwire.dialects.opensearch.tools.arguments import (
    as_json,
    checked_answer,
    index_names,
    names_of,
    query_object,
    unpacked,
)
from groundwire.dialects.opensearch.tools.presets import Presets, searched_indexes

if TYPE_CHECKING:
    from collections.abc import Sequence

    from groundwire.dialects.opensearch.engine import Engine
    from groundwire.services.call_context import CallContext

_MISSING: Final = (
    "SearchIndexTool's two parameters: index and query are required and should be in valid format. Missing: "
)
_SHOWN: Final = ("_index", "_source", "_id", "_score")
_NOTHING_FOUND: Final = "Can not get any match from search result."


def search_index(engine: "Engine", call: "CallContext", arguments: Mapping[str, object], presets: Presets) -> str:
    """Return the hits of a search, a line of JSON each; without a hit the text is empty."""
    given = unpacked(arguments)
    # A node, too, fails at this option, with an error of Java.
    if given.get("return_raw_response") not in (None, False, "false"):
        raise not_served("return_raw_response", "leave it out")
    index, query = given.get("index"), given.get("query")
    missing = [name for name, value in (("'index'", index), ("'query'", query)) if value is None or value == ""]
    # The preset stands for the argument; without presets a node demands both.
    if presets.indexes is not None:
        missing = [name for name in missing if name != "'index'"]
    if missing:
        raise illegal_argument(_MISSING + ("both " + " and ".join(missing) if len(missing) > 1 else missing[0]))
    requested = None if index is None or index == "" else [index if isinstance(index, str) else as_json(index)]
    body = query_object(query)
    return _hits(engine, call, searched_indexes(engine, call, presets, requested), body, presets)


def count_documents(engine: "Engine", call: "CallContext", arguments: Mapping[str, object], presets: Presets) -> str:
    """Return the number of passages that fulfil a query, as JSON."""
    given = unpacked(arguments)
    index, query = given.get("index"), given.get("query")
    requested = None if index is None or index == "" else index_names(index) or None
    body: Mapping[str, Any] = {} if query is None or query == "" else query_object(query)
    names = searched_indexes(engine, call, presets, requested)
    counted = engine.count(call, engine.names(call, names), body, presets.narrowing)
    return as_json({"count": counted["count"]})


def semantic_search(engine: "Engine", call: "CallContext", arguments: Mapping[str, object], presets: Presets) -> str:
    """Return the passages nearest to a text, a line of JSON each."""
    text = arguments.get("input")
    if not isinstance(text, str) or not text.strip():
        raise illegal_argument("[input] is null or empty, can not process it.")
    index = arguments.get("index")
    requested = None if index is None or index == "" else index_names(index)
    if not requested and presets.indexes is None:
        raise illegal_argument("Parameter index and embedding_field can not be null or empty.")
    field = presets.embedding_field or names_of([arguments.get("embedding_field") or VECTOR])[0]
    body: dict[str, Any] = {
        "query": {"neural": {field: {"query_text": text, "k": presets.nearest}}},
        "size": presets.hits,
    }
    if presets.source_fields is not None:
        body["_source"] = list(presets.source_fields)
    names = searched_indexes(engine, call, presets, requested or None)
    return _hits(engine, call, names, body, presets) or _NOTHING_FOUND


def _hits(
    engine: "Engine", call: "CallContext", names: "Sequence[str] | None", body: Mapping[str, Any], presets: Presets
) -> str:
    found = engine.search(call, names, body, presets.narrowing)["hits"]["hits"]
    return checked_answer("".join(f"{as_json(_shown(hit))}\n" for hit in found))


def _shown(hit: Mapping[str, Any]) -> dict[str, Any]:
    shown = {name: hit[name] for name in _SHOWN if name in hit}
    score = shown.get("_score")
    # The plugin prints NaN where hits are sorted, which is no JSON.
    return {**shown, "_score": score if isinstance(score, int | float) and isfinite(score) else None}
