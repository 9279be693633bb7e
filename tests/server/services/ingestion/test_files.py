"""Files that come, change and go; who may read them."""

import json
from dataclasses import replace

import pytest

from groundwire.domain.access.decision import Decision
from groundwire.domain.access.policy import NO_READERS, Policy
from groundwire.domain.documents.deletion import DeletionExtent
from groundwire.domain.documents.record import DocumentState
from groundwire.domain.documents.source_file import Contributor
from groundwire.ports import DocumentVersion
from groundwire.services.ingest.deletions.administration import everybody_decides
from groundwire.services.ingest.source_objects.source_paths import SourcePath
from tests.support.aws.ingestion_stack import TENANT, Deployment
from tests.support.documents.mail_parser import mail
from tests.support.documents.plain_text_parser import UNREADABLE

SALES = Policy(public=False, users=frozenset(), any_tags=frozenset({"sales"}), all_tags=frozenset())
STAFF = Policy(public=False, users=frozenset(), any_tags=frozenset({"staff"}), all_tags=frozenset())
SALES_FILE = "any_tags: [sales]\n"
STAFF_FILE = "any_tags: [staff]\n"


def test_a_file_that_is_put_answers_and_one_that_is_taken_away_does_not(stack: Deployment) -> None:
    assert stack.deliver(stack.bucket.put("handbook/leave.txt", "Thirty days.")) == []
    document = stack.document("leave.txt")
    assert (document.state, document.collection, document.policy) == (DocumentState.INDEXED, "handbook", NO_READERS)
    assert stack.services.stores.blobs.get(TENANT, str(document.blob)) == b"Thirty days."
    assert stack.deliver(stack.bucket.delete("handbook/leave.txt")) == []
    assert stack.documents() == []
    assert (
        stack.services.stores.documents.read(TENANT, [document.doc_id])[document.doc_id].state is DocumentState.DELETED
    )
    assert stack.services.stores.indexes.for_tenant(TENANT).count_rows() == 0


def test_a_changed_file_is_a_new_version(stack: Deployment) -> None:
    stack.deliver(stack.bucket.put("handbook/leave.txt", "Thirty days."))
    stack.deliver(stack.bucket.put("handbook/leave.txt", "Thirty-one days."))
    document = stack.document("leave.txt")
    assert document.version == 2
    [segment] = stack.services.stores.indexes.for_tenant(TENANT).segments(DocumentVersion(document.doc_id, 2))
    assert segment.text == "Thirty-one days."


def test_the_nearest_policy_file_counts_and_the_objects_own_policy_goes_before_it(stack: Deployment) -> None:
    own = json.dumps({"users": ["ann"]})
    stack.deliver(
        stack.bucket.put(".policy.yaml", STAFF_FILE),
        stack.bucket.put("handbook/sales/.policy.yaml", SALES_FILE),
        stack.bucket.put("handbook/a.txt", "one"),
        stack.bucket.put("handbook/sales/deep/b.txt", "two"),
        stack.bucket.put("handbook/sales/c.txt", "three", groundwire_policy=own),
    )
    assert stack.document("a.txt").policy == STAFF
    assert stack.document("b.txt").policy == SALES
    assert stack.document("c.txt").policy.users == {"ann"}


def test_a_policy_file_that_changes_or_goes_is_followed_below_and_by_nobody_else(stack: Deployment) -> None:
    stack.deliver(
        stack.bucket.put("handbook/.policy.yaml", STAFF_FILE),
        stack.bucket.put("handbook/a.txt", "one"),
        stack.bucket.put("handbook/sales/b.txt", "two"),
        stack.bucket.put("handbook/sales/own.txt", "three", groundwire_policy='{"public": true}'),
        stack.bucket.put("handbook/sales/closed.txt", "four"),
        stack.bucket.put("other/c.txt", "five"),
    )
    stack.services.administration.document_admin.override_policy(TENANT, stack.document("closed.txt").doc_id, SALES)

    def policies() -> dict[str, Policy]:
        return {each.source_file_name: each.policy for each in stack.documents()}

    fixed = {"own.txt": stack.document("own.txt").policy, "closed.txt": SALES, "c.txt": NO_READERS}
    assert policies() == {"a.txt": STAFF, "b.txt": STAFF, **fixed}
    stack.deliver(stack.bucket.put("handbook/sales/.policy.yaml", SALES_FILE))
    assert policies() == {"a.txt": STAFF, "b.txt": SALES, **fixed}
    stack.deliver(stack.bucket.delete("handbook/sales/.policy.yaml"))
    assert policies() == {"a.txt": STAFF, "b.txt": STAFF, **fixed}
    stack.deliver(stack.bucket.delete("handbook/.policy.yaml"))
    assert policies() == {"a.txt": NO_READERS, "b.txt": NO_READERS, **fixed}


def test_what_metadata_files_say_follows_when_they_change(stack: Deployment) -> None:
    stack.deliver(
        stack.bucket.put("handbook/.meta.yaml", "team: people\nyear: 2023\n"),
        stack.bucket.put("handbook/a.txt.meta.yaml", "year: 2024\ndoc_id: leave\nsource_url: https://x.example/a\n"),
        stack.bucket.put("handbook/a.txt", "one"),
    )
    stack.drain()
    document = stack.document("a.txt")
    assert (document.doc_id, document.source_url) == ("leave", "https://x.example/a")
    assert document.metadata == {"team": "people", "year": 2024.0}
    stack.deliver(stack.bucket.put("handbook/.meta.yaml", "team: travel\n"))
    assert stack.drain() == 1
    assert stack.document("a.txt").metadata == {"team": "travel", "year": 2024.0}
    stack.deliver(stack.bucket.delete("handbook/a.txt.meta.yaml"))
    assert stack.document("a.txt").metadata == {"team": "travel"}


def test_an_address_in_a_side_file_is_cleaned_and_one_that_is_none_is_refused_with_its_reason(
    stack: Deployment,
) -> None:
    stack.deliver(
        stack.bucket.put("handbook/.policy.yaml", STAFF_FILE),
        stack.bucket.put("handbook/a.txt.meta.yaml", "source_url: https://x.example/leave (1).pdf\n"),
        stack.bucket.put("handbook/a.txt", "one"),
    )
    stack.drain()
    assert stack.document("a.txt").source_url == "https://x.example/leave%20%281%29.pdf"
    stack.deliver(stack.bucket.put("handbook/a.txt.meta.yaml", "source_url: intranet\n"))
    stack.drain()
    kept = stack.document("a.txt")
    assert (kept.state, kept.policy) == (DocumentState.INDEXED, STAFF)
    assert "start with http" in str(kept.reason)


def test_a_file_replaces_no_document_of_another_collection_by_naming_its_id(stack: Deployment) -> None:
    stack.deliver(
        stack.bucket.put("board/.policy.yaml", STAFF_FILE),
        stack.bucket.put("board/a.txt.meta.yaml", "doc_id: minutes\n"),
        stack.bucket.put("board/a.txt", "one"),
    )
    [theirs] = stack.documents()
    stack.deliver(
        stack.bucket.put("handbook/b.txt.meta.yaml", "doc_id: minutes\n"), stack.bucket.put("handbook/b.txt", "two")
    )
    refused = stack.document("b.txt")
    assert (refused.state, refused.doc_id == "minutes") == (DocumentState.REFUSED, False)
    assert "another collection" in str(refused.reason)
    assert [each for each in stack.documents() if each.doc_id == "minutes"] == [theirs]


def with_id_of_another_collection(stack: Deployment) -> None:
    """A document that took an id early, and then the file of a bucket for which the id was meant."""
    stack.deliver(
        stack.bucket.put("board/a.txt.meta.yaml", "doc_id: minutes\n"), stack.bucket.put("board/a.txt", "one")
    )
    stack.deliver(stack.bucket.put("handbook/b.txt.meta.yaml", "doc_id: minutes\n"))


def test_whoever_took_an_id_early_is_deleted_and_forgotten_as_the_refusal_states(stack: Deployment) -> None:
    with_id_of_another_collection(stack)
    stack.deliver(stack.bucket.put("handbook/b.txt", "two"))
    assert "delete and forget that document, and put the file again" in str(stack.document("b.txt").reason)
    stack.services.administration.document_admin.delete(TENANT, "minutes")
    stack.deliver(stack.bucket.put("handbook/b.txt", "two"))
    # The deletion belongs to the other collection, where it must last.
    assert stack.document("b.txt").state is DocumentState.REFUSED
    stack.services.administration.deletion_admin.forget(TENANT, "minutes", everybody_decides)
    stack.deliver(stack.bucket.put("handbook/b.txt", "two"))
    minutes = stack.services.stores.documents.read(TENANT, ["minutes"])["minutes"]
    assert (minutes.state, minutes.collection, minutes.source_file_name) == (
        DocumentState.INDEXED,
        "handbook",
        "b.txt",
    )


def test_a_deletion_that_holds_for_the_files_of_one_person_keeps_no_id_from_a_bucket(stack: Deployment) -> None:
    with_id_of_another_collection(stack)
    documents = stack.services.stores.documents
    taken = documents.read(TENANT, ["minutes"])["minutes"]
    by_key = replace(taken, contributor=Contributor("KIDKIDKIDKID", "eve"))
    documents.write(TENANT, by_key, taken)
    stack.services.administration.document_admin.delete_if(
        TENANT,
        "minutes",
        Decision("eve", 0.0, "KIDKIDKIDKID", ""),
        everybody_decides,
        lambda _document: DeletionExtent.OWN,
    )
    stack.deliver(stack.bucket.put("handbook/b.txt", "two"))
    minutes = stack.document("b.txt")
    assert (minutes.doc_id, minutes.state, minutes.collection) == ("minutes", DocumentState.INDEXED, "handbook")


def test_the_same_file_put_again_changes_nothing(stack: Deployment) -> None:
    stack.deliver(stack.bucket.put("handbook/a.txt", "one"))
    before = stack.document("a.txt")
    stack.deliver(stack.bucket.put("handbook/a.txt", "one"))
    assert stack.document("a.txt") == before


def test_an_unreadable_file_is_refused_with_its_reason_and_is_no_failure(stack: Deployment) -> None:
    assert stack.deliver(stack.bucket.put("handbook/a.txt", UNREADABLE)) == []
    document = stack.document("a.txt")
    assert (document.state, document.reason) == (DocumentState.REFUSED, "the file is damaged")
    assert document.version == 0


def test_an_event_of_a_deleted_or_disappearing_tenant_leaves_no_trace(stack: Deployment) -> None:
    event = stack.bucket.put("handbook/a.txt", "one", of="t-unknown")
    assert stack.deliver(event) == []
    assert stack.services.stores.documents.all("t-unknown", None) == []
    stack.services.stores.tenants.mark_deleting(TENANT)
    assert stack.deliver(stack.bucket.put("handbook/a.txt", "one")) == []
    assert (stack.documents(), stack.sent()) == ([], [])


@pytest.mark.parametrize(
    "path", [".blobs/d-1%2f1", "handbook/.hidden.txt", "handbook/.git/config", "loose.txt", "handbook/"]
)
def test_what_is_no_document_by_its_place_is_passed_over(stack: Deployment, path: str) -> None:
    assert stack.deliver(stack.bucket.put(path, "x")) == []
    assert stack.documents() == []


def test_a_mail_is_ingested_and_deleted_with_its_attachments(stack: Deployment) -> None:
    stack.deliver(
        stack.bucket.put("mails/.policy.yaml", STAFF_FILE),
        stack.bucket.put("mails/m.eml", mail("See the list.", {"list.txt": b"Ledger"})),
    )
    assert stack.document("list.txt").policy == STAFF
    stack.deliver(stack.bucket.put("mails/.policy.yaml", SALES_FILE))
    assert stack.document("list.txt").policy == SALES
    stack.deliver(stack.bucket.delete("mails/m.eml"))
    assert stack.documents() == []


def test_metadata_files_do_not_undo_a_policy_that_was_set_manually(stack: Deployment) -> None:
    stack.deliver(stack.bucket.put("handbook/.policy.yaml", STAFF_FILE), stack.bucket.put("handbook/a.txt", "one"))
    stack.services.administration.document_admin.override_policy(TENANT, stack.document("a.txt").doc_id, NO_READERS)
    stack.deliver(stack.bucket.put("handbook/.meta.yaml", "team: people\n"))
    stack.deliver(stack.bucket.put("handbook/a.txt.meta.yaml", "year: 2024\n"))
    stack.drain()
    document = stack.document("a.txt")
    assert (document.policy, document.metadata) == (NO_READERS, {"team": "people", "year": 2024.0})


def test_a_file_of_a_type_that_is_not_read_makes_no_record(stack: Deployment) -> None:
    assert stack.deliver(stack.bucket.put("handbook/site.css", "a { color: red }")) == []
    assert stack.documents() == []
    assert stack.deliver(stack.bucket.put("handbook/old.doc", "Thirty days.")) == []
    assert [each.source_file_name for each in stack.documents()] == ["old.doc"]


@pytest.mark.parametrize("name", ["~$leave.docx", ".~lock.leave.odt#"])
def test_the_lock_file_of_an_open_document_is_no_document(stack: Deployment, name: str) -> None:
    assert stack.deliver(stack.bucket.put(f"handbook/{name}", "Ann Author")) == []
    assert stack.documents() == []


def test_a_lock_file_that_an_earlier_release_indexed_follows_its_policy_and_its_removal(
    stack: Deployment, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = "handbook/~$leave.md"
    with monkeypatch.context() as earlier:
        earlier.setattr(SourcePath, "is_lock_file", False)
        assert stack.deliver(stack.bucket.put(name, "Thirty days.")) == []
    [indexed] = stack.documents()
    assert indexed.state is DocumentState.INDEXED

    assert stack.deliver(stack.bucket.put("handbook/.policy.yaml", "users: [ann]\n")) == []
    assert stack.documents()[0].policy.users == {"ann"}

    assert stack.deliver(stack.bucket.delete(name)) == []
    assert [each.state for each in stack.documents()] != [DocumentState.INDEXED]
