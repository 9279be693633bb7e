"""Sets of single values, as intervals of each kind: the values for which a condition is surely true, or surely false.

A conjunction of bounds on one item becomes one interval, so that both bounds hold for the same item.
"""

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Final

from groundwire.domain.documents.metadata import Scalar
from groundwire.domain.filters.expression import AnyElement, ElementAt, Filter, Leaf, combine, leaf_truth
from groundwire.domain.filters.outcomes import FALSE, OUTCOMES, TRUE, Language, Truth
from groundwire.domain.filters.value_tests import (
    ANY_CHARACTER,
    EQUALITIES,
    Compare,
    Exists,
    HasLength,
    HasWords,
    Kind,
    Operator,
    TextMatch,
    can_compare,
    kind_of,
    options_of,
)

Bound = float | str
"""Number, text, ISO text of a date, or 0 and 1 for the booleans."""
Cut = tuple[Bound, int]
"""Place in the order of a kind's values: before (0) or after (1) a value."""
Interval = tuple[Cut | None, Cut | None]
"""Values between two cuts; None: without end."""

BEFORE: Final = 0
AFTER: Final = 1
_ALL: Final[tuple[Interval, ...]] = ((None, None),)
_ANY_TEXT: Final = ("", "", "")
"""Pattern of any text, in a form that is not exact."""
# No stored text has a surrogate.
_FIRST_SURROGATE: Final = 0xD800
_AFTER_SURROGATES: Final = "\ue000"
_HIGHEST_CHARACTER: Final = "\U0010ffff"


@dataclass(frozen=True, slots=True)
class ValueSet:
    """Disjoint ascending intervals of each kind.

    Attributes:
        intervals: kinds without an interval are absent.
        is_exact: False: the set also has values for which the condition is not surely so.
    """

    intervals: Mapping[Kind, tuple[Interval, ...]]
    is_exact: bool = True

    @property
    def size(self) -> int:
        """Number of intervals."""
        return sum(map(len, self.intervals.values()))

    def complement(self) -> "ValueSet":
        """Return the values of every kind that are not in this set, which must be exact."""
        return _set({kind: _inverted(self.intervals.get(kind, ())) for kind in Kind}, self.is_exact)


NO_VALUES: Final = ValueSet({})
ALL_VALUES: Final = ValueSet(dict.fromkeys(Kind, _ALL))


@dataclass(frozen=True, slots=True)
class ValueSets:
    """Values for which a condition is surely true, and those for which it is surely false."""

    when_true: ValueSet
    when_false: ValueSet


def value_sets(condition: Filter, field: str) -> ValueSets:
    """Return the sets of a condition on the single value of a field, or on an item; other fields are absent."""
    return combine(
        condition, _SETS, lambda leaf: _leaf_sets(leaf) if leaf.field == field else _constant(leaf_truth(leaf, None))
    )


class _Sets:
    """Algebra of pairs of sets."""

    def all_of(self, parts: Iterator[ValueSets]) -> ValueSets:
        found = list(parts)
        return ValueSets(_common([each.when_true for each in found]), _united([each.when_false for each in found]))

    def any_of(self, parts: Iterator[ValueSets]) -> ValueSets:
        found = list(parts)
        return ValueSets(_united([each.when_true for each in found]), _common([each.when_false for each in found]))

    def negation(self, part: ValueSets) -> ValueSets:
        return ValueSets(part.when_false, part.when_true)


_SETS: Final = _Sets()


def _leaf_sets(leaf: Leaf) -> ValueSets:
    match leaf:
        case Compare(_, Operator.NE, value, language):
            return _SETS.negation(_compared(Operator.EQ, value, language))
        case Compare(_, operator, value, language):
            return _compared(operator, value, language)
        case Exists():
            return ValueSets(ALL_VALUES, NO_VALUES)
        case TextMatch() | HasWords():
            return _matched(leaf.parts if isinstance(leaf, TextMatch) else _ANY_TEXT, leaf.language)
        case HasLength(_, _, _, language) | AnyElement(_, _, language):
            return _constant(OUTCOMES[language].unsupported)
        case ElementAt():
            # A single value has no items, so the condition is about an absent one.
            return _constant(leaf_truth(leaf, None))


def _constant(truth: Truth) -> ValueSets:
    return ValueSets(ALL_VALUES if truth == TRUE else NO_VALUES, ALL_VALUES if truth == FALSE else NO_VALUES)


def _compared(operator: Operator, value: Scalar | tuple[Scalar, ...], language: Language) -> ValueSets:
    outcomes = OUTCOMES[language]
    found: dict[Kind, list[Interval]] = {}
    options = options_of(value, outcomes)
    for option in options:
        # Where dates are texts, their terms are still those of dates.
        is_text = not outcomes.has_dates and isinstance(option, str)
        for kind in (Kind.TEXT, Kind.DATE) if is_text else (kind_of(option),):
            if can_compare(kind, operator, outcomes):
                found.setdefault(kind, []).extend(_intervals(operator, _bound(option)))
    when_true = {kind: _merged(intervals) for kind, intervals in found.items()}
    other = outcomes.unequal_type if operator in EQUALITIES else outcomes.unsupported
    # An empty list of options equals no value of any type.
    fails_for_others = other == FALSE or not options
    kinds = Kind if fails_for_others else found
    when_false = {kind: _inverted(when_true.get(kind, ())) for kind in kinds}
    return ValueSets(_set(when_true), _set(when_false))


def _bound(option: Scalar) -> int | float | str:
    if isinstance(option, date):
        return option.isoformat()
    return option


def _intervals(operator: Operator, bound: float | str) -> list[Interval]:
    """Return the interval of the values in this relation to the bound, if any; NaN has no interval."""
    if isinstance(bound, str):
        low, high = (bound, BEFORE), (bound, AFTER)
    elif isinstance(bound, float) and math.isnan(bound):
        return []
    else:
        low, high = _float_cuts(bound)
    found: Interval
    match operator:
        case Operator.LT:
            found = None, low
        case Operator.LE:
            found = None, high
        case Operator.GT:
            found = high, None
        case Operator.GE:
            found = low, None
        case _:
            found = low, high
    return [found] if found[0] is None or found[1] is None or found[0] < found[1] else []


def _float_cuts(number: float) -> tuple[Cut, Cut]:
    """Return the cuts before and after a number among floats; both are one where no float is this integer."""
    try:
        nearest = float(number)
    # An integer may be greater than any float.
    except OverflowError:
        nearest = math.inf if number > 0 else -math.inf
    if nearest == number:
        return (nearest, BEFORE), (nearest, AFTER)
    cut = nearest, BEFORE if nearest > number else AFTER
    return cut, cut


def _matched(parts: tuple[str, ...], language: Language) -> ValueSets:
    fixed = parts[0].partition(ANY_CHARACTER)[0]
    is_exact = fixed == parts[0] and (len(parts) == 1 or parts[1:] == ("",))
    interval: Interval = ((fixed, BEFORE), (fixed, AFTER)) if len(parts) == 1 and is_exact else _prefix(fixed)
    texts: dict[Kind, tuple[Interval, ...]] = dict.fromkeys((Kind.TEXT, Kind.DATE), (interval,))
    others = () if OUTCOMES[language].unsupported != FALSE else (Kind.BOOLEAN, Kind.NUMBER)
    failing = {kind: _inverted(found) if is_exact else _ALL for kind, found in texts.items()}
    return ValueSets(_set(texts, is_exact), _set({**failing, **dict.fromkeys(others, _ALL)}, is_exact))


def _prefix(text: str) -> Interval:
    """Return the texts that begin so."""
    # The highest character has no successor, so that the one before it takes the next.
    shortened = text.rstrip(_HIGHEST_CHARACTER)
    if not shortened:
        return (text, BEFORE) if text else None, None
    code = ord(shortened[-1]) + 1
    successor = _AFTER_SURROGATES if code == _FIRST_SURROGATE else chr(code)
    return (text, BEFORE), (shortened[:-1] + successor, BEFORE)


def _set(intervals: Mapping[Kind, tuple[Interval, ...]], is_exact: bool = True) -> ValueSet:  # noqa: FBT001, FBT002
    return ValueSet({kind: found for kind, found in intervals.items() if found}, is_exact)


def _united(sets: Iterable[ValueSet]) -> ValueSet:
    found: dict[Kind, list[Interval]] = {}
    is_exact = True
    for each in sets:
        is_exact = is_exact and each.is_exact
        for kind, intervals in each.intervals.items():
            found.setdefault(kind, []).extend(intervals)
    return _set({kind: _merged(intervals) for kind, intervals in found.items()}, is_exact)


def _common(sets: list[ValueSet]) -> ValueSet:
    """Return the values of all sets: those that are missing from none."""
    missing = _united([each.complement() for each in sets])
    return _set({kind: _inverted(missing.intervals.get(kind, ())) for kind in Kind}, missing.is_exact)


def _merged(intervals: Iterable[Interval]) -> tuple[Interval, ...]:
    """Return the union as disjoint ascending intervals."""
    merged: list[Interval] = []
    for low, high in sorted(intervals, key=_low_order):
        if merged and not _has_gap(merged[-1][1], low):
            merged[-1] = merged[-1][0], _higher(merged[-1][1], high)
        else:
            merged.append((low, high))
    return tuple(merged)


def _low_order(interval: Interval) -> tuple[int, Bound, int]:
    low = interval[0]
    # None cannot be compared with a cut.
    return (0, 0.0, 0) if low is None else (1, *low)


def _has_gap(high: Cut | None, low: Cut | None) -> bool:
    return high is not None and low is not None and high < low


def _higher(one: Cut | None, other: Cut | None) -> Cut | None:
    return None if one is None or other is None else max(one, other)


def _inverted(intervals: tuple[Interval, ...]) -> tuple[Interval, ...]:
    """Return the gaps between disjoint ascending intervals."""
    gaps: list[Interval] = []
    start: Cut | None = None
    for number, (low, high) in enumerate(intervals):
        if low is not None:
            gaps.append((start if number else None, low))
        if high is None:
            return tuple(gaps)
        start = high
    return (*gaps, (start, None))
