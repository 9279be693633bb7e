"""Values of a field with their numbers of passages, in one order for every engine."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from heapq import nsmallest
from typing import Final

from groundwire.domain.documents.metadata import Scalar, Value, comparable_value
from groundwire.domain.filters.value_tests import Kind, kind_of

_KINDS: Final = {kind: place for place, kind in enumerate(sorted(Kind, key=lambda each: each.value))}


@dataclass(frozen=True, slots=True)
class ValueCounts:
    """The most frequent values of a field, in the form in which values are compared.

    Attributes:
        counts: values, each with its number of passages, by number descending; of equal numbers booleans before dates,
            numbers and texts, each ascending.
        others: sum of the numbers of all other values.
    """

    counts: tuple[tuple[Scalar, int], ...]
    others: int


NO_VALUE_COUNTS: Final = ValueCounts((), 0)


def most_frequent(counted: Iterable[tuple[Value, int]], most: int) -> ValueCounts:
    """Return the `most` most frequent values.

    Args:
        counted: stored values, each with a number of passages; a list counts for each of its distinct items.
        most: maximum of returned values.
    """
    numbers = Counter[tuple[Kind, Scalar]]()
    for stored, number in counted:
        items = stored if isinstance(stored, tuple) else (stored,)
        # The kind distinguishes 1.0 from true, which are equal as values.
        for value in {(kind_of(each), each) for each in map(comparable_value, items)}:
            numbers[value] += number
    first = nsmallest(most, numbers.items(), key=lambda each: (-each[1], _KINDS[each[0][0]], each[0][1]))
    shown = tuple((value, number) for (_, value), number in first)
    return ValueCounts(shown, numbers.total() - sum(number for _, number in shown))
