"""A call that is given back leaves the key no more than it would have had without it."""

from itertools import accumulate, count
from typing import TYPE_CHECKING

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from groundwire.adapters.aws.dynamodb.client.attributes import number, read_integer
from groundwire.adapters.aws.dynamodb.client.table import DynamoTable
from groundwire.adapters.aws.dynamodb.keys.rate import SpendAccepted, SpendRequest, initial_rate, refund, spend
from groundwire.adapters.aws.dynamodb.keys.row_keys import key_row
from tests.server.adapters.aws.tables import Cloud
from tests.support.plugins.draws import examples

if TYPE_CHECKING:
    from groundwire.adapters.aws.dynamodb.client.attributes import Item

NOW = 1_800_000_000_000_000
STEP = 1_000_000
BURST = 5
ROWS = count()


def made(table: DynamoTable) -> "Item":
    row = key_row(f"{next(ROWS):012}")
    table.put({**row, **initial_rate(60, BURST), "latest_call": number(0)})
    return row


def taken(table: DynamoTable, row: "Item", now: int) -> SpendAccepted | None:
    attempt = SpendRequest(row, now, "attribute_exists(id)", ", latest_call = :now", {}, lambda _: True)
    spent = spend(table, attempt)
    return spent if isinstance(spent, SpendAccepted) else None


def tat(table: DynamoTable, row: "Item") -> int:
    item = table.get(row)
    assert item is not None
    return read_integer(item, "tat")


def given_back(cloud: Cloud, earlier: int, moments: list[int]) -> tuple[int, int, int]:
    """`tat` without the call, after it was given back, and with it."""
    table = DynamoTable(cloud.client, cloud.names.keys)
    without, row = made(table), made(table)
    for each in (without, row):
        for _ in range(earlier):
            taken(table, each, NOW)
    call = taken(table, row, NOW)
    assert call is not None
    for moment in moments:
        assert taken(table, row, moment) is not None
        taken(table, without, moment)
    kept = tat(table, row)
    refund(table, call)
    return tat(table, without), tat(table, row), kept


def test_a_refunded_call_leaves_the_rates_as_before_alone_and_among_concurrent_calls(cloud: Cloud) -> None:
    for earlier, later in ((0, 0), (0, 2), (2, 0), (2, 2)):
        without, after, _ = given_back(cloud, earlier, [NOW] * later)
        assert max(after, NOW) == max(without, NOW)


def test_before_a_later_call_only_what_has_not_passed_is_given_back(cloud: Cloud) -> None:
    without, after, kept = given_back(cloud, 0, [NOW + 400_000])
    assert (without, after, kept) == (NOW + 1_400_000, NOW + 1_400_000, NOW + 2_000_000)


def test_before_a_call_that_came_after_a_pause_nothing_is_given_back(cloud: Cloud) -> None:
    without, after, kept = given_back(cloud, 0, [NOW + 5 * STEP])
    assert without == after == kept


@settings(max_examples=examples(15), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(earlier=st.integers(0, 1), pauses=st.lists(st.integers(0, 2 * STEP), max_size=3))
def test_a_refund_never_exceeds_what_the_call_spent(cloud: Cloud, earlier: int, pauses: list[int]) -> None:
    moments = [NOW + passed for passed in accumulate(pauses)]
    without, after, kept = given_back(cloud, earlier, moments)
    latest = max([NOW, *moments])
    assert max(without, latest) <= max(after, latest) <= max(kept, latest)
