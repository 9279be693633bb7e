"""Each file that comes by the bucket or by a ticket is one line of the audit log, and so is each change of readers."""

import hashlib
import time
from typing import Any, cast

from groundwire.domain.access.policy import NO_READERS
from groundwire.domain.documents.uploads import TICKET_SECONDS, Upload
from tests.support.aws.ingestion_stack import TENANT, Deployment
from tests.support.isolation.policies import PUBLIC

PATH = "handbook/leave.txt"


def lines(stack: Deployment) -> list[dict[str, Any]]:
    return [cast("dict[str, Any]", dict(line)) for line in stack.audit.lines if line.get("action") == "ingest"]


def changes(line: dict[str, Any]) -> list[tuple[str, str]]:
    return [(change["document"], change["status"]) for change in line["changes"]]


def test_a_file_of_the_bucket_is_a_line_with_its_document_and_policy(stack: Deployment) -> None:
    stack.deliver(stack.bucket.put(PATH, "Thirty days."))
    doc_id = stack.document("leave.txt").doc_id
    [line] = lines(stack)
    assert (line["phase"], line["origin"], line["tenant"], line["collection"]) == (
        "batch",
        "object",
        TENANT,
        "handbook",
    )
    assert "run" not in line
    assert changes(line) == [(doc_id, "indexed")]
    assert line["changes"][0]["policy_digest"]

    stack.deliver(stack.bucket.delete(PATH))
    assert [change["document"] for change in lines(stack)[-1]["changes"]] == [doc_id]


def test_a_changed_policy_file_is_a_line_with_the_readers_before_and_after(stack: Deployment) -> None:
    stack.deliver(stack.bucket.put(PATH, "Thirty days."))
    stack.deliver(stack.bucket.put("handbook/.policy.yaml", "users: [ann]\n"))
    line = lines(stack)[-1]
    assert changes(line) == [(stack.document("leave.txt").doc_id, "repolicied")]
    [change] = line["changes"]
    assert (change["policy_before"]["users"], change["policy_after"]["users"]) == ([], ["ann"])


def test_readers_do_not_change_before_their_line_is_written(stack: Deployment) -> None:
    stack.deliver(stack.bucket.put(PATH, "Thirty days."))
    policy_file = stack.bucket.put("handbook/.policy.yaml", "users: [ann]\n")
    stack.audit.failures = 1
    stack.deliver(policy_file)
    assert stack.document("leave.txt").policy == NO_READERS

    stack.drain()
    assert stack.document("leave.txt").policy.users == {"ann"}
    assert changes(lines(stack)[-1]) == [(stack.document("leave.txt").doc_id, "repolicied")]


def test_a_removed_file_has_its_line_though_it_could_not_be_written_at_first(stack: Deployment) -> None:
    stack.deliver(stack.bucket.put(PATH, "Thirty days."))
    doc_id, removal = stack.document("leave.txt").doc_id, stack.bucket.delete(PATH)
    stack.audit.failures = 1
    stack.deliver(removal)
    assert stack.document("leave.txt").doc_id == doc_id
    stack.drain()
    assert stack.documents() == []
    assert changes(lines(stack)[-1]) == [(doc_id, "deleting")]


def test_a_file_of_a_ticket_is_a_line_before_the_ticket_has_ended(stack: Deployment) -> None:
    content = b"Thirty days."
    digest = hashlib.sha256(content).hexdigest()
    upload = Upload("up_1", "leave", "handbook", "leave.txt", digest, PUBLIC, time.time() + TICKET_SECONDS)
    stack.services.stores.uploads.add(TENANT, upload)
    stack.deliver(stack.bucket.put("handbook/.uploads/up_1/file", content))
    [line] = lines(stack)
    assert (line["origin"], changes(line)) == ("upload", [("leave", "indexed")])
