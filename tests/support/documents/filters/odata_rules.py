"""Rules of Azure AI Search on types of literals and on conditions of quantifiers, apart from the product's parser."""

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any, Final

from tests.support.documents.filters.odata_cases import TYPES, Tree
from tests.support.documents.filters.odata_evaluator import is_date, kind_of

_OPPOSITE: Final = {"eq": "ne", "ne": "eq", "lt": "ge", "ge": "lt", "gt": "le", "le": "gt"}
_SINGLE: Final = ("text", "number", "boolean", "date")
_LISTS: Final = ("texts", "numbers", "empty")
_LISTS_OF: Final = {"text": "texts", "date": "texts", "number": "numbers", "boolean": ""}


def is_admitted(tree: Tree) -> bool:
    """Return whether the service takes the filter, for fields of these types."""
    kind, *parts = tree
    if kind in ("and", "or", "not"):
        return all(map(is_admitted, parts))
    return kind == "constant" or _LEAVES[kind](*parts)


def _has(field: str, *types: str) -> bool:
    return bool(TYPES[field] & {*types, "any"})


def _is_boolean(field: str) -> bool:
    return _has(field, "boolean")


def _is_list(field: str) -> bool:
    return _has(field, *_LISTS)


def _takes_texts(field: str, texts: list[str], _: str) -> bool:
    return _has(field, "text") or (_has(field, "date") and any(map(is_date, texts)))


def _takes_comparison(field: str, operator: str, value: Any) -> bool:
    is_equality = operator in ("eq", "ne")
    if value is None:
        return is_equality and _has(field, *_SINGLE)
    if isinstance(value, str):
        return is_equality and _takes_texts(field, [value], "")
    is_ordered = isinstance(value, int | float | datetime) and not isinstance(value, bool)
    return (is_equality or is_ordered) and _has(field, kind_of(value))


def _takes_any(field: str, condition: Tree) -> bool:
    return _takes_items(field, condition, "or", "and", "eq")


def _takes_all(field: str, condition: Tree) -> bool:
    return _takes_items(field, condition, "and", "or", "ne")


_LEAVES: Final[Mapping[str, Callable[..., bool]]] = {
    "alone": _is_boolean,
    "filled": _is_list,
    "any": _takes_any,
    "all": _takes_all,
    "in": _takes_texts,
    "compare": _takes_comparison,
}


def _takes_items(field: str, condition: Tree, outer: str, inner: str, equal: str) -> bool:
    leaves = list(_leaves(condition))
    kinds = {_kind_of_leaf(leaf) for leaf in leaves}
    if len(kinds) != 1 or "" in kinds:
        return False
    [kind] = kinds
    # Empty lists alone may have items of any type.
    has_any_items = _has(field) or (_has(field, "empty") and not _has(field, "texts", "numbers"))
    if not has_any_items and not _has(field, _LISTS_OF[kind]):
        return False
    plain = _without_not(condition, is_negated=False)
    if kind == "boolean":
        return len(leaves) == 1 and plain in ("eq", "ne")
    if kind == "text":
        return all(part == equal for part in _parts(plain, outer))
    return all(_takes_ordered(part, inner, _OPPOSITE[equal]) for part in _parts(plain, outer))


def _takes_ordered(plain: Any, word: str, alone: str) -> bool:
    parts = _parts(plain, word)
    return all(isinstance(part, str) for part in parts) and (len(parts) == 1 or alone not in parts)


def _leaves(condition: Tree) -> list[Tree]:
    if condition[0] in ("and", "or", "not"):
        return [leaf for part in condition[1:] for leaf in _leaves(part)]
    return [condition]


def _kind_of_leaf(leaf: Tree) -> str:
    match leaf:
        case "compare", "", _, value:
            return kind_of(value)
        case "in", "", _, _:
            return "text"
        case "alone", "":
            return "boolean"
        case _:
            return ""


def _without_not(condition: Tree, *, is_negated: bool) -> Any:
    """Return the condition as joined operators, without negations; `search.in` and an item alone are equalities."""
    kind, *parts = condition
    if kind == "not":
        return _without_not(parts[0], is_negated=not is_negated)
    if kind in ("and", "or"):
        kind = {"and": "or", "or": "and"}[kind] if is_negated else kind
        return kind, *(_without_not(part, is_negated=is_negated) for part in parts)
    operator = parts[1] if kind == "compare" else "eq"
    return _OPPOSITE[operator] if is_negated else operator


def _parts(plain: Any, word: str) -> list[Any]:
    if isinstance(plain, tuple) and plain[0] == word:
        return [each for part in plain[1:] for each in _parts(part, word)]
    return [plain]
