"""Parser of queries: match, term, range, bool and the others that this server has; the rest is refused by name."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, Final

from groundwire.dialects.opensearch.errors import illegal_argument, not_served, parsing_error
from groundwire.dialects.opensearch.query.clauses import as_object, read_clause, read_options, shortened, unknown_member
from groundwire.dialects.opensearch.query.fields import IndexFields
from groundwire.dialects.opensearch.query.parsed import (
    EVERY_PASSAGE,
    ParsedQuery,
    all_of,
    any_filter,
    any_text,
    negated,
    unique_texts,
)
from groundwire.dialects.opensearch.query.text_queries import TextQueries
from groundwire.dialects.opensearch.query.value_queries import ValueQueries
from groundwire.dialects.opensearch.query.values import NOTHING
from groundwire.dialects.opensearch.query.vector_queries import VectorQueries
from groundwire.domain.text.json_values import list_or_single

MAX_CLAUSES: Final = 50
MAX_DEPTH: Final = 8
MAX_TEXTS: Final = 5
# The engine or its plugins have these, so that `unknown query` would be a wrong reason.
_NOT_SERVED: Final = frozenset(
    {
        *("agentic", "boosting", "combined_fields", "common", "constant_score", "dis_max", "distance_feature"),
        *("function_score", "fuzzy", "geo_bounding_box", "geo_distance", "geo_polygon", "geo_shape", "has_child"),
        *("has_parent", "hybrid", "intervals", "match_bool_prefix", "match_phrase_prefix", "more_like_this", "nested"),
        *("neural_sparse", "parent_id", "percolate", "query_string", "rank_feature", "regexp", "script"),
        *("script_score", "simple_query_string", "span_containing", "span_first", "span_multi", "span_near"),
        *("span_not", "span_or", "span_term", "span_within", "template", "terms_set", "wildcard", "wrapper"),
        "xy_shape",
    }
)
_SERVED: Final = "match, multi_match, match_phrase, term, terms, range, exists, prefix, bool, ids, knn and neural"
_OCCURRENCES: Final = ("must", "filter", "should", "must_not")
_EXCLUDE: Final = "exclude by exact values or by ids"
_MINIMUM: Final = "minimum_should_match"
_MOST_DIGITS: Final = 9


class QueryParser:
    """Parser of the queries of one body, which share the bound on clauses.

    Args:
        fields: fields that exist for the caller.
    """

    def __init__(self, fields: IndexFields) -> None:
        self._clauses = 0
        self._depth = 0
        values, texts = ValueQueries(fields), TextQueries(fields)
        vectors = VectorQueries(fields, partial(self._parse, is_negated=False))
        self._parsers: Mapping[str, Callable[[object], ParsedQuery]] = {
            "match_all": partial(_constant, "match_all", EVERY_PASSAGE),
            "match_none": partial(_constant, "match_none", ParsedQuery(NOTHING)),
            "term": values.term,
            "terms": values.terms,
            "range": values.range,
            "exists": values.exists,
            "prefix": values.prefix,
            "ids": values.ids,
            "knn": vectors.knn,
            "neural": vectors.neural,
        }
        self._text_parsers = {
            "match": texts.match,
            "match_phrase": texts.match_phrase,
            "multi_match": texts.multi_match,
        }

    def parse(self, query: object) -> ParsedQuery:
        """Return the parsed query of the member `query` of a body.

        Raises:
            OpenSearchError: the query is wrong, or uses what this server does not have.
        """
        parsed = self._parse(query, is_negated=False)
        if len(parsed.texts) > MAX_TEXTS:
            raise illegal_argument(f"A query can have at most {MAX_TEXTS} different texts to search for.")
        return parsed

    def _parse(self, query: object, *, is_negated: bool) -> ParsedQuery:
        kind, body = read_clause(query)
        self._clauses += 1
        if self._clauses > MAX_CLAUSES:
            raise illegal_argument(f"maxClauseCount is set to {MAX_CLAUSES}")
        if self._depth > MAX_DEPTH:
            raise illegal_argument(f"The nested depth of the query exceeds the maximum of {MAX_DEPTH}.")
        self._depth += 1
        try:
            return self._parse_kind(kind, body, is_negated=is_negated)
        finally:
            self._depth -= 1

    def _parse_kind(self, kind: str, body: object, *, is_negated: bool) -> ParsedQuery:
        if kind == "bool":
            return self._parse_bool(body, is_negated=is_negated)
        if kind in self._text_parsers:
            return self._text_parsers[kind](body, is_negated=is_negated)
        if kind in self._parsers:
            parsed = self._parsers[kind](body)
            # A search finds the best passages and not all, so that it cannot exclude.
            if is_negated and negated(parsed) is None:
                raise not_served(f"must_not with {kind}", _EXCLUDE)
            return parsed
        if kind in _NOT_SERVED:
            raise not_served(kind, f"queries here are {_SERVED}")
        raise parsing_error(f"unknown query [{shortened(kind)}]")

    def _parse_bool(self, body: object, *, is_negated: bool) -> ParsedQuery:
        members = as_object(body, "bool")
        for name in members:
            if name not in (*_OCCURRENCES, _MINIMUM, "boost", "_name", "adjust_pure_negative"):
                raise unknown_member("bool", name)
        required = self._parse_each(members, ("must", "filter"), is_negated=is_negated)
        excluded = self._parse_each(members, ("must_not",), is_negated=True)
        optional = self._parse_each(members, ("should",), is_negated=is_negated)
        # In the engine `should` alone needs one match, and none beside `must` or `filter`.
        fewest = _fewest(members.get(_MINIMUM), len(optional), 0 if required else 1)
        if fewest > len(optional):
            return ParsedQuery(NOTHING)
        parts = [*required, *_alternatives(optional, fewest)]
        return all_of([*parts, *map(_excluded, excluded)])

    def _parse_each(self, members: Mapping[str, Any], names: Sequence[str], *, is_negated: bool) -> list[ParsedQuery]:
        parsed: list[ParsedQuery] = []
        for given in (members[name] for name in names if members.get(name) is not None):
            parsed += [self._parse(clause, is_negated=is_negated) for clause in list_or_single(given)]
        return parsed


def _excluded(part: ParsedQuery) -> ParsedQuery:
    parsed = negated(part)
    if parsed is None:
        raise not_served("must_not with ids and exact values in one clause", _EXCLUDE)
    return parsed


def _alternatives(parts: Sequence[ParsedQuery], fewest: int) -> list[ParsedQuery]:
    """Return the conjunction for the clauses of `should`, of which `fewest` must match.

    Clauses that need not match only change the order: texts are searched for, filters have no effect.

    Raises:
        OpenSearchError: some are filters and others search for texts.
    """
    if not parts:
        return []
    if fewest == len(parts):
        return list(parts)
    if fewest == 0:
        texts = unique_texts([part for part in parts if part.is_text])
        return [ParsedQuery(texts=texts, is_optional=bool(texts))]
    if all(part.is_filter for part in parts):
        return [any_filter(parts)]
    if all(part.is_text for part in parts):
        return [any_text(parts)]
    if all(part.ids is not None and part._replace(ids=None).is_filter and part.where is None for part in parts):
        return [ParsedQuery(ids=frozenset[str]().union(*(part.ids or () for part in parts)))]
    # A search ranks what a filter leaves; it has no union of both.
    raise not_served("should with texts and exact values", "put the exact values into filter")


def _fewest(given: object, count: int, least: int) -> int:
    """Return how many clauses of `should` must match; more than there are match nothing.

    Args:
        given: the member of the query; None: it has none.
        count: number of clauses of `should`.
        least: number that must match in any case, where there is a clause: 1 where nothing else is required.

    Raises:
        OpenSearchError: it is neither none, nor one, nor all, nor more.
    """
    if given is None:
        return min(least, count)
    text = str(given)
    if isinstance(given, bool) or not (text.isascii() and text.isdecimal() and len(text) <= _MOST_DIGITS):
        raise not_served(_MINIMUM, "write a whole number")
    number = int(text)
    if 1 < number < count:
        raise not_served(_MINIMUM, f"here it is 0, 1, or the number of the clauses, {count}")
    return max(number, min(least, count))


def _constant(kind: str, parsed: ParsedQuery, body: object) -> ParsedQuery:
    read_options(kind, body, [])
    return parsed
