"""In a stack, too, the record keeps where its policy came from, and that decides what happens without one."""

import pytest

from groundwire.domain.access.policy_source import PolicySource
from tests.support.aws.ingestion_stack import Deployment
from tests.support.isolation.policies import NO_READERS, PUBLIC

PATH = "handbook/leave.txt"


def test_new_content_without_a_policy_keeps_what_came_with_the_content_before(stack: Deployment) -> None:
    stack.deliver(stack.bucket.put(PATH, "Thirty days.", groundwire_policy='{"public": true}'))
    assert stack.document("leave.txt").policy_source is PolicySource.OPTION
    assert stack.deliver(stack.bucket.put(PATH, "Forty days.")) == []
    document = stack.document("leave.txt")
    assert (document.version, document.policy) == (2, PUBLIC)


def test_new_content_without_a_policy_keeps_a_manual_one(stack: Deployment) -> None:
    stack.deliver(stack.bucket.put(PATH, "Thirty days."))
    doc_id = stack.document("leave.txt").doc_id
    stack.services.administration.document_admin.override_policy("t-acme", doc_id, PUBLIC)
    assert stack.deliver(stack.bucket.put(PATH, "Forty days.")) == []
    document = stack.document("leave.txt")
    assert (document.version, document.policy, document.policy_source) == (2, PUBLIC, PolicySource.MANUAL)


@pytest.mark.parametrize("content", ["Thirty days.", "Forty days."])
def test_a_policy_file_that_is_missing_leaves_nobody(stack: Deployment, content: str) -> None:
    stack.deliver(stack.bucket.put("handbook/.policy.yaml", "public: true\n"))
    stack.deliver(stack.bucket.put(PATH, "Thirty days."))
    assert stack.document("leave.txt").policy == PUBLIC
    deleted = stack.bucket.delete("handbook/.policy.yaml")
    assert stack.deliver(stack.bucket.put(PATH, content)) == []
    assert stack.document("leave.txt").policy == NO_READERS
    assert stack.deliver(deleted) == []
    assert stack.document("leave.txt").policy == NO_READERS


def test_a_policy_file_does_not_change_what_came_with_the_content(stack: Deployment) -> None:
    stack.deliver(stack.bucket.put(PATH, "Thirty days.", groundwire_policy='{"users": ["ann"]}'))
    stack.deliver(stack.bucket.put("handbook/.policy.yaml", "public: true\n"))
    assert stack.document("leave.txt").policy.users == {"ann"}


def test_a_manual_policy_stays_while_a_side_file_is_invalid_and_after_it(stack: Deployment) -> None:
    stack.deliver(stack.bucket.put("handbook/.policy.yaml", "public: true\n"))
    stack.deliver(stack.bucket.put(PATH, "Thirty days."))
    doc_id = stack.document("leave.txt").doc_id
    stack.services.administration.document_admin.override_policy("t-acme", doc_id, NO_READERS)
    for content in ("doc_id: [1]\n", "year: 2026\n"):
        stack.deliver(stack.bucket.put(f"{PATH}.meta.yaml", content))
        document = stack.document("leave.txt")
        assert (document.policy, document.policy_source) == (NO_READERS, PolicySource.MANUAL)
