"""Body of a search: query, window, order, fields and aggregations.

Members that narrow a search, or ask for other content, are refused by name. Those of its presentation have no effect.
"""

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from groundwire.dialects.opensearch.errors import illegal_argument, not_served, parsing_error, shard_error
from groundwire.dialects.opensearch.query.clauses import first_token, shortened
from groundwire.dialects.opensearch.query.fields import IndexFields
from groundwire.dialects.opensearch.query.parsed import EVERY_PASSAGE, ParsedQuery
from groundwire.dialects.opensearch.query.parser import QueryParser
from groundwire.dialects.opensearch.query.search.aggregations import TermsAggregation, parse_aggregations
from groundwire.dialects.opensearch.query.search.sorting import INDEX_ORDER, SCORE, SortOrder, parse_sort
from groundwire.dialects.opensearch.query.search.source_filter import SourceFilter, parse_source

MAX_WINDOW: Final = 1_000
_DEFAULT_SIZE: Final = 10
_MOST_DIGITS: Final = 9
_SERVED: Final = "query, from, size, sort, _source, aggs and track_total_hits"
_WITHOUT_EFFECT: Final = frozenset(
    {
        # They change the order of hits or how they are shown, never which passages are found.
        *("explain", "ext", "highlight", "indices_boost", "profile", "rescore", "seq_no_primary_term", "stats"),
        *("timeout", "track_scores", "verbose_pipeline", "version"),
    }
)
_NOT_SERVED: Final = frozenset(
    {
        *("collapse", "derived", "docvalue_fields", "fields", "min_score", "pit", "post_filter", "script_fields"),
        *("search_after", "search_pipeline", "slice", "stored_fields", "suggest", "terminate_after"),
    }
)


class ParsedSearch(NamedTuple):
    """A search.

    Attributes:
        start: number of the first hit, from 0. size: number of hits.
        sort: none: best first.
        counts_hits: the answer has the total.
    """

    query: ParsedQuery
    start: int
    size: int
    sort: tuple[SortOrder, ...]
    source: SourceFilter
    aggregations: tuple[TermsAggregation, ...]
    counts_hits: bool

    @property
    def needs_all(self) -> bool:
        """Return whether an order or counts are made of all passages."""
        return bool(self.aggregations) or any(order.name != INDEX_ORDER for order in self.sort)


def parse_search_body(body: Mapping[str, Any], fields: IndexFields) -> ParsedSearch:
    """Return the search of a body.

    Raises:
        OpenSearchError: a member is wrong, unknown, or not served here.
    """
    for name, value in body.items():
        if name in _NOT_SERVED:
            raise not_served(name, f"members of a search here are {_SERVED}")
        if name not in _KNOWN:
            raise parsing_error(f"Unknown key for a {first_token(value)} in [{shortened(name)}].")
    if "aggs" in body and "aggregations" in body:
        raise parsing_error("Found two aggregation definitions: [aggs] and [aggregations]")
    start, size = _count(body, "from", 0), _count(body, "size", _DEFAULT_SIZE)
    if start + size > MAX_WINDOW:
        raise shard_error(
            f"Result window is too large, from + size must be less than or equal to: [{MAX_WINDOW}] "
            f"but was [{start + size}]."
        )
    sort = parse_sort(body.get("sort") or [], fields)
    return ParsedSearch(
        query=parse_query(body, fields),
        start=start,
        size=size,
        # In the engine an order by score alone is no order: hits keep their scores.
        sort=() if [(each.name, each.is_descending) for each in sort] == [(SCORE, True)] else sort,
        source=parse_source(body["_source"]) if body.get("_source") is not None else SourceFilter(),
        aggregations=parse_aggregations(body.get("aggs", body.get("aggregations", {})), fields),
        counts_hits=_counts_hits(body.get("track_total_hits", True)),
    )


def parse_count_body(body: Mapping[str, Any], fields: IndexFields) -> ParsedQuery:
    """Return the query of the body of a count.

    Raises:
        OpenSearchError: the body has another member than `query`, or the query is wrong.
    """
    for name in body:
        if name != "query":
            raise parsing_error(f"request does not support [{shortened(name)}]")
    return parse_query(body, fields)


def parse_query(body: Mapping[str, Any], fields: IndexFields) -> ParsedQuery:
    """Return the query of a body; without one it is every passage."""
    return QueryParser(fields).parse(body["query"]) if body.get("query") is not None else EVERY_PASSAGE


_KNOWN: Final = frozenset(
    {"query", "from", "size", "sort", "_source", "aggs", "aggregations", "track_total_hits", *_WITHOUT_EFFECT}
)


def _count(body: Mapping[str, Any], name: str, default: int) -> int:
    value = _whole(body.get(name, default))
    if value is None:
        raise parsing_error(f"Unknown key for a {first_token(body.get(name))} in [{name}].")
    if value < 0:
        raise illegal_argument(f"[{name}] parameter cannot be negative, found [{value}]")
    return value


def _counts_hits(given: object) -> bool:
    """Return whether a total is wanted; a number bounds the engine's work, which is bounded here anyway."""
    given = {"true": True, "false": False}.get(given, given) if isinstance(given, str) else given
    if isinstance(given, bool):
        return given
    number = _whole(given)
    if number is None or number < 0:
        raise illegal_argument("[track_total_hits] is true, false or a whole number")
    return number > 0


def _whole(given: object) -> int | None:
    """Return a whole number, of a text with one, too; None for another value."""
    if isinstance(given, bool):
        return None
    if isinstance(given, int):
        return given
    if isinstance(given, float) and given.is_integer():
        return int(given)
    if not isinstance(given, str) or len(given) > _MOST_DIGITS or not given.isascii():
        return None
    return int(given) if given.removeprefix("-").isdecimal() else None
