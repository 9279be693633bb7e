"""A deleted tenant leaves no row, also when the deletion was cut off and is repeated, and however much it had."""

from dataclasses import replace

import pytest

from groundwire.adapters.aws.dynamodb.administered.collections import DynamoCollections
from groundwire.adapters.aws.dynamodb.administered.users import DynamoUsers
from groundwire.domain import errors
from groundwire.domain.documents.collection import Collection
from groundwire.domain.keys.api_key import AdmissionDenialReason, AdmissionDenied
from tests.server.adapters.aws.tables import Cloud, Crash
from tests.support.registry.records import CURRENT, NOW, PERSONAL_KEY, tenant

MANY = 130
"""More than two batches of deletions, and more than one of reads."""


def kid(number: int) -> str:
    return f"key{number:09}"


def fill(cloud: Cloud, keys: int) -> None:
    cloud.tenants.add(tenant("t-acme"))
    for number in range(keys):
        cloud.keys.add(replace(PERSONAL_KEY, kid=kid(number), created_at=NOW + number), CURRENT)
    DynamoUsers(cloud.client, cloud.names.users).set("t-acme", "ann", frozenset({"staff"}))
    DynamoCollections(cloud.client, cloud.names.documents).put("t-acme", Collection("handbook", 0.4))
    rows = [(cloud.names.sessions, id_) for id_ in ("digest", "key#k", "key#k#0", "headers#")]
    for table, id_ in [*rows, (cloud.names.documents, "delivery#object")]:
        cloud.client.put_item(TableName=table, Item={"tenant": {"S": "t-acme"}, "id": {"S": id_}})


def answer(cloud: Cloud, key: str) -> AdmissionDenialReason | None:
    admission = cloud.keys.admit(key, CURRENT, NOW)
    return admission.reason if isinstance(admission, AdmissionDenied) else None


def test_nothing_of_it_is_left_in_any_table(cloud: Cloud) -> None:
    fill(cloud, 2)
    counts = {"keys": 2, "users": 1, "collections": 1, "documents": 0, "sessions": 1, "deliveries": 1}
    assert cloud.tenants.delete("t-acme") == counts
    assert cloud.rows() == []


def test_a_sweep_of_a_deleted_tenant_removes_what_was_written_after_its_deletion(cloud: Cloud) -> None:
    fill(cloud, 1)
    cloud.tenants.delete("t-acme")
    for name, id_ in ((cloud.names.sessions, "late"), (cloud.names.documents, "upload#late")):
        cloud.client.put_item(TableName=name, Item={"tenant": {"S": "t-acme"}, "id": {"S": id_}})
    counts = {"keys": 0, "users": 0, "collections": 0, "documents": 0, "sessions": 1, "uploads": 1}
    assert cloud.tenants.delete("t-acme") == counts
    assert cloud.rows() == []


def test_all_keys_of_a_tenant_with_many_keys_are_listed_and_deleted(cloud: Cloud) -> None:
    fill(cloud, MANY)
    assert [key.kid for key in cloud.keys.all("t-acme")] == [kid(number) for number in range(MANY)]
    assert cloud.tenants.delete("t-acme")["keys"] == MANY
    assert cloud.rows() == []


@pytest.mark.parametrize("requests", range(1, 12))
def test_a_deletion_that_was_cut_off_can_be_repeated(cloud: Cloud, requests: int) -> None:
    fill(cloud, 2)
    cloud.requests.left = requests
    with pytest.raises(Crash):
        cloud.tenants.delete("t-acme")
    cloud.requests.left = None
    assert [each.name for each in cloud.tenants.all()] == ["acme"]
    with pytest.raises(errors.NotFound):
        cloud.keys.add(replace(PERSONAL_KEY, kid=kid(7)), CURRENT)
    cloud.tenants.delete("t-acme")
    assert cloud.rows() == []


def test_keys_admit_nobody_before_anything_else_is_deleted(cloud: Cloud) -> None:
    fill(cloud, 2)
    whole = len(cloud.rows())
    cloud.requests.left = 4
    with pytest.raises(Crash):
        cloud.tenants.delete("t-acme")
    cloud.requests.left = None
    assert len(cloud.rows()) < whole
    assert DynamoUsers(cloud.client, cloud.names.users).state("t-acme", "ann").tags is not None
    assert [answer(cloud, kid(number)) for number in range(2)] == [AdmissionDenialReason.UNKNOWN_KEY] * 2


def test_a_call_on_its_way_while_its_tenant_goes_is_refused_and_leaves_no_row(cloud: Cloud) -> None:
    cloud.tenants.add(tenant("t-acme", burst=1))
    cloud.keys.add(PERSONAL_KEY, CURRENT)
    (rate,) = (row for row in cloud.rows() if row["part"] == {"S": "rate"})
    cloud.client.delete_item(TableName=cloud.names.keys, Key={name: rate[name] for name in ("id", "part")})
    before = cloud.rows()
    assert answer(cloud, PERSONAL_KEY.kid) is AdmissionDenialReason.UNKNOWN_KEY
    assert len(cloud.rows()) == len(before)
