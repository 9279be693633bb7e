"""A policy file that cannot be parsed changes nobody's readers, and opens no document that its subtree gets later."""

import pytest

from groundwire.domain.access.policy import NO_READERS, Policy
from groundwire.domain.access.policy_source import PolicySource
from groundwire.domain.documents.record import DocumentState
from tests.support.aws.ingestion_stack import TENANT, Deployment

STAFF = Policy(public=False, users=frozenset(), any_tags=frozenset({"staff"}), all_tags=frozenset())
ANN = Policy(public=False, users=frozenset({"ann"}), any_tags=frozenset(), all_tags=frozenset())
FILE = "handbook/.policy.yaml"
REFUSED = {
    "an unknown field": "any_tag: [staff]\n",
    "no YAML": "users: [ann\n",
    "an alias": "users: &all [ann]\nany_tags: *all\n",
    "a merge key": "<<: {public: true}\n",
    "a list as a name": "? [public]\n: true\n",
    "a mapping within": "users: {ann: true}\n",
    "no UTF-8": "",
    "too long": "#" * 512_001,
}


def put_refused(stack: Deployment, kind: str) -> list[str]:
    return stack.deliver(stack.bucket.put(FILE, REFUSED[kind] or b"\xff\xfe"))


@pytest.mark.parametrize("kind", REFUSED)
def test_documents_keep_their_readers_new_ones_have_none_and_the_message_fails_by_name(
    stack: Deployment, caplog: pytest.LogCaptureFixture, kind: str
) -> None:
    stack.deliver(stack.bucket.put(FILE, "any_tags: [staff]\n"), stack.bucket.put("handbook/a.txt", "one"))
    assert put_refused(stack, kind) == ["0"]
    assert FILE in caplog.text
    stack.deliver(stack.bucket.put("handbook/b.txt", "two"))
    stack.drain()
    assert (stack.document("a.txt").policy, stack.document("a.txt").reason) == (STAFF, None)
    new = stack.document("b.txt")
    assert (new.state, new.policy) == (DocumentState.REFUSED, NO_READERS)
    assert FILE in str(new.reason)


def test_content_that_is_put_below_it_waits_and_the_earlier_version_answers_its_own_readers(
    stack: Deployment,
) -> None:
    stack.deliver(stack.bucket.put(FILE, "any_tags: [staff]\n"), stack.bucket.put("handbook/a.txt", "one"))
    put_refused(stack, "no YAML")
    assert stack.deliver(stack.bucket.put("handbook/a.txt", "two")) == []
    kept = stack.document("a.txt")
    assert (kept.state, kept.version, kept.policy) == (DocumentState.INDEXED, 1, STAFF)
    assert FILE in str(kept.reason)


def test_what_was_put_below_it_comes_in_under_the_file_that_replaces_it(stack: Deployment) -> None:
    stack.deliver(stack.bucket.put(FILE, "any_tags: [staff]\n"), stack.bucket.put("handbook/a.txt", "one"))
    put_refused(stack, "no YAML")
    stack.deliver(stack.bucket.put("handbook/a.txt", "two"), stack.bucket.put("handbook/b.txt", "new"))
    assert stack.deliver(stack.bucket.put(FILE, "users: [ann]\n")) == []
    stack.drain()
    found = {each.source_file_name: (each.policy, each.version, each.reason) for each in stack.documents()}
    assert found == {"a.txt": (ANN, 2, None), "b.txt": (ANN, 1, None)}


def test_a_policy_set_manually_before_or_below_it_stays(stack: Deployment) -> None:
    stack.deliver(stack.bucket.put(FILE, "any_tags: [staff]\n"), stack.bucket.put("handbook/a.txt", "one"))
    stack.services.administration.document_admin.override_policy(TENANT, stack.document("a.txt").doc_id, ANN)
    put_refused(stack, "no YAML")
    stack.deliver(stack.bucket.put("handbook/a.txt", "two"))
    kept = stack.document("a.txt")
    assert (kept.policy, kept.policy_source) == (ANN, PolicySource.MANUAL)
    stack.services.administration.document_admin.override_policy(TENANT, kept.doc_id, NO_READERS)
    assert stack.document("a.txt").policy == NO_READERS


def test_below_one_in_a_folder_above_nobodys_readers_change_either(stack: Deployment) -> None:
    stack.deliver(stack.bucket.put(FILE, "any_tags: [staff]\n"), stack.bucket.put("handbook/pay/a.txt", "one"))
    stack.deliver(stack.bucket.put("handbook/pay/.policy.yaml", "users: [ann\n"))
    assert stack.deliver(stack.bucket.put(FILE, "public: true\n")) == []
    assert stack.document("a.txt").policy == STAFF
    assert stack.deliver(stack.bucket.delete("handbook/pay/.policy.yaml")) == []
    assert stack.document("a.txt").policy.public


def test_a_file_too_large_leaves_its_reason_with_the_version_that_goes_on_answering(
    stack: Deployment, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("groundwire.services.object_events.object_ingestion.MAX_DOCUMENT_BYTES", 10)
    stack.deliver(stack.bucket.put("handbook/a.txt", "one"))
    assert stack.deliver(stack.bucket.put("handbook/a.txt", "two " * 10)) == []
    kept = stack.document("a.txt")
    assert (kept.state, kept.version) == (DocumentState.INDEXED, 1)
    assert "the file is larger than" in str(kept.reason)
