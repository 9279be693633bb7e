"""A tenant of a stack is deleted with all that it has, and what was written behind its deletion goes, too."""

import json

import boto3
import pytest

from groundwire.domain.errors import Conflict
from tests.support.aws.operator_stack import Stack
from tests.support.aws.tenant_content import AGENT, fill, later

ALL = {
    "keys": 1,
    "users": 1,
    "collections": 1,
    "documents": 2,
    "sessions": 1,
    "deliveries": 1,
    "segments": 2,
    "files": 2,
}
STORES = ("USERS_TABLE", "DOCUMENTS_TABLE", "SESSIONS_TABLE", "KEYS_TABLE")


def message(tenant: str) -> dict[str, object]:
    """Return a task in the form of the queue's events."""
    body = json.dumps({"action": "tenant.sweep", "tenant": tenant})
    return {"Records": [{"eventSource": "aws:sqs", "messageId": "1", "body": body}]}


def test_nothing_is_left_and_the_answer_counts_what_went(stack: Stack, tenant: str) -> None:
    fill(stack, tenant, documents=2)
    deleted = stack.done("tenant.delete", tenant="acme")
    assert deleted["deleted"] == ALL
    assert [row for table in STORES for row in stack.rows(table)] == []
    assert list((stack.folder).rglob(f"{tenant}/*")) == []
    assert stack.done("tenant.list")["tenants"] == []


def test_keys_of_a_deleted_tenant_admit_no_call(stack: Stack, tenant: str) -> None:
    text = fill(stack, tenant)
    headers = {"authorization": f"Bearer {text}", "x-user-id": "ann"}
    assert stack.services.access.authorize(headers).caller is not None
    stack.done("tenant.delete", tenant=tenant)
    assert stack.services.access.authorize(headers).caller is None


def test_another_tenant_keeps_what_is_its_own(stack: Stack, tenant: str) -> None:
    other = stack.done("tenant.create", name="blue")["tenant"]["tenant"]
    fill(stack, other)
    fill(stack, tenant)
    stack.done("tenant.delete", tenant=tenant)
    assert stack.services.stores.indexes.for_tenant(other).count_rows() == 1
    assert stack.done("tenant.delete", tenant=other)["deleted"]["documents"] == 1


def test_a_second_look_is_ordered_for_when_calls_from_before_are_over(stack: Stack, tenant: str) -> None:
    assert stack.done("tenant.delete", tenant=tenant)["again_in_s"] == 900
    assert len(stack.queued()) == 1


def test_the_second_look_erases_what_was_written_behind_the_deletion(stack: Stack, tenant: str) -> None:
    stack.done("tenant.delete", tenant=tenant)
    stack.services.stores.blobs.put(tenant, "late", b"Of a call that was admitted before.")
    later(stack, tenant)
    assert stack.invoke(message(tenant)) == {"ok": True}
    assert stack.rows("DOCUMENTS_TABLE") == []
    assert stack.audit_lines()[-1]["deleted"]["files"] == 1


def test_deleting_again_by_id_states_what_was_still_there(stack: Stack, tenant: str) -> None:
    stack.done("tenant.delete", tenant=tenant)
    later(stack, tenant)
    again = stack.done("tenant.delete", tenant=tenant)
    assert {kind: count for kind, count in again["deleted"].items() if count} == {"deliveries": 1}
    assert set(stack.done("tenant.delete", tenant=tenant)["deleted"].values()) == {0}


def test_a_living_tenant_is_not_swept_and_the_message_comes_again(stack: Stack, tenant: str) -> None:
    fill(stack, tenant)
    with pytest.raises(Conflict):
        stack.invoke(message(tenant))
    assert stack.refused("tenant.sweep", tenant=tenant)["code"] == "conflict"
    assert stack.services.stores.indexes.for_tenant(tenant).count_rows() == 1


def test_the_queue_orders_sweeps_and_nothing_else(stack: Stack, tenant: str) -> None:
    body = json.dumps({"action": "tenant.delete", "tenant": tenant})
    with pytest.raises(Exception, match="no action"):
        stack.invoke({"Records": [{"body": body}]})
    assert len(stack.done("tenant.list")["tenants"]) == 1


def test_a_deletion_whose_second_check_cannot_be_scheduled_is_done_and_states_so(stack: Stack, tenant: str) -> None:
    sqs = boto3.client("sqs")  # pyright: ignore[reportUnknownMemberType]
    sqs.delete_queue(QueueUrl=stack.variables["SWEEP_QUEUE"])
    assert stack.done("tenant.delete", tenant=tenant)["again_in_s"] is None
    assert stack.done("tenant.list")["tenants"] == []


def test_no_key_is_made_once_a_deletion_has_started(stack: Stack, tenant: str) -> None:
    stack.services.stores.tenants.mark_deleting(tenant)
    assert stack.refused("key.create", tenant=tenant, **AGENT)["code"] == "not_found"
