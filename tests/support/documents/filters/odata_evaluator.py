"""OData filters decided from the rules of Azure AI Search, apart from the product's parser and filter tree."""

import re
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from operator import eq, ge, gt, le, lt
from typing import Any, Final, cast

from tests.support.documents.filters.odata_cases import Row, Tree

_COMPARE: Final[Mapping[str, Callable[[Any, Any], bool]]] = {"eq": eq, "lt": lt, "le": le, "gt": gt, "ge": ge}
_KINDS: Final = {bool: "boolean", int: "number", float: "number", str: "text", datetime: "date"}


def evaluate(tree: Tree, row: Row) -> bool:
    """Return whether the row passes; the item of a quantifier is the value under the empty name."""
    kind, *parts = tree
    if kind in ("and", "or"):
        return (all if kind == "and" else any)(evaluate(part, row) for part in parts)
    if kind == "not":
        return not evaluate(parts[0], row)
    return bool(parts[0]) if kind == "constant" else _LEAVES[kind](row.get(parts[0]), *parts[1:])


def is_date(text: str) -> bool:
    if not re.fullmatch("[0-9]{4}-[0-9]{2}-[0-9]{2}", text):
        return False
    try:
        datetime.fromisoformat(text)
    except ValueError:
        return False
    return True


def kind_of(value: Any) -> str:
    return _KINDS.get(type(value), "")


def _compared(held: Any, operator: str, value: Any) -> bool:
    if operator == "ne":
        return not _compared(held, "eq", value)
    if value is None:
        return held is None
    held, wanted = _plain(held), _plain(value)
    return kind_of(held) == kind_of(wanted) and _COMPARE[operator](held, wanted)


def _plain(value: Any) -> Any:
    """Return the value; a text that spells a date is that date's beginning in UTC."""
    return datetime.fromisoformat(value).replace(tzinfo=UTC) if isinstance(value, str) and is_date(value) else value


def _truths(held: Any, condition: Tree) -> list[bool]:
    return [evaluate(condition, {"": item}) for item in cast("list[Any]", held)] if isinstance(held, list) else []


def _is_alone(held: Any) -> bool:
    return held is True


def _is_filled(held: Any) -> bool:
    return isinstance(held, list) and held != []


def _any(held: Any, condition: Tree) -> bool:
    return any(_truths(held, condition))


def _all(held: Any, condition: Tree) -> bool:
    return all(_truths(held, condition))


def _is_among(held: Any, texts: list[str], _: str) -> bool:
    return any(_compared(held, "eq", text) for text in texts)


_LEAVES: Final[Mapping[str, Callable[..., bool]]] = {
    "alone": _is_alone,
    "filled": _is_filled,
    "any": _any,
    "all": _all,
    "in": _is_among,
    "compare": _compared,
}
