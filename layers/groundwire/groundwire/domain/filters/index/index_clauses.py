"""Clauses on the fields of an index row, which engines translate: each is decided by the row's values and markers."""

from dataclasses import dataclass
from typing import Final

from groundwire.domain.filters.index.element_values import ALL_VALUES, ValueSet


@dataclass(frozen=True, slots=True)
class HasValue:
    """Presence of a value of the set: the field's single value, or one of its items."""

    field: str
    values: ValueSet


@dataclass(frozen=True, slots=True)
class IsPresent:
    """Presence of the field."""

    field: str


@dataclass(frozen=True, slots=True)
class IsSingle:
    """Presence of a single value of the field."""

    field: str


@dataclass(frozen=True, slots=True)
class HasItems:
    """Presence of a list with so many items, both bounds included; None: any number from `fewest` on."""

    field: str
    fewest: int = 0
    most: int | None = None


@dataclass(frozen=True, slots=True)
class ItemHasValue:
    """Presence of an item at a position from 0 that is in the set."""

    field: str
    position: int
    values: ValueSet


@dataclass(frozen=True, slots=True)
class EveryClause:
    """Conjunction; every row passes one without parts."""

    parts: tuple["Clause", ...]


@dataclass(frozen=True, slots=True)
class SomeClause:
    """Disjunction; no row passes one without parts."""

    parts: tuple["Clause", ...]


@dataclass(frozen=True, slots=True)
class NoClause:
    """Negation."""

    part: "Clause"


Clause = HasValue | IsPresent | IsSingle | HasItems | ItemHasValue | EveryClause | SomeClause | NoClause

EVERY_ROW: Final[Clause] = EveryClause(())
NO_ROW: Final[Clause] = SomeClause(())


def every(*parts: Clause) -> Clause:
    """Return the conjunction, simplified."""
    kept = tuple(part for part in parts if part != EVERY_ROW)
    if NO_ROW in kept:
        return NO_ROW
    return kept[0] if len(kept) == 1 else EveryClause(kept)


def some(*parts: Clause) -> Clause:
    """Return the disjunction, simplified."""
    kept = tuple(part for part in parts if part != NO_ROW)
    if EVERY_ROW in kept:
        return EVERY_ROW
    return kept[0] if len(kept) == 1 else SomeClause(kept)


def none(part: Clause) -> Clause:
    """Return the negation, simplified."""
    if isinstance(part, NoClause):
        return part.part
    return NO_ROW if part == EVERY_ROW else EVERY_ROW if part == NO_ROW else NoClause(part)


def has_value(field: str, values: ValueSet) -> Clause:
    """Return the clause for rows with such a value, single or in a list."""
    return HasValue(field, values) if values.intervals else NO_ROW


def is_single_in(field: str, values: ValueSet) -> Clause:
    """Return the clause for rows whose field is one value of the set."""
    if values.intervals == ALL_VALUES.intervals:
        return IsSingle(field)
    others = values.complement()
    # The shorter form, because an engine bounds the number of clauses.
    within = none(has_value(field, others)) if others.size < values.size else has_value(field, values)
    return every(IsSingle(field), within)


def count_clauses(clause: Clause) -> int:
    """Return the number of leaves, each interval of a set as one."""
    match clause:
        case EveryClause(parts) | SomeClause(parts):
            return sum(map(count_clauses, parts))
        case NoClause(part):
            return count_clauses(part)
        case HasValue(_, values) | ItemHasValue(_, _, values):
            return values.size
        case _:
            return 1
