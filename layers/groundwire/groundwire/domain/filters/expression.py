"""Filters over metadata: expression tree and evaluation. Filters narrow a search and never grant access.

A filter is no access rule: the caller chooses it, and the index's query applies it besides `decide()`. The tree serves
several languages. Each node has two conditions, "surely true" and "surely false"; a document passes when the filter is
surely true. A leaf has the rules of its language for absent values and other types (`outcomes`).
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

from groundwire.domain.documents.metadata import Scalar, Value
from groundwire.domain.filters.outcomes import (
    FALSE,
    OUTCOMES,
    TRUE,
    Language,
    Truth,
    negated,
    truth_of,
)
from groundwire.domain.filters.value_tests import (
    Compare,
    Exists,
    HasLength,
    HasWords,
    Operator,
    TextMatch,
    ValueTest,
    value_truth,
)

__all__ = [
    "ELEMENT",
    "AllOf",
    "AnyElement",
    "AnyOf",
    "Compare",
    "ElementAt",
    "Exists",
    "Filter",
    "HasLength",
    "HasWords",
    "Leaf",
    "Not",
    "Operator",
    "TextMatch",
    "Values",
    "all_elements",
    "combine",
    "leaf_truth",
    "matches",
    "surely_fails",
    "truth",
]

ELEMENT = ""
"""Field name of the element within the condition of `AnyElement` and `ElementAt`; no stored field has it."""


@dataclass(frozen=True, slots=True)
class AllOf:
    """Conjunction; true without parts."""

    parts: tuple["Filter", ...]


@dataclass(frozen=True, slots=True)
class AnyOf:
    """Disjunction; false without parts."""

    parts: tuple["Filter", ...]


@dataclass(frozen=True, slots=True)
class Not:
    """Negation of the part; of an unknown part it is unknown."""

    part: "Filter"


@dataclass(frozen=True, slots=True)
class AnyElement:
    """Quantifier: one item of the list meets the whole condition, in which it is the field `ELEMENT`.

    It is false where no item surely meets the condition. A value that is no list follows the language's rules.
    """

    field: str
    condition: "Filter"
    language: Language


@dataclass(frozen=True, slots=True)
class ElementAt:
    """Condition on the list's item at a position from 0; without such an item `ELEMENT` is absent."""

    field: str
    position: int
    condition: "Filter"


Leaf = ValueTest | AnyElement | ElementAt
"""Node about one field, whose truth depends on that field's value alone."""
Filter = Leaf | AllOf | AnyOf | Not

Values = Mapping[str, Value]
"""Values by field name: metadata, and a document's own fields (`domain.documents.indexed_fields`)."""

V = TypeVar("V")


class Algebra(Protocol, Generic[V]):
    """Meaning of conjunction, disjunction and negation for one kind of result."""

    def all_of(self, parts: Iterator[V]) -> V:
        """Return the conjunction; parts that cannot change it need not be read."""
        ...

    def any_of(self, parts: Iterator[V]) -> V:
        """Return the disjunction; parts that cannot change it need not be read."""
        ...

    def negation(self, part: V) -> V:
        """Return the negation."""
        ...


def combine(where: Filter, algebra: Algebra[V], leaf: Callable[[Leaf], V]) -> V:
    """Return the filter's result from those of its leaves."""
    match where:
        case AllOf(parts):
            return algebra.all_of(combine(part, algebra, leaf) for part in parts)
        case AnyOf(parts):
            return algebra.any_of(combine(part, algebra, leaf) for part in parts)
        case Not(part):
            return algebra.negation(combine(part, algebra, leaf))
        case _:
            return leaf(where)


def matches(where: Filter, values: Values) -> bool:
    """Return whether a document with these values passes: whether the filter is surely true."""
    return truth(where, values) == TRUE


def surely_fails(where: Filter, values: Values) -> bool:
    """Return whether the filter is surely false; its negation passes exactly these documents."""
    return truth(where, values) == FALSE


def truth(where: Filter, values: Values) -> Truth:
    """Return the filter's truth for a document with these values."""
    return combine(where, _TRUTHS, lambda leaf: leaf_truth(leaf, values.get(leaf.field)))


def leaf_truth(leaf: Leaf, stored: Value | None) -> Truth:
    """Return the leaf's truth for the value of its field; None: the document has no such field."""
    match leaf:
        case AnyElement(_, condition, language):
            if stored is None:
                return OUTCOMES[language].absent
            if not isinstance(stored, tuple):
                return OUTCOMES[language].unsupported
            return truth_of(any(matches(condition, {ELEMENT: item}) for item in stored))
        case ElementAt(_, position, condition):
            item = _item(stored, position)
            return truth(condition, {} if item is None else {ELEMENT: item})
        case _:
            return value_truth(leaf, stored)


def all_elements(field: str, condition: Filter, language: Language) -> Filter:
    """Return the filter for lists whose items all fulfil the condition; an empty list passes."""
    return Not(AnyElement(field, Not(condition), language))


class _Truths:
    """Algebra of truths of one document."""

    def all_of(self, parts: Iterator[Truth]) -> Truth:
        found = TRUE
        for part in parts:
            # A false part decides, also beside unknown ones.
            if part == FALSE:
                return FALSE
            found = (found & part & TRUE) | ((found | part) & FALSE)
        return found

    def any_of(self, parts: Iterator[Truth]) -> Truth:
        found = FALSE
        for part in parts:
            if part == TRUE:
                return TRUE
            found = ((found | part) & TRUE) | (found & part & FALSE)
        return found

    def negation(self, part: Truth) -> Truth:
        return negated(part)


_TRUTHS = _Truths()


def _item(stored: Value | None, position: int) -> Scalar | None:
    # Python would count a negative position from the end.
    return stored[position] if isinstance(stored, tuple) and 0 <= position < len(stored) else None
