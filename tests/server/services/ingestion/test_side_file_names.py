"""A policy file whose name is nearly right was meant: what it was to close is not left to the folder above."""

import pytest

from groundwire.domain.access.policy import NO_READERS
from groundwire.domain.documents.record import DocumentState
from tests.support.aws.ingestion_stack import Deployment

NEARLY = [".policy.yml", ".policy.YAML", ".Policy.yaml", ".POLICY.YML", ".policy.yaml.txt"]


@pytest.mark.parametrize("folder", ["handbook/pay/", "Handbook/Pay/"])
@pytest.mark.parametrize("name", NEARLY)
def test_below_a_policy_file_with_nearly_the_right_name_nobody_reads(stack: Deployment, name: str, folder: str) -> None:
    stack.deliver(stack.bucket.put(".policy.yaml", "public: true\n"))
    stack.deliver(stack.bucket.put(f"{folder}before.txt", "Before."))
    stack.deliver(stack.bucket.put(folder + name, "users: [ann]\n"))
    stack.deliver(stack.bucket.put(f"{folder}after.txt", "After."))
    before, after = stack.document("before.txt"), stack.document("after.txt")
    assert (before.policy, after.policy, after.state) == (NO_READERS, NO_READERS, DocumentState.REFUSED)
    assert f"{folder}{name} is not a valid name of a policy or metadata file: rename it to {folder}.policy.yaml" in str(
        after.reason
    )
    stack.deliver(stack.bucket.delete(folder + name))
    assert stack.document("before.txt").policy.public


def test_a_policy_file_among_many_hidden_ones_counts(stack: Deployment) -> None:
    stack.deliver(stack.bucket.put(".policy.yaml", "public: true\n"))
    stack.deliver(stack.bucket.put("handbook/.policy.yaml", "users: [ann]\n"))
    for number in range(30):
        stack.bucket.put(f"handbook/.policy.{number:02}", "draft")
        stack.bucket.put(f"handbook/.git/{number:02}", "object")
    stack.deliver(stack.bucket.put("handbook/leave.txt", "Thirty days."))
    assert stack.document("leave.txt").policy.users == {"ann"}
