"""An evaluator of Milvus expressions from its rules, apart from the product's compiler and tree.

An absent or unfitting value makes a condition unknown (None), by Kleene's logic; only `exists` and `is null` decide
about it. Whole numbers are exact; other arithmetic is that of floats.
"""

import operator
import re
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any, Final

from tests.support.documents.filters.milvus_cases import Row, Tree

_COMPARE: Final = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


def evaluate(tree: Tree, row: Row) -> bool | None:
    kind, *parts = tree
    if kind in ("and", "or"):
        return _joined([evaluate(part, row) for part in parts], decisive=kind == "or")
    if kind == "not":
        truth = evaluate(parts[0], row)
        return None if truth is None else not truth
    if kind == "range":
        path, low, first, second, high = parts
        held = _at(path, row)
        return (_COMPARE[first](low, held) and _COMPARE[second](held, high)) if _same(held, low) else None
    held = _at(parts[0], row)
    if kind == "exists":
        return held not in (None, ())
    return held is None if kind == "null" else _LEAVES[kind](held, *parts[1:])


def _joined(truths: list[bool | None], *, decisive: bool) -> bool | None:
    if decisive in truths:
        return decisive
    return None if None in truths else not decisive


def _compare(held: Any, comparison: str, value: Any) -> bool | None:
    return _COMPARE[comparison](held, value) if _same(held, value) else None


def _in(held: Any, options: tuple[Any, ...]) -> bool | None:
    comparable = [option for option in options if _same(held, option)]
    if held is None or isinstance(held, tuple) or (options and not comparable):
        return None
    return held in comparable


def _like(held: Any, pattern: str) -> bool | None:
    return _regex(pattern).fullmatch(held) is not None if isinstance(held, str) else None


def _calculation(held: Any, operation: str, number: float, comparison: str, value: float) -> bool | None:
    if isinstance(held, bool) or not isinstance(held, float):
        return None
    return _COMPARE[comparison](_calculated(held, operation, number, value), value)


def _length(held: Any, comparison: str, number: int) -> bool | None:
    return _COMPARE[comparison](len(held), number) if isinstance(held, tuple) else None


def _contains(held: Any, item: Any) -> bool | None:
    return _contains_all(held, (item,))


def _contains_all(held: Any, items: tuple[Any, ...]) -> bool | None:
    return all(_has(held, item) for item in items) if isinstance(held, tuple) else None


def _contains_any(held: Any, items: tuple[Any, ...]) -> bool | None:
    return any(_has(held, item) for item in items) if isinstance(held, tuple) else None


def _has(held: tuple[Any, ...], item: Any) -> bool:
    return any(_same(each, item) and each == item for each in held)


_LEAVES: Final[Mapping[str, Callable[..., bool | None]]] = {
    "compare": _compare,
    "in": _in,
    "like": _like,
    "calculation": _calculation,
    "length": _length,
    "contains": _contains,
    "contains_all": _contains_all,
    "contains_any": _contains_any,
}


def _at(path: tuple[str | int, ...], row: Row) -> Any:
    held: Any = row
    for key in path:
        if isinstance(key, int):
            held = held[key] if isinstance(held, tuple) and key < len(held) else None
        else:
            held = held.get(key) if isinstance(held, dict) else None
    return held


def _same(held: Any, value: Any) -> bool:
    """Return whether two values are of one kind: text, truth value or number."""
    if held is None or isinstance(held, tuple):
        return False
    return isinstance(held, str) == isinstance(value, str) and isinstance(held, bool) == isinstance(value, bool)


def _calculated(held: float, operation: str, number: float, value: float) -> Any:
    is_whole = isinstance(number, int) and isinstance(value, int)
    exact = is_whole and max(abs(number), abs(value)) >= 2**53
    left: Any = Fraction(held) if exact else held
    right: Any = Fraction(number) if exact else float(number)
    return {"+": left + right, "-": left - right, "*": left * right}[operation]


def _regex(pattern: str) -> re.Pattern[str]:
    marks: list[str] = re.findall(r"\\.|.", pattern, re.DOTALL)
    wildcards = {"%": ".*", "_": "."}
    return re.compile(
        "".join(wildcards[mark] if mark in wildcards else re.escape(mark[-1]) for mark in marks), re.DOTALL
    )
