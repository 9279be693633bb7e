"""Files that cannot be ingested block no other file, and the owner reads the reason for each."""

from collections.abc import Generator
from typing import Final

import pytest

from tests.e2e.cloud.company import Company, founded
from tests.e2e.cloud.deployment import Deployment
from tests.support.aws.deployment.waiting import until

NOTE: Final = b"# Zanzibar\n\nThe office in Zanzibar opens at nine.\n"
_SOONER_S: Final = 5
"""Instead of the half hour after which the template's queue gives a failed message out again."""


@pytest.fixture
def initech(deployment: Deployment) -> Generator[Company]:
    """A company whose files everybody may read, and whose queue is impatient."""
    queue = deployment.stack.outputs["QueueUrl"]
    sqs = deployment.account.sqs
    usual = sqs.get_queue_attributes(QueueUrl=queue, AttributeNames=["VisibilityTimeout"])
    sqs.set_queue_attributes(QueueUrl=queue, Attributes={"VisibilityTimeout": str(_SOONER_S)})
    company = founded(deployment, "initech")
    company.put("notes/.policy.yaml", b"public: true")
    yield company
    sqs.set_queue_attributes(QueueUrl=queue, Attributes=usual.get("Attributes", {}))
    deployment.operate({"action": "tenant.delete", "tenant": company.tenant})


def test_a_file_that_is_no_document_is_refused_with_a_reason_and_those_beside_it_are_found(initech: Company) -> None:
    initech.put("notes/broken.pdf", b"%PDF-1.7\nnothing of this is a page\n")
    initech.put("notes/office.md", NOTE)
    initech.reconciled("notes/office.md")
    assert initech.agent("joe").files("When does the office in Zanzibar open?") == {"office.md"}
    assert initech.reconciled("notes/broken.pdf", "refused")["reason"]
    assert not _given_up(initech, "broken.pdf")


def test_a_file_that_fails_every_time_ends_in_the_dead_letter_queue_with_a_reason_on_its_record(
    initech: Company,
) -> None:
    initech.deployment.embedding.down = True
    try:
        initech.put("notes/unlucky.md", NOTE)
        until(lambda: _given_up(initech, "unlucky.md"), "the message is in the dead-letter queue", timeout_s=300)
    finally:
        initech.deployment.embedding.down = False
    assert "could not be ingested" in initech.reconciled("notes/unlucky.md", "refused")["reason"]
    assert initech.agent("joe").search("When does the office in Zanzibar open?") == []


def _given_up(company: Company, name: str) -> bool:
    queue = company.deployment.stack.outputs["DeadLetterQueueUrl"]
    held = company.deployment.account.sqs.receive_message(QueueUrl=queue, VisibilityTimeout=0, MaxNumberOfMessages=10)
    bodies = [message.get("Body", "") for message in held.get("Messages", [])]
    # As the bucket told it, or as ingestion told itself to try it again.
    return any(company.tenant in body and f"notes/{name}" in body for body in bodies)
