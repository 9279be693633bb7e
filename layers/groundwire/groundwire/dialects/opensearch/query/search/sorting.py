"""Member `sort` of a body: orders of passages by fields, by score, or as the index has them."""

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, date, datetime, time
from typing import Any, Final, NamedTuple, TypeVar, cast

from groundwire.dialects.opensearch.errors import QUERY_SHARD, illegal_argument, not_served, shard_error
from groundwire.dialects.opensearch.query.clauses import shortened
from groundwire.dialects.opensearch.query.fields import FieldUse, IndexField, IndexFields
from groundwire.domain.documents.metadata import Scalar, Value
from groundwire.domain.text.json_values import is_mapping, list_or_single, mapping_or_empty

SCORE: Final = "_score"
INDEX_ORDER: Final = "_doc"
_NOT_SERVED: Final = frozenset({"_script", "_geo_distance"})
_MAX_SORTS: Final = 5
_MILLISECONDS: Final = 1000
_LAST: Final = "_last"
_FIRST: Final = "_first"

ItemT = TypeVar("ItemT")
SortValue = Value | None
"""Value of an item; None for an item without one."""


class SortOrder(NamedTuple):
    """Order by one field.

    Attributes:
        field: None: by score, or as the index has them.
        name: as the body has it.
    """

    name: str
    field: IndexField | None
    is_descending: bool
    missing_first: bool = False


def parse_sort(given: object, fields: IndexFields) -> tuple[SortOrder, ...]:
    """Return the orders, the first one decisive.

    Raises:
        OpenSearchError: an order has another form, or names a field without an order.
    """
    listed = [part for each in list_or_single(given) for part in _single_orders(each)]
    if len(listed) > _MAX_SORTS:
        raise illegal_argument(f"[sort] has more than {_MAX_SORTS} fields")
    return tuple(_parse_one(each, fields) for each in listed)


def sort_items(
    items: Sequence[ItemT], orders: Sequence[SortOrder], value_of: Callable[[ItemT, SortOrder], SortValue]
) -> list[ItemT]:
    """Return the items in the wanted order; equal ones stay as they are, and values of several types are apart."""
    ordered = list(items)
    # Sorting is stable, so that the first order, applied last, decides.
    for order in reversed(orders):
        keyed = [(_chosen(value_of(item, order), order), item) for item in ordered]
        present = [(_typed(value), item) for value, item in keyed if value is not None]
        missing = [item for value, item in keyed if value is None]
        present.sort(key=lambda pair: pair[0], reverse=order.is_descending)
        found = [item for _, item in present]
        ordered = missing + found if order.missing_first else found + missing
    return ordered


def sort_values(orders: Sequence[SortOrder], value_of: Callable[[SortOrder], SortValue]) -> list[Any]:
    """Return the sort values of one item as an answer shows them."""
    return [None if (value := _chosen(value_of(order), order)) is None else shown_value(value) for order in orders]


def shown_value(value: Scalar) -> Any:
    """Return a value as sort values and buckets show it: whole numbers without a point, dates as milliseconds.

    Booleans are 1 and 0.
    """
    if isinstance(value, bool):
        return int(value)
    if isinstance(value, date):
        return int(datetime.combine(value, time(), UTC).timestamp()) * _MILLISECONDS
    if isinstance(value, float) and value.is_integer():
        return int(value)
    return value


def _parse_one(given: object, fields: IndexFields) -> SortOrder:
    name, options = _read_order(given)
    # These are the engine's defaults: the best score first, else the least value.
    direction, missing = options.get("order", "desc" if name == SCORE else "asc"), options.get("missing", _LAST)
    direction = direction.lower() if isinstance(direction, str) else direction
    if direction not in ("asc", "desc") or missing not in (_LAST, _FIRST):
        raise illegal_argument("[sort] order is [asc] or [desc], missing is [_last] or [_first]")
    is_descending = direction == "desc"
    if name in (SCORE, INDEX_ORDER):
        return SortOrder(name, None, is_descending)
    field = _sortable(name, fields, is_unmapped="unmapped_type" in options)
    return SortOrder(name, field, is_descending, missing == _FIRST)


def _single_orders(given: object) -> list[object]:
    """Return the orders of an object, which may name several fields, each alone."""
    return [{name: options} for name, options in mapping_or_empty(given).items()] or [given]


def _read_order(given: object) -> tuple[str, Mapping[str, object]]:
    name, options = given, cast("object", {})
    if is_mapping(given):
        if len(given) != 1:
            raise illegal_argument("[sort] takes one field in each object")
        [(name, options)] = given.items()
    if isinstance(options, str):
        options = {"order": options}
    if not isinstance(name, str) or not is_mapping(options):
        raise illegal_argument("[sort] takes names of fields, and objects of a field and its order")
    if name in _NOT_SERVED:
        raise not_served(f"sort by {name}", f"sort by {SCORE}, by {INDEX_ORDER}, or by a field of exact values")
    for option in options:
        if option not in ("order", "missing", "unmapped_type"):
            raise not_served(f"sort.{shortened(option)}", "options of a field are order, missing and unmapped_type")
    return name, options


def _sortable(name: str, fields: IndexFields, *, is_unmapped: bool) -> IndexField | None:
    field = fields.find(name)
    if field is None and is_unmapped:
        return None
    if field is None:
        raise shard_error(f"No mapping found for [{shortened(name)}] in order to sort on", QUERY_SHARD)
    if field.use is not FieldUse.VALUES:
        raise shard_error(f"Fields of full text and vectors have no order: [{shortened(name)}]")
    return field


def _chosen(value: SortValue, order: SortOrder) -> Scalar | None:
    """Return the value that counts: of a list the least, in descending order the greatest."""
    if not isinstance(value, tuple):
        return value
    items = sorted(value, key=_typed)
    return (items[-1] if order.is_descending else items[0]) if items else None


def _typed(value: Scalar) -> tuple[str, Any]:
    if isinstance(value, bool | int | float):
        return "n", value
    return ("d", value) if isinstance(value, date) else ("t", value)
