"""Every call counts towards its tenant's limit, whatever an earlier release stored of tenant and key."""

from dataclasses import replace
from threading import Event
from typing import TYPE_CHECKING, Any

import pytest

from groundwire.adapters.aws.dynamodb.client.attributes import flag, text
from groundwire.adapters.aws.dynamodb.keys.row_keys import key_row, tenant_row
from groundwire.adapters.aws.dynamodb.keys.store import DynamoKeys
from groundwire.domain import errors
from groundwire.domain.keys.api_key import AdmissionGranted, ApiKey
from tests.server.adapters.aws.tables import Cloud, Crash
from tests.support.engines import dynamodb
from tests.support.registry.backends import dynamo_place, opened
from tests.support.registry.races import race
from tests.support.registry.records import CURRENT, NOW, PERSONAL_KEY, tenant

if TYPE_CHECKING:
    from types_boto3_dynamodb.type_defs import AttributeValueTypeDef

    from groundwire.adapters.aws.dynamodb.client.attributes import Item


def key(number: int, *, rate: int = 60, burst: int = 2) -> ApiKey:
    return replace(PERSONAL_KEY, kid=f"key{number:09}", rate_per_minute=rate, burst=burst)


def calls(keys: DynamoKeys, *numbers: int, now: float = NOW) -> list[bool]:
    return [isinstance(keys.admit(key(number).kid, CURRENT, now), AdmissionGranted) for number in numbers]


STATES: dict[str, tuple[str | None, list[bool | None]]] = {
    "no-key-marked": ("apart", [False, False]),
    "cut-off-while-keys-were-marked": ("turning", [True, False]),
    "every-key-marked": ("together", [True, True]),
    "a-state-of-a-later-release": ("sharded", [False, True]),
    "no-state": (None, [None, None]),
}
"""Stored forms of a tenant and its keys in a release: its state, and the mark of each key."""


def store_state(cloud: Cloud, state: str | None, marks: list[bool | None]) -> None:
    attributes: list[tuple[Item, str, AttributeValueTypeDef | None]] = [
        (tenant_row("t-acme"), "counting", None if state is None else text(state)),
        *(
            (key_row(key(number).kid), "tenant_counts", None if mark is None else flag(mark))
            for number, mark in enumerate(marks, 1)
        ),
    ]
    for row, name, value in attributes:
        change: Any = {"UpdateExpression": f"REMOVE {name}"}
        if value is not None:
            change = {"UpdateExpression": f"SET {name} = :value", "ExpressionAttributeValues": {":value": value}}
        cloud.client.update_item(TableName=cloud.names.keys, Key=row, **change)


@pytest.mark.parametrize(("state", "marks"), STATES.values(), ids=STATES)
def test_in_every_stored_state_keys_are_admitted_up_to_their_tenants_limit(
    cloud: Cloud, state: str | None, marks: list[bool | None]
) -> None:
    cloud.tenants.add(tenant("t-acme", rate_per_minute=60, burst=3))
    for number in (1, 2):
        cloud.keys.add(key(number), CURRENT)
    store_state(cloud, state, marks)
    assert calls(cloud.keys, 1, 2, 1, 2) == [True, True, True, False]
    cloud.keys.add(key(3), CURRENT)
    assert calls(cloud.keys, 3, 1, 2) == [False, False, False]
    assert calls(cloud.keys, 3, 1, now=NOW + 1) == [True, False]


def test_a_new_key_and_a_new_tenant_are_marked_for_the_release_before(cloud: Cloud) -> None:
    cloud.tenants.add(tenant("t-acme", rate_per_minute=60, burst=3))
    for number in (1, 2):
        cloud.keys.add(key(number), CURRENT)
    rows = {(row["id"]["S"], row["part"]["S"]): row for row in cloud.rows() if "part" in row}
    stored = rows["tenant#t-acme", "tenant"]
    assert [stored[name] for name in ("counting", "keys_rate", "keys_burst")] == [
        text("together"),
        {"N": "120"},
        {"N": "4"},
    ]
    assert [row["tenant_counts"] for (_, part), row in rows.items() if part == "key"] == [flag(True)] * 2


def test_what_earlier_keys_have_called_is_spent_for_a_new_key(cloud: Cloud) -> None:
    cloud.tenants.add(tenant("t-acme", rate_per_minute=60, burst=3))
    cloud.keys.add(key(1), CURRENT)
    assert calls(cloud.keys, 1, 1) == [True, True]
    cloud.keys.add(key(2), CURRENT)
    assert calls(cloud.keys, 2, 2, 1) == [True, False, False]
    assert calls(cloud.keys, 2, 2, now=NOW + 1) == [True, False]


@pytest.mark.parametrize("requests", range(2))
def test_a_creation_that_was_cut_off_can_be_repeated(cloud: Cloud, requests: int) -> None:
    cloud.tenants.add(tenant("t-acme", rate_per_minute=60, burst=3))
    cloud.keys.add(key(1), CURRENT)
    cloud.requests.left = requests
    try:
        cloud.keys.add(key(2), CURRENT)
    except Crash:
        cloud.requests.left = None
        assert calls(cloud.keys, 1) == [True]
        cloud.keys.add(key(2), CURRENT)
    cloud.requests.left = None
    assert calls(cloud.keys, 1, 2, 1, 2, now=NOW + 900) == [True, True, True, False]


def test_a_key_of_a_closing_tenant_is_not_made(cloud: Cloud) -> None:
    cloud.tenants.add(tenant("t-acme"))
    cloud.tenants.mark_deleting("t-acme")
    before = cloud.rows()
    with pytest.raises(errors.NotFound):
        cloud.keys.add(key(1), CURRENT)
    assert cloud.rows() == before


def test_a_key_of_no_tenant_is_not_made(cloud: Cloud) -> None:
    with pytest.raises(errors.NotFound):
        cloud.keys.add(key(1), CURRENT)
    assert cloud.rows() == []


def test_the_tenants_limit_holds_while_a_key_is_made(dynamodb_url: str) -> None:
    place = dynamo_place(dynamodb_url)
    client = dynamodb.client(dynamodb_url)
    keys = DynamoKeys(client, place.tables.keys)
    calling, made = Event(), Event()

    def call(number: int) -> int:
        if number == 0:
            calling.wait(timeout=30)
            keys.add(key(2, burst=20), CURRENT)
            made.set()
            return 0
        admitted = 0
        for attempt in range(12):
            admitted += calls(keys, 1 if attempt < 4 or not made.is_set() else 2).count(True)
            calling.set()
        return admitted

    with opened(place) as stores:
        stores.tenants.add(tenant("t-acme", rate_per_minute=60, burst=20))
        keys.add(key(1, burst=20), CURRENT)
        admitted = sum(race(9, call))
    client.close()
    assert 0 < admitted <= 20


def test_keys_made_at_once_are_all_there_and_all_count(dynamodb_url: str) -> None:
    with opened(dynamo_place(dynamodb_url)) as stores:
        stores.tenants.add(tenant("t-acme", rate_per_minute=60, burst=7))
        race(8, lambda number: stores.keys.add(key(number), CURRENT))
        kids = [each.kid for each in stores.keys.all("t-acme")]
        assert kids == [key(number).kid for number in range(8)]
        admissions = race(16, lambda number: stores.keys.admit(kids[number % 8], CURRENT, NOW))
        assert sum(isinstance(admission, AdmissionGranted) for admission in admissions) == 7
