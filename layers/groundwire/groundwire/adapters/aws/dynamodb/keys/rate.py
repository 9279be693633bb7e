"""Rate spending: one conditional write per call, two while a burst is spent.

The arithmetic is that of `domain.keys.rate_limit`, in whole microseconds, so that DynamoDB adds and compares exactly. A
row holds:

    tat         the theoretical arrival time, epoch microseconds; 0 before the first call
    step        between two evenly spaced calls, rounded up: never more is admitted than the rate allows
    tolerance   how far `tat` may be ahead of a call that is admitted: step * (burst - 1)

The next `tat` counts from the maximum of `tat` and the time of the call, which no DynamoDB expression can compute. So
there is one write for each of the two cases, and its condition is the case.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from groundwire.adapters.aws.dynamodb.client.attributes import number, read_integer
from groundwire.adapters.aws.dynamodb.client.errors import ConditionFailed
from groundwire.adapters.aws.dynamodb.client.table import DynamoTable
from groundwire.domain import errors

if TYPE_CHECKING:
    from types_boto3_dynamodb.type_defs import AttributeValueTypeDef

    from groundwire.adapters.aws.dynamodb.client.attributes import Item

_MICROSECONDS_PER_SECOND: Final = 1_000_000
_MICROSECONDS_PER_MINUTE: Final = 60 * _MICROSECONDS_PER_SECOND
_MAX_SPEND_ATTEMPTS: Final = 6
"""Limit of attempts; more than two happen only when refunds change the case in between."""


@dataclass(frozen=True, slots=True)
class SpendRequest:
    """Call to count on one row.

    Attributes:
        now_microseconds: time of the call, epoch microseconds.
        condition: condition on the row besides its rate; never empty, because spending must not create a row.
        extra_assignments: what is set besides `tat`, as the rest of a SET expression; may be empty.
        is_condition_met: `condition`, evaluated on a row that was read.
    """

    row: "Item"
    now_microseconds: int
    condition: str
    extra_assignments: str
    values: "Item"
    is_condition_met: "Callable[[Item], bool]"


@dataclass(frozen=True, slots=True)
class SpendAccepted:
    """Result for a counted call.

    Attributes:
        previous_row: the row before the write.
        start: what the new `arrival_time` counts from.
        arrival_time: the new theoretical arrival time.
    """

    previous_row: "Item"
    start: int
    arrival_time: int


@dataclass(frozen=True, slots=True)
class SpendRejected:
    """Result for a call that is not counted.

    Attributes:
        row: the current row; None when there is none.
    """

    row: "Item | None"


def to_microseconds(moment: float) -> int:
    """Convert epoch seconds to the nearest epoch microsecond."""
    return round(moment * _MICROSECONDS_PER_SECOND)


def initial_rate(rate_per_minute: int, burst: int) -> "dict[str, AttributeValueTypeDef]":
    """Return the rate attributes of a new row."""
    step = step_microseconds(rate_per_minute)
    return {"tat": number(0), "step": number(step), "tolerance": number(step * (burst - 1))}


def step_microseconds(rate_per_minute: int) -> int:
    """Return the microseconds between two evenly spaced calls."""
    return -(-_MICROSECONDS_PER_MINUTE // rate_per_minute)


def wait_s(row: "Item", now: float) -> float:
    """Return the seconds from `now` until a call is admitted; 0 when one is."""
    earliest = read_integer(row, "tat") - read_integer(row, "tolerance")
    # Both sides stay near epoch time, so that `now` plus the wait is exactly this time.
    return earliest / _MICROSECONDS_PER_SECOND - now if earliest > to_microseconds(now) else 0.0


def spend(table: DynamoTable, attempt: SpendRequest) -> SpendAccepted | SpendRejected:
    """Count the call if its condition holds and its rate has room; otherwise change nothing."""
    write = _spend_evenly
    for _ in range(_MAX_SPEND_ATTEMPTS):
        try:
            return write(table, attempt)
        except ConditionFailed as failed:
            row = failed.items[0]
        if row is None or not attempt.is_condition_met(row):
            return SpendRejected(row)
        ahead = read_integer(row, "tat") - attempt.now_microseconds
        if ahead > read_integer(row, "tolerance"):
            return SpendRejected(row)
        write = _spend_evenly if ahead <= 0 else _spend_burst(read_integer(row, "tolerance"))
    raise errors.Unavailable("Too many calls at once are counted on one row: try again soon.", retry_after_s=1)


def _spend_evenly(table: DynamoTable, attempt: SpendRequest) -> SpendAccepted:
    before = _write(table, attempt, "tat = :now + step", "tat <= :now", {})
    return SpendAccepted(before, attempt.now_microseconds, attempt.now_microseconds + read_integer(before, "step"))


def _spend_burst(tolerance: int) -> Callable[[DynamoTable, SpendRequest], SpendAccepted]:
    def write(table: DynamoTable, attempt: SpendRequest) -> SpendAccepted:
        latest = {":latest": number(attempt.now_microseconds + tolerance)}
        before = _write(table, attempt, "tat = tat + step", "tat BETWEEN :now AND :latest", latest)
        start = read_integer(before, "tat")
        return SpendAccepted(before, start, start + read_integer(before, "step"))

    return write


def _write(table: DynamoTable, attempt: SpendRequest, change: str, condition: str, values: "Item") -> "Item":
    return table.update(
        attempt.row,
        f"SET {change}{attempt.extra_assignments}",
        f"{attempt.condition} AND {condition}",
        {**attempt.values, **values, ":now": number(attempt.now_microseconds)},
    )


_MAX_REFUND_ATTEMPTS: Final = 3
"""Limit of attempts; after them there is no refund: the key is delayed, but never admitted too often."""


def refund(table: DynamoTable, spent: SpendAccepted) -> None:
    """Return to the key's row what the call took from it.

    Without later calls the row becomes what it was, its last use too. After later calls, `tat` is reduced by a step. It
    is reduced by less if the newest of them came later than this call's start, because that time has passed already.
    """
    row = {name: spent.previous_row[name] for name in ("id", "part")}
    if not _restore(table, row, spent):
        _reduce_tat(table, row, spent)


def _restore(table: DynamoTable, row: "Item", spent: SpendAccepted) -> bool:
    restored = {":tat": spent.previous_row["tat"], ":taken": number(spent.arrival_time)}
    change = "SET tat = :tat"
    if "last_used" in spent.previous_row:
        change += ", last_used = :last_used"
        restored[":last_used"] = spent.previous_row["last_used"]
    else:
        change += " REMOVE last_used"
    try:
        table.update(row, change, "tat = :taken", restored)
    except ConditionFailed:
        return False
    return True


def _reduce_tat(table: DynamoTable, row: "Item", spent: SpendAccepted) -> None:
    latest_call = spent.start
    for _ in range(_MAX_REFUND_ATTEMPTS):
        reduction = spent.arrival_time - latest_call
        if reduction <= 0:
            return
        values = {":left": number(reduction), ":newest": number(latest_call)}
        try:
            table.update(row, "SET tat = tat - :left", "latest_call <= :newest", values)
        except ConditionFailed as failed:
            (item,) = failed.items
            if item is None:
                return
            latest_call = max(latest_call, read_integer(item, "latest_call"))
        else:
            return
