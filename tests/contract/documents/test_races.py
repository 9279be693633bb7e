"""Writers that meet on one document or family: each step is whole or not at all, and nothing is lost."""

from dataclasses import replace

import pytest

from groundwire.domain import errors
from groundwire.domain.documents.record import Document
from tests.support.registry.backends import Stores
from tests.support.registry.races import race
from tests.support.registry.records import DOCUMENT, tenant

CHILD = replace(DOCUMENT, doc_id="d-child", parent="d-1", source_path="/docs/leave.pdf#a")


def test_of_racing_writers_of_one_version_exactly_one_succeeds(shared_stores: Stores) -> None:
    shared_stores.tenants.add(tenant("t-acme"))
    shared_stores.documents.write("t-acme", DOCUMENT, expected=None)

    def write(number: int) -> str | None:
        title = f"by writer {number}"
        try:
            shared_stores.documents.write("t-acme", replace(DOCUMENT, version=2, title=title), expected=DOCUMENT)
        except errors.Conflict:
            return None
        return title

    (winner,) = [title for title in race(12, write) if title is not None]
    assert shared_stores.documents.read("t-acme", ["d-1"])["d-1"].title == winner


def test_no_policy_change_is_lost_among_racing_writers_that_retry(shared_stores: Stores) -> None:
    shared_stores.tenants.add(tenant("t-acme"))
    shared_stores.documents.write("t-acme", DOCUMENT, expected=None)

    def grant(number: int) -> None:
        while True:
            current = shared_stores.documents.read("t-acme", ["d-1"])["d-1"]
            policy = replace(current.policy, users=current.policy.users | {f"user {number}"})
            changed = replace(current, policy=policy, policy_version=current.policy_version + 1)
            try:
                shared_stores.documents.write("t-acme", changed, expected=current)
            except errors.Conflict:
                continue
            return

    race(8, grant)
    final = shared_stores.documents.read("t-acme", ["d-1"])["d-1"]
    assert final.policy.users == DOCUMENT.policy.users | {f"user {number}" for number in range(8)}
    assert final.policy_version == DOCUMENT.policy_version + 8


def open_to(document: Document, user: str) -> Document:
    policy = replace(document.policy, users=frozenset({user}))
    return replace(document, policy=policy, policy_version=document.policy_version + 1)


def test_of_concurrent_changes_of_an_attachment_tree_one_applies_to_the_whole_tree(shared_stores: Stores) -> None:
    shared_stores.tenants.add(tenant("t-acme"))
    attachment_tree = [
        DOCUMENT,
        *(replace(CHILD, doc_id=f"d-{number}", source_path=f"/{number}") for number in range(2, 8)),
    ]
    shared_stores.documents.add_queued("t-acme", attachment_tree)

    def change(number: int) -> str | None:
        user = f"user {number}"
        try:
            shared_stores.documents.write_attachment_tree(
                "t-acme", [(open_to(each, user), each) for each in attachment_tree]
            )
        except errors.Conflict:
            return None
        return user

    (winner,) = [user for user in race(6, change) if user is not None]
    stored = shared_stores.documents.read("t-acme", [each.doc_id for each in attachment_tree])
    assert {each.policy.users for each in stored.values()} == {frozenset({winner})}


@pytest.mark.parametrize("attempt", range(5))
def test_no_attachment_comes_in_under_a_policy_that_its_mail_no_longer_has(shared_stores: Stores, attempt: int) -> None:
    shared_stores.tenants.add(tenant("t-acme"))
    shared_stores.documents.write("t-acme", DOCUMENT, expected=None)

    def act(number: int) -> bool:
        try:
            if number == 0:
                shared_stores.documents.write_attachment_tree("t-acme", [(open_to(DOCUMENT, "cleo"), DOCUMENT)])
            else:
                shared_stores.documents.add_queued("t-acme", [CHILD])
                shared_stores.documents.write_all("t-acme", [(DOCUMENT, DOCUMENT)])
        except errors.Conflict:
            return False
        return True

    assert race(2, act).count(True) == 1


def test_of_callers_that_queue_the_same_documents_nobody_fails_and_each_is_there_once(shared_stores: Stores) -> None:
    shared_stores.tenants.add(tenant("t-acme"))
    some = [replace(CHILD, doc_id=f"d-{number}", source_path=f"/{number}") for number in range(60)]
    race(6, lambda number: shared_stores.documents.add_queued("t-acme", some[number * 5 :] + some[: number * 5]))
    assert len(shared_stores.documents.children("t-acme", "d-1")) == 60
    assert [shared_stores.documents.from_source("t-acme", "handbook", f"/{n}", "d-1").living for n in range(60)] == some
