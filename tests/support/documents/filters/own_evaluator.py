"""The evaluator of the own language as it was before the filter tree, apart from the product's.

It decides by pairs of stored and wanted values. The product's tree must keep the meaning of every filter of the own
language.
"""

from collections.abc import Callable, Mapping
from operator import eq, ge, gt, le, lt
from typing import Any, Final

from groundwire.domain.documents.metadata import Metadata, Scalar, Value, comparable_value
from groundwire.domain.filters.expression import AllOf, AnyOf, Compare, Filter, Not, Operator


def passes(where: Filter, metadata: Metadata) -> bool:
    """Return whether a document with this metadata passes the filter.

    Values of different types are never equal, nor ordered; texts are ordered by their code points.
    """
    match where:
        case AllOf(parts):
            return all(passes(part, metadata) for part in parts)
        case AnyOf(parts):
            return any(passes(part, metadata) for part in parts)
        case Not(part):
            return not passes(part, metadata)
        case Compare(field, Operator.NE, value):
            return not _any_pair_matches(metadata.get(field), value, eq)
        case Compare(field, operator, value):
            return _any_pair_matches(metadata.get(field), value, _COMPARISONS[operator])
        case _:
            raise AssertionError(f"{where} is no filter of the own language")


_Comparison = Callable[[Any, Any], bool]
_COMPARISONS: Final[Mapping[Operator, _Comparison]] = {
    Operator.EQ: eq,
    Operator.IN: eq,
    Operator.LT: lt,
    Operator.LE: le,
    Operator.GT: gt,
    Operator.GE: ge,
}


def _any_pair_matches(stored: Value | None, wanted: Scalar | tuple[Scalar, ...], compare: _Comparison) -> bool:
    """Return whether any stored value matches any wanted value."""
    pairs = ((value, option) for value in _comparable_values(stored) for option in _comparable_values(wanted))
    return any(_are_comparable(value, option, compare) and compare(value, option) for value, option in pairs)


def _are_comparable(first: Scalar, second: Scalar, compare: _Comparison) -> bool:
    return type(first) is type(second) and (compare is eq or not isinstance(first, bool))


def _comparable_values(given: Value | tuple[Scalar, ...] | None) -> list[Scalar]:
    if given is None:
        return []
    return [comparable_value(value) for value in (given if isinstance(given, tuple) else (given,))]
