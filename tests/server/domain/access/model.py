"""Access rule as a formula, written from the documentation, for the solver and for plain sets alike."""

import operator
from collections.abc import Callable, Collection
from typing import Any, Final, NamedTuple

import z3


class Logic(NamedTuple):
    """Operations of which the formula consists."""

    any_of: Callable[..., Any]
    all_of: Callable[..., Any]
    is_empty: Callable[[Any], Any]
    opposite: Callable[[Any], Any]
    meet: Callable[[Any, Any], Any]
    is_within: Callable[[Any, Any], Any]


def _is_empty(names: Any) -> Any:
    return names == z3.EmptySet(names.sort().domain())


def _meet(one: Any, other: Any) -> Any:
    return z3.Not(_is_empty(z3.SetIntersect(one, other)))


def _any(*parts: bool) -> bool:
    return any(parts)


def _all(*parts: bool) -> bool:
    return all(parts)


def _has_none(names: Collection[str]) -> bool:
    return len(names) == 0


def _plain_meet(one: Collection[str], other: Collection[str]) -> bool:
    return any(name in other for name in one)


def _is_plain_within(one: Collection[str], other: Collection[str]) -> bool:
    return all(name in other for name in one)


SOLVER: Final = Logic(z3.Or, z3.And, _is_empty, z3.Not, _meet, z3.IsSubset)
PLAIN: Final = Logic(_any, _all, _has_none, operator.not_, _plain_meet, _is_plain_within)


def admits(logic: Logic, *, public: Any, is_named: Any, any_tags: Any, all_tags: Any, held: Any) -> Any:
    """Return whether a policy admits somebody who holds these tags: public, or named, or by the tags."""
    has_lists = logic.any_of(logic.opposite(logic.is_empty(any_tags)), logic.opposite(logic.is_empty(all_tags)))
    has_one = logic.any_of(logic.is_empty(any_tags), logic.meet(any_tags, held))
    return logic.any_of(public, is_named, logic.all_of(has_lists, has_one, logic.is_within(all_tags, held)))
