"""Fields and items that paths of OData filters denote, with the types of single values that they have."""

from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import Final

from groundwire.dialects.azure.filter.errors import OdataError, UnknownPropertyError
from groundwire.dialects.azure.filter.syntax import PathSyntax
from groundwire.domain.documents.indexed_fields import OWN_FIELDS, PAGE_FIELD
from groundwire.domain.filters.expression import ELEMENT
from groundwire.domain.filters.field_types import LIST_TYPES, FieldType, FieldTypes, resolve_field

_ITEM_TYPES: Final = {
    FieldType.NUMBERS: frozenset({FieldType.NUMBER}),
    # A list keeps dates as texts.
    FieldType.TEXTS: frozenset({FieldType.TEXT, FieldType.DATE}),
}


@dataclass(frozen=True, slots=True)
class SingleOperand:
    """Field or item that a condition is about.

    Attributes:
        name: field in the filter tree.
        shown: name as the caller wrote it.
        types: types of its single values; None: unknown, so that a literal of any type fits.
    """

    name: str
    shown: str
    types: frozenset[FieldType] | None


class FilterableFields:
    """Fields that a filter can name.

    Args:
        known: fields of the documents that the caller may read, with their types.
        defined: fields that definitions name; one that no readable document has is null.
    """

    def __init__(self, known: FieldTypes, defined: AbstractSet[str]) -> None:
        self._known = known
        self._defined = defined

    def single(self, path: PathSyntax) -> SingleOperand:
        """Return the field as one with single values.

        Raises:
            OdataError: it is unknown, or only lists.
        """
        name, types = self._resolved(path)
        if types is None:
            return SingleOperand(name, path.names[0], None)
        if types <= LIST_TYPES:
            remedy = f"write {path.names[0]}/any(x: x eq 'a')"
            raise OdataError(path.position, f"`{path.names[0]}` is a list and cannot be compared itself: {remedy}")
        return SingleOperand(name, path.names[0], types - LIST_TYPES)

    def items(self, path: PathSyntax) -> tuple[str, "Items"]:
        """Return the field in the filter tree and its items.

        Raises:
            OdataError: it is unknown, or no list.
        """
        name, types = self._resolved(path)
        if types is None:
            return name, Items(path.names[0], None)
        if not types & LIST_TYPES:
            problem = f"`{path.names[0]}` is not a list, so it has no `any` and no `all`: compare it with eq"
            raise OdataError(path.position, problem)
        found = frozenset[FieldType]().union(*(_ITEM_TYPES[each] for each in types & _ITEM_TYPES.keys()))
        # Empty lists alone do not show the type of their items.
        return name, Items(path.names[0], found or None)

    def _resolved(self, path: PathSyntax) -> tuple[str, frozenset[FieldType] | None]:
        first = path.names[0]
        known = self._known.get(first)
        if known is None and first not in OWN_FIELDS and first not in self._defined:
            raise UnknownPropertyError(path.position, first)
        if len(path.names) > 1:
            raise OdataError(path.position, f"`{first}` has no members, so `{path.names[1]}` is not allowed")
        name = resolve_field(first, self._known)
        if known is None and first in OWN_FIELDS:
            return name, frozenset({FieldType.NUMBER if name == PAGE_FIELD else FieldType.TEXT})
        return name, known


@dataclass(frozen=True, slots=True)
class Items:
    """Elements of a list.

    Attributes:
        shown: name of the list as the caller wrote it.
        types: types of the items; None: unknown.
    """

    shown: str
    types: frozenset[FieldType] | None

    def named(self, variable: str) -> "ItemFields":
        """Return what the condition of a quantifier can name."""
        return ItemFields(self, variable)


class ItemFields:
    """Names within the condition of a quantifier: that of the item alone."""

    def __init__(self, items: Items, variable: str) -> None:
        self._items = items
        self._variable = variable

    def single(self, path: PathSyntax) -> SingleOperand:
        """Return the item.

        Raises:
            OdataError: the path is another one.
        """
        if path.names != (self._variable,):
            problem = f"`any` and `all` of {self._items.shown} can name only the item, `{self._variable}`"
            raise OdataError(path.position, problem)
        return SingleOperand(ELEMENT, self._variable, self._items.types)
