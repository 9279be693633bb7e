"""Keys count for their tenant from when they could together reach its limit, and not one call too late."""

from dataclasses import replace
from threading import Event

import pytest

from groundwire.adapters.aws.dynamodb.keys.store import DynamoKeys
from groundwire.domain import errors
from groundwire.domain.keys.api_key import AdmissionGranted, ApiKey
from tests.aws.tables import Cloud, Crash
from tests.support.engines import dynamodb
from tests.support.registry.backends import dynamo_place, opened
from tests.support.registry.races import race
from tests.support.registry.records import CURRENT, NOW, PERSONAL_KEY, tenant


def key(number: int, *, rate: int = 60, burst: int = 2) -> ApiKey:
    return replace(PERSONAL_KEY, kid=f"key{number:09}", rate_per_minute=rate, burst=burst)


def calls(keys: DynamoKeys, *numbers: int, now: float = NOW) -> list[bool]:
    return [isinstance(keys.admit(key(number).kid, CURRENT, now), AdmissionGranted) for number in numbers]


def is_counted(cloud: Cloud, number: int) -> bool:
    cloud.requests.during()
    assert calls(cloud.keys, number, now=NOW + 300 * number) == [True]
    return len(cloud.requests.during()) == 2


@pytest.mark.parametrize(
    ("second", "counted"),
    [(key(2, rate=30, burst=3), False), (key(2, rate=31, burst=3), True), (key(2, rate=30, burst=4), True)],
    ids=["exactly-what-the-tenant-may", "a-faster-rate", "a-larger-burst"],
)
def test_keys_count_when_their_rates_or_bursts_exceed_the_tenants(
    cloud: Cloud, second: ApiKey, *, counted: bool
) -> None:
    cloud.tenants.add(tenant("t-acme", rate_per_minute=90, burst=5))
    cloud.keys.add(key(1), CURRENT)
    cloud.keys.add(second, CURRENT)
    assert [is_counted(cloud, 1), is_counted(cloud, 2)] == [counted, counted]


def test_what_earlier_keys_may_have_called_is_spent_when_they_come_to_count(cloud: Cloud) -> None:
    cloud.tenants.add(tenant("t-acme", rate_per_minute=60, burst=3))
    cloud.keys.add(key(1), CURRENT)
    assert calls(cloud.keys, 1, 1) == [True, True]
    cloud.now = NOW
    cloud.keys.add(key(2), CURRENT)
    assert calls(cloud.keys, 2, 2, 1) == [True, False, False]
    assert calls(cloud.keys, 2, 2, now=NOW + 1) == [True, False]


@pytest.mark.parametrize("requests", range(2, 8))
def test_a_creation_that_was_cut_off_leaves_keys_that_work_and_can_be_repeated(cloud: Cloud, requests: int) -> None:
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


def test_a_key_made_while_another_is_half_made_counts(cloud: Cloud) -> None:
    cloud.tenants.add(tenant("t-acme", rate_per_minute=60, burst=3))
    cloud.keys.add(key(1, rate=30, burst=1), CURRENT)
    cloud.requests.left = 3
    with pytest.raises(Crash):
        cloud.keys.add(key(2), CURRENT)
    cloud.requests.left = None
    cloud.keys.add(key(3, rate=30, burst=1), CURRENT)
    assert is_counted(cloud, 3)


def test_a_key_of_no_tenant_is_not_made(cloud: Cloud) -> None:
    with pytest.raises(errors.NotFound):
        cloud.keys.add(key(1), CURRENT)
    assert cloud.rows() == []


def test_the_tenants_limit_holds_while_its_keys_come_to_count(dynamodb_url: str) -> None:
    place = dynamo_place(dynamodb_url)
    client = dynamodb.client(dynamodb_url)
    keys = DynamoKeys(client, place.tables.keys, lambda: NOW)
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
