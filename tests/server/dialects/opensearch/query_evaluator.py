"""Evaluation of queries on exact values by the rules of the engine, apart from the filter tree of the product."""

from collections.abc import Mapping
from datetime import date
from typing import Any

Values = Mapping[str, Any]
"""Metadata of one document by its own names; lists are tuples."""


def passes(query: Mapping[str, Any], values: Values) -> bool:
    """Return whether a document passes a query."""
    [(kind, body)] = query.items()
    return _RULES[kind](body, values)


def _items(values: Values, wire: str) -> list[Any]:
    held = values.get(wire.removeprefix("metadata.").removesuffix(".keyword"))
    if held is None:
        return []
    return list(held) if isinstance(held, tuple) else [held]


def _same(held: object, literal: object) -> bool:
    """Return whether a stored value equals a literal after the engine's coercions."""
    if isinstance(held, bool):
        return literal is held or literal == str(held).lower()
    if isinstance(held, int | float):
        return not isinstance(literal, bool) and float(str(literal)) == float(held)
    if isinstance(held, date):
        return literal in (held.isoformat(), milliseconds(held), str(milliseconds(held)))
    return held == (str(literal).lower() if isinstance(literal, bool) else str(literal))


def milliseconds(day: date) -> int:
    """Return the milliseconds from 1970 to the beginning of a day in UTC."""
    return (day - date(1970, 1, 1)).days * 86_400_000


def _milliseconds_of(text: str) -> int:
    return int(text) if text.removeprefix("-").isdecimal() else milliseconds(date.fromisoformat(text))


def _term(body: Mapping[str, Any], values: Values) -> bool:
    [(field, literal)] = body.items()
    literal = literal["value"] if isinstance(literal, dict) else literal
    return any(_same(item, literal) for item in _items(values, field))


def _terms(body: Mapping[str, Any], values: Values) -> bool:
    [(field, literals)] = body.items()
    return any(_same(item, literal) for item in _items(values, field) for literal in literals)


def _range(body: Mapping[str, Any], values: Values) -> bool:
    [(field, bounds)] = body.items()
    return any(all(_ordered(item, name, bound) for name, bound in bounds.items()) for item in _items(values, field))


def _ordered(item: Any, name: str, bound: Any) -> bool:
    if isinstance(item, date):
        item, bound = milliseconds(item), bound if isinstance(bound, int) else _milliseconds_of(bound)
    else:
        bound = float(bound)
    return {"gt": item > bound, "gte": item >= bound, "lt": item < bound, "lte": item <= bound}[name]


def _exists(body: Mapping[str, Any], values: Values) -> bool:
    return values.get(body["field"].removeprefix("metadata.")) not in (None, ())


def _prefix(body: Mapping[str, Any], values: Values) -> bool:
    [(field, start)] = body.items()
    return any(str(item).startswith(start) for item in _items(values, field))


def _bool(body: Mapping[str, Any], values: Values) -> bool:
    required = [*body.get("must", []), *body.get("filter", [])]
    optional = body.get("should", [])
    least = 0 if required or not optional else 1
    fewest = max(least, body.get("minimum_should_match", least))
    return (
        all(passes(each, values) for each in required)
        and not any(passes(each, values) for each in body.get("must_not", []))
        and sum(passes(each, values) for each in optional) >= fewest
    )


def _all(_body: Mapping[str, Any], _values: Values) -> bool:
    return True


def _none(_body: Mapping[str, Any], _values: Values) -> bool:
    return False


_RULES = {
    "match_all": _all,
    "match_none": _none,
    "term": _term,
    "match": _term,
    "terms": _terms,
    "range": _range,
    "exists": _exists,
    "prefix": _prefix,
    "bool": _bool,
}
