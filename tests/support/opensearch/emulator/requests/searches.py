"""Searches: only what Serverless is documented to do."""

import json
from collections.abc import Generator, Mapping
from typing import Any, Final

from tests.support.opensearch.emulator.generations import Generation
from tests.support.opensearch.emulator.http.messages import Request, invalid

_KEYS: Final = frozenset(
    {
        *("query", "size", "from", "sort", "_source", "fields", "docvalue_fields", "stored_fields", "collapse"),
        *("track_total_hits", "track_scores", "search_after", "pit", "aggs", "aggregations", "min_score", "timeout"),
        *("post_filter", "highlight", "explain", "version", "seq_no_primary_term", "terminate_after", "script_fields"),
    }
)
_LEAVES: Final = frozenset(
    {
        *("match", "multi_match", "match_phrase", "match_all", "match_none", "query_string", "simple_query_string"),
        *("term", "terms", "terms_set", "range", "exists", "prefix", "wildcard", "ids", "knn", "hybrid", "neural"),
        # Neural sparse queries are documented; they consist of this one.
        *("neural_sparse", "rank_feature"),
    }
)
_WITHIN: Final[Mapping[str, tuple[str, ...]]] = {
    "bool": ("must", "filter", "should", "must_not"),
    "constant_score": ("filter",),
    "dis_max": ("queries",),
    "nested": ("query",),
    "hybrid": ("queries",),
    "function_score": ("query",),
    "script_score": ("query",),
}
_SCRIPTED: Final = frozenset({"script", "minimum_should_match_script"})


def bodies(request: Request) -> list[dict[str, Any]]:
    """Of the request's searches, in order."""
    if request.operation != "_msearch":
        return [request.payload]
    return [json.loads(line) for line in request.body.splitlines()[1::2]]


def indexes(request: Request) -> list[str]:
    """Of the request's searches, in order."""
    if request.operation != "_msearch":
        return [request.index]
    return [json.loads(line).get("index", request.index) for line in request.body.splitlines()[::2]]


def judge(request: Request, generation: Generation) -> None:
    """Raises Refusal for a search that the service would not run."""
    for body in bodies(request):
        for key in body:
            if key not in _KEYS:
                raise invalid("parsing_exception", f"Unknown key for a START_OBJECT in [{key}].")
        for script in _scripts(body):
            _judge_script(script, generation)
        for part in ("query", "post_filter"):
            if part in body:
                _judge_query(body[part])


def _judge_query(query: Mapping[str, Any]) -> None:
    for name, content in query.items():
        if name not in _LEAVES and name not in _WITHIN:
            raise invalid("parsing_exception", f"unknown query [{name}]")
        for part in _WITHIN.get(name, ()):
            within = content.get(part, [])
            for clause in within if isinstance(within, list) else [within]:
                _judge_query(clause)
        if name == "knn":
            for field in content.values():
                _judge_query(field.get("filter", {}))


def _judge_script(script: object, generation: Generation) -> None:
    inline = script if isinstance(script, dict) else {"source": script}
    if not generation.scripts:
        raise invalid("illegal_argument_exception", "cannot execute [inline] scripts")
    if "id" in inline:
        raise invalid("illegal_argument_exception", "cannot execute [stored] scripts")
    if (language := inline.get("lang", "painless")) != "painless":
        raise invalid("illegal_argument_exception", f"script_lang not supported [{language}]")


def _scripts(within: object) -> Generator[object]:
    if isinstance(within, dict):
        for name, value in within.items():
            if name in _SCRIPTED:
                yield value
            yield from _scripts(value)
    elif isinstance(within, list):
        for one in within:
            yield from _scripts(one)
