"""One call spent of a rate, in one conditional write; in two while a burst is being spent.

The arithmetic is that of `domain.rate`, in whole microseconds, so that DynamoDB adds and compares exactly. A row keeps

    tat         the theoretical arrival time, epoch microseconds; 0 before the first call
    step        between two evenly spaced calls, rounded up: never more is admitted than the rate allows
    tolerance   how far `tat` may lie ahead of a call that is admitted: step * (burst - 1)

The maximum of `tat` and the moment of the call, which the next `tat` counts from, cannot be said in an expression. So
there is a write for each of the two cases, and its condition is the case.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from groundwire.adapters.aws.attribute_values import number, read_whole
from groundwire.adapters.aws.faults import ConditionFailed
from groundwire.adapters.aws.table import Table
from groundwire.domain import errors

if TYPE_CHECKING:
    from types_boto3_dynamodb.type_defs import AttributeValueTypeDef

    from groundwire.adapters.aws.attribute_values import Item

_MICROSECONDS: Final = 1_000_000
_MINUTE: Final = 60 * _MICROSECONDS
_ATTEMPTS: Final = 6
"""More than two only where calls that are given back change the case in between."""


@dataclass(frozen=True, slots=True)
class Attempt:
    """A call that is to be counted on one row.

    Attributes:
        now: moment of the call, epoch microseconds.
        condition: what must hold of the row beside its rate; never empty, as a row is not made by being spent from.
        change: what is set beside `tat`, as the rest of a SET expression; may be empty.
        holds: `condition`, judged on a row that was read.
    """

    row: "Item"
    now: int
    condition: str
    change: str
    values: "Item"
    holds: "Callable[[Item], bool]"


@dataclass(frozen=True, slots=True)
class Taken:
    """The call is counted.

    Attributes:
        before: the row as it was before. start: what the new `tat` counts from. tat: the new one.
    """

    before: "Item"
    start: int
    tat: int


@dataclass(frozen=True, slots=True)
class Missed:
    """The call is not counted.

    Attributes:
        row: as it was then; None when there is none.
    """

    row: "Item | None"


def microseconds(moment: float) -> int:
    """Epoch seconds as epoch microseconds, the nearest."""
    return round(moment * _MICROSECONDS)


def unspent(rate_per_minute: int, burst: int) -> "dict[str, AttributeValueTypeDef]":
    """The attributes of a row from which nothing was spent yet."""
    step = step_of(rate_per_minute)
    return {"tat": number(0), "step": number(step), "tolerance": number(step * (burst - 1))}


def step_of(rate_per_minute: int) -> int:
    """Microseconds between two evenly spaced calls."""
    return -(-_MINUTE // rate_per_minute)


def wait_s(row: "Item", now: float) -> float:
    """Seconds from `now` until a call is admitted; 0 when one is."""
    earliest = read_whole(row, "tat") - read_whole(row, "tolerance")
    # Both sides stay near epoch time, so that `now` and the wait add up to this very moment.
    return earliest / _MICROSECONDS - now if earliest > microseconds(now) else 0.0


def spend(table: Table, attempt: Attempt) -> Taken | Missed:
    """Counts the call if its condition holds and its rate has room; else changes nothing."""
    write = _evenly
    for _ in range(_ATTEMPTS):
        try:
            return write(table, attempt)
        except ConditionFailed as failed:
            row = failed.items[0]
        if row is None or not attempt.holds(row):
            return Missed(row)
        ahead = read_whole(row, "tat") - attempt.now
        if ahead > read_whole(row, "tolerance"):
            return Missed(row)
        write = _evenly if ahead <= 0 else _of_burst(read_whole(row, "tolerance"))
    raise errors.Unavailable("Too many calls at once are counted on one row: repeat soon.", retry_after_s=1)


def _evenly(table: Table, attempt: Attempt) -> Taken:
    before = _write(table, attempt, "tat = :now + step", "tat <= :now", {})
    return Taken(before, attempt.now, attempt.now + read_whole(before, "step"))


def _of_burst(tolerance: int) -> Callable[[Table, Attempt], Taken]:
    def write(table: Table, attempt: Attempt) -> Taken:
        latest = {":latest": number(attempt.now + tolerance)}
        before = _write(table, attempt, "tat = tat + step", "tat BETWEEN :now AND :latest", latest)
        start = read_whole(before, "tat")
        return Taken(before, start, start + read_whole(before, "step"))

    return write


def _write(table: Table, attempt: Attempt, change: str, condition: str, values: "Item") -> "Item":
    return table.update(
        attempt.row,
        f"SET {change}{attempt.change}",
        f"{attempt.condition} AND {condition}",
        {**attempt.values, **values, ":now": number(attempt.now)},
    )
