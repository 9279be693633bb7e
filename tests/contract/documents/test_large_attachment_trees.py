"""Many at once: a mail may carry more than any store writes in one step, and a list be longer than one answer."""

from dataclasses import replace

import pytest

from groundwire.domain import errors
from groundwire.domain.access.policy import NO_READERS
from groundwire.domain.documents.record import Document
from tests.support.registry.backends import Stores
from tests.support.registry.records import DOCUMENT, tenant, tombstone

MANY = [replace(DOCUMENT, doc_id=f"d-x{number:03}", parent="d-1", source_path=f"/{number}") for number in range(131)]
ATTACHMENT_TREE = [DOCUMENT, *MANY]


@pytest.fixture
def mailbox(shared_stores: Stores) -> Stores:
    shared_stores.tenants.add(tenant("t-acme"))
    shared_stores.documents.add_queued("t-acme", ATTACHMENT_TREE)
    return shared_stores


def closed(document: Document) -> Document:
    return replace(document, policy=NO_READERS, policy_version=document.policy_version + 1)


def test_it_changes_and_goes_as_a_whole(mailbox: Stores) -> None:
    mailbox.documents.write_attachment_tree("t-acme", [(closed(each), each) for each in ATTACHMENT_TREE])
    assert mailbox.documents.children("t-acme", "d-1") == [closed(each) for each in MANY]
    mailbox.documents.write_attachment_tree(
        "t-acme", [(tombstone(closed(each)), closed(each)) for each in ATTACHMENT_TREE]
    )
    assert mailbox.documents.all("t-acme", None) == []
    assert mailbox.documents.children("t-acme", "d-1") == []


@pytest.mark.parametrize("left_out", [MANY[0], MANY[-1]], ids=["first", "last"])
def test_a_conflict_at_the_first_write_leaves_the_attachment_tree_unchanged(
    mailbox: Stores, left_out: Document
) -> None:
    attachment_tree = [each for each in ATTACHMENT_TREE if each != left_out]
    with pytest.raises(errors.Conflict):
        mailbox.documents.write_attachment_tree("t-acme", [(closed(each), each) for each in attachment_tree])
    assert mailbox.documents.children("t-acme", "d-1") == MANY


def test_a_record_that_has_changed_leaves_it_as_it_was(mailbox: Stores) -> None:
    changed = closed(MANY[0])
    mailbox.documents.write("t-acme", changed, expected=MANY[0])
    with pytest.raises(errors.Conflict):
        mailbox.documents.write_attachment_tree("t-acme", [(closed(each), each) for each in ATTACHMENT_TREE])
    assert mailbox.documents.children("t-acme", "d-1") == [changed, *MANY[1:]]


def test_more_documents_can_be_read_at_once_than_a_search_needs(mailbox: Stores) -> None:
    ids = [f"d-x{number:03}" for number in range(2_000)]
    assert list(mailbox.documents.read("t-acme", ids).values()) == MANY
