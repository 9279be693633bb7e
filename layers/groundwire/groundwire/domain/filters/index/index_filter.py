"""Filters as clauses on index rows: exact where the rows can decide, and else wider, never narrower.

A wider clause lets through documents that `matches` refuses; the search evaluates the filter on the records of its
candidates. "Surely true" and "surely false" are compiled apart, because the negation of a wider clause is narrower.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

from groundwire.domain.documents.indexed_fields import FILE_PATH_FIELD, FILE_PATH_SOURCES, PAGE_FIELD
from groundwire.domain.filters.expression import (
    ELEMENT,
    AnyElement,
    Compare,
    ElementAt,
    Exists,
    Filter,
    HasLength,
    HasWords,
    Leaf,
    Operator,
    TextMatch,
    combine,
    leaf_truth,
)
from groundwire.domain.filters.index.element_values import ValueSet, value_sets
from groundwire.domain.filters.index.index_clauses import (
    EVERY_ROW,
    NO_ROW,
    Clause,
    HasItems,
    IsPresent,
    ItemHasValue,
    count_clauses,
    every,
    has_value,
    is_single_in,
    none,
    some,
)
from groundwire.domain.filters.outcomes import FALSE, OUTCOMES, TRUE, TWO_VALUED, Truth

MAX_CLAUSES: Final = 500
"""Clauses beyond which a filter is left to the evaluation of the candidates; an engine takes about 1,024."""


@dataclass(frozen=True, slots=True)
class IndexFilter:
    """Clause for the rows of documents that may pass a filter.

    Attributes:
        is_exact: every row that passes belongs to a document that passes.
    """

    clause: Clause
    is_exact: bool = True


@dataclass(frozen=True, slots=True)
class _Conditions:
    """Rows for which a node is surely true, and those for which it is surely false."""

    when_true: IndexFilter
    when_false: IndexFilter


_UNDECIDED: Final = IndexFilter(EVERY_ROW, is_exact=False)


def index_filter(where: Filter) -> IndexFilter:
    """Return the clause for rows of documents that pass the filter."""
    found = combine(where, _ALGEBRA, _leaf).when_true
    return found if count_clauses(found.clause) <= MAX_CLAUSES else _UNDECIDED


class _Algebra:
    """Operations on pairs of clauses."""

    def all_of(self, parts: Iterator[_Conditions]) -> _Conditions:
        found = list(parts)
        return _Conditions(_every([each.when_true for each in found]), _some([each.when_false for each in found]))

    def any_of(self, parts: Iterator[_Conditions]) -> _Conditions:
        found = list(parts)
        return _Conditions(_some([each.when_true for each in found]), _every([each.when_false for each in found]))

    def negation(self, part: _Conditions) -> _Conditions:
        return _Conditions(part.when_false, part.when_true)


_ALGEBRA: Final = _Algebra()


def _every(parts: list[IndexFilter]) -> IndexFilter:
    return IndexFilter(every(*(part.clause for part in parts)), all(part.is_exact for part in parts))


def _some(parts: list[IndexFilter]) -> IndexFilter:
    return IndexFilter(some(*(part.clause for part in parts)), all(part.is_exact for part in parts))


def _leaf(leaf: Leaf) -> _Conditions:
    # The page is a passage's own, and no field of its row.
    if leaf.field == PAGE_FIELD:
        return _Conditions(_UNDECIDED, _UNDECIDED)
    if leaf.field == FILE_PATH_FIELD:
        return _either([_leaf(replace(leaf, field=source)) for source in FILE_PATH_SOURCES])
    match leaf:
        case Exists(field):
            return _decided(IsPresent(field))
        case ElementAt():
            return _at_position(leaf)
        case Compare(field, _, _, language) | TextMatch(field, _, language) if OUTCOMES[language].list_equals is None:
            return _contained(leaf, field)
        case _:
            return _by_form(leaf)


def _either(parts: list[_Conditions]) -> _Conditions:
    """Return wider conditions, where one of the parts has the right ones."""
    when_true, when_false = (_some([part.when_true for part in parts]), _some([part.when_false for part in parts]))
    return _Conditions(replace(when_true, is_exact=False), replace(when_false, is_exact=False))


def _decided(clause: Clause) -> _Conditions:
    return _Conditions(IndexFilter(clause), IndexFilter(none(clause)))


def _contained(leaf: Compare | TextMatch, field: str) -> _Conditions:
    """Return the conditions of a leaf that compares each item like a single value, and is never unknown."""
    if isinstance(leaf, Compare) and leaf.operator is Operator.NE:
        return _ALGEBRA.negation(_contained(Compare(field, Operator.EQ, leaf.value, leaf.language), field))
    values = value_sets(leaf, field).when_true
    if values.is_exact:
        return _decided(has_value(field, values))
    return _Conditions(IndexFilter(has_value(field, values), is_exact=False), _UNDECIDED)


def _at_position(leaf: ElementAt) -> _Conditions:
    sets = value_sets(leaf.condition, ELEMENT)
    without_item = leaf_truth(leaf, None)

    def rows(values: ValueSet, truth: Truth) -> IndexFilter:
        item = ItemHasValue(leaf.field, leaf.position, values) if values.intervals else NO_ROW
        missing = none(HasItems(leaf.field, leaf.position + 1)) if without_item == truth else NO_ROW
        return IndexFilter(some(item, missing), values.is_exact)

    return _Conditions(rows(sets.when_true, TRUE), rows(sets.when_false, FALSE))


def _by_form(leaf: Compare | TextMatch | HasLength | HasWords | AnyElement) -> _Conditions:
    """Return the conditions of a leaf with rules of its own for an absent, a single and a list's value."""
    sets, absent = value_sets(leaf, leaf.field), leaf_truth(leaf, None)

    def rows(values: ValueSet, truth: Truth) -> IndexFilter:
        missing = none(IsPresent(leaf.field)) if absent == truth else NO_ROW
        lists = _lists(leaf, truth)
        single = is_single_in(leaf.field, values) if values.intervals else NO_ROW
        return IndexFilter(some(missing, single, lists.clause), values.is_exact and lists.is_exact)

    when_true = rows(sets.when_true, TRUE)
    # Without a third value, what is not true is false.
    if leaf.language in TWO_VALUED and when_true.is_exact:
        return _decided(when_true.clause)
    return _Conditions(when_true, rows(sets.when_false, FALSE))


def _lists(leaf: Compare | TextMatch | HasLength | HasWords | AnyElement, truth: Truth) -> IndexFilter:
    """Return the condition for rows whose field is a list for which the leaf has this truth."""
    if isinstance(leaf, HasLength):
        return IndexFilter(_of_length(leaf.field, leaf.operator, leaf.length, truth))
    if isinstance(leaf, AnyElement):
        values = value_sets(leaf.condition, ELEMENT).when_true
        within = has_value(leaf.field, values)
        if truth == TRUE:
            return IndexFilter(every(HasItems(leaf.field), within), values.is_exact)
        # The negation of a wider set would be narrower, and lose documents.
        others = none(within) if values.is_exact else EVERY_ROW
        return IndexFilter(every(HasItems(leaf.field), others), values.is_exact)
    # Other leaves do not depend on the items.
    return IndexFilter(HasItems(leaf.field) if leaf_truth(leaf, ()) == truth else NO_ROW)


_OPPOSITES: Final = {
    Operator.EQ: Operator.NE,
    Operator.IN: Operator.NE,
    Operator.NE: Operator.EQ,
    Operator.LT: Operator.GE,
    Operator.GE: Operator.LT,
    Operator.GT: Operator.LE,
    Operator.LE: Operator.GT,
}


def _of_length(field: str, operator: Operator, length: int, truth: Truth) -> Clause:
    match operator if truth == TRUE else _OPPOSITES[operator]:
        case Operator.LT:
            return _between(field, 0, length - 1)
        case Operator.LE:
            return _between(field, 0, length)
        case Operator.GT:
            return _between(field, length + 1, None)
        case Operator.GE:
            return _between(field, length, None)
        case Operator.NE:
            return some(_between(field, 0, length - 1), _between(field, length + 1, None))
        case _:
            return _between(field, length, length)


def _between(field: str, fewest: int, most: int | None) -> Clause:
    # A filter may ask for a length below 0.
    fewest = max(fewest, 0)
    return NO_ROW if most is not None and most < fewest else HasItems(field, fewest, most)
