"""Ingest lock in DynamoDB, a lease: holders that die or stall, and tenants that are deleted."""

from dataclasses import dataclass
from threading import Event

import pytest

from groundwire.adapters.aws.dynamodb.ingest_lease import DynamoIngestLease
from groundwire.adapters.aws.dynamodb.tenants import DynamoTenants, TenantTables
from groundwire.domain import errors
from tests.support.engines import dynamodb
from tests.support.registry.records import NOW

LEASE = 100.0


@dataclass
class Clock:
    now: float = NOW

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def impatient(dynamodb_url: str, tables: TenantTables, tenants: DynamoTenants, clock: Clock) -> DynamoIngestLease:
    return DynamoIngestLease(dynamodb.client(dynamodb_url), tables.keys, clock, lease_s=LEASE, wait_s=0)


def test_who_waited_long_enough_is_given_a_retry_time(impatient: DynamoIngestLease) -> None:
    with impatient.hold("t-acme"), pytest.raises(errors.ResourceBusy), impatient.hold("t-acme"):
        pass


def test_a_holder_that_died_holds_it_until_its_lease_ends(impatient: DynamoIngestLease, clock: Clock) -> None:
    dead = impatient.hold("t-acme")
    dead.__enter__()
    clock.now += LEASE - 0.001
    with pytest.raises(errors.ResourceBusy), impatient.hold("t-acme"):
        pass
    clock.now += 0.001
    with impatient.hold("t-acme"):
        # It was only slow, and comes to its end: what it frees is its own.
        dead.__exit__(None, None, None)
        with pytest.raises(errors.ResourceBusy), impatient.hold("t-acme"):
            pass


def test_a_lease_is_renewed_for_as_long_as_it_is_held(
    dynamodb_url: str, tables: TenantTables, impatient: DynamoIngestLease, clock: Clock
) -> None:
    renewed = Event()
    client = dynamodb.client(dynamodb_url)

    def reported(**_: object) -> None:
        renewed.set()

    client.meta.events.register("after-call.dynamodb.UpdateItem", reported)
    holding = DynamoIngestLease(client, tables.keys, clock, lease_s=0.2, wait_s=0)
    with holding.hold("t-acme"):
        clock.now += LEASE
        renewed.clear()
        assert renewed.wait(10)
        with pytest.raises(errors.ResourceBusy), impatient.hold("t-acme"):
            pass
    client.meta.events.unregister("after-call.dynamodb.UpdateItem", reported)


def test_nobody_writes_for_a_tenant_that_is_being_deleted_but_the_deletion(
    impatient: DynamoIngestLease, tenants: DynamoTenants
) -> None:
    tenants.mark_deleting("t-acme")
    with pytest.raises(errors.NotFound), impatient.hold("t-acme"):
        pass
    with impatient.hold_for_deletion("t-acme"), pytest.raises(errors.NotFound), impatient.hold("t-acme"):
        pass
    with impatient.hold("t-blue"):
        pass


def test_nobody_writes_for_a_tenant_that_no_longer_exists_or_never_was(
    impatient: DynamoIngestLease, tenants: DynamoTenants
) -> None:
    tenants.delete("t-acme")
    for tenant in ("t-acme", "t-unknown"):
        with pytest.raises(errors.NotFound), impatient.hold(tenant):
            pass


def test_a_deletion_waits_for_who_writes(impatient: DynamoIngestLease, tenants: DynamoTenants) -> None:
    with impatient.hold("t-acme"):
        tenants.mark_deleting("t-acme")
        with pytest.raises(errors.ResourceBusy), impatient.hold_for_deletion("t-acme"):
            pass


def test_nothing_is_left_of_a_lock_that_was_dropped(
    dynamodb_url: str, tables: TenantTables, impatient: DynamoIngestLease, tenants: DynamoTenants
) -> None:
    with impatient.hold_for_deletion("t-acme"):
        tenants.delete("t-acme")
        impatient.drop("t-acme")
    rows = dynamodb.client(dynamodb_url).scan(TableName=tables.keys)["Items"]
    assert [row for row in rows if row["id"].get("S") == "tenant#t-acme"] == []
