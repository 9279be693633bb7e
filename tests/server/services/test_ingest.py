from dataclasses import replace

import pytest

from groundwire.domain.access.decision import earlier_decision
from groundwire.domain.access.policy import Policy
from groundwire.domain.access.policy_source import Ceiling, DeclaredPolicy
from groundwire.domain.documents.changes.lifecycle import with_ceiling
from groundwire.domain.documents.record import DocumentState
from groundwire.domain.errors import InvalidInput, NotFound, Unavailable
from groundwire.services.documents.reconcile import blob_key
from groundwire.services.ingest.deletions.administration import everybody_decides
from groundwire.services.ingest.request import IngestRequest, IngestResult, IngestStatus
from groundwire_readers.contents.parsed import Block, BlockKind, ParsedDocument
from tests.support.documents.plain_text_parser import UNREADABLE, PlainText
from tests.support.isolation.policies import NO_READERS, PUBLIC, for_users
from tests.support.worlds.world import World, caller

LEAVE = "The ledger grants thirty days."
NOTICE = "The ledger asks for a month of notice."


def found(world: World, tenant: str, user: str = "ana") -> set[str]:
    return world.search(caller(world.acting_key(tenant), user), "ledger").texts


def id_of(outcome: IngestResult) -> str:
    assert outcome.document is not None
    return outcome.document.doc_id


def test_a_new_file_answers_at_once(world: World, tenant: str) -> None:
    outcome = world.ingest(tenant, f"{LEAVE}\n\n{NOTICE}", PUBLIC, path="/nowhere/a.txt")
    assert outcome.status is IngestStatus.INDEXED
    assert outcome.embedded_count == 2
    assert found(world, tenant) == {LEAVE, NOTICE}


def test_an_unchanged_file_changes_nothing(world: World, tenant: str) -> None:
    first = world.ingest(tenant, LEAVE, PUBLIC, path="/nowhere/a.txt")
    again = world.ingest(tenant, LEAVE, PUBLIC, path="/nowhere/a.txt")
    assert again.status is IngestStatus.UNCHANGED
    assert again.document == first.document


def test_a_changed_file_is_a_new_version_and_only_its_new_passages_are_embedded(world: World, tenant: str) -> None:
    first = world.ingest(tenant, f"{LEAVE}\n\n{NOTICE}", PUBLIC, path="/nowhere/a.txt")
    changed = world.ingest(tenant, f"{LEAVE}\n\nThe ledger is closed.", PUBLIC, path="/nowhere/a.txt")
    assert changed.document is not None
    assert (id_of(changed), changed.document.version, changed.embedded_count) == (id_of(first), 2, 1)
    assert found(world, tenant) == {LEAVE, "The ledger is closed."}


def test_the_original_of_an_earlier_version_is_not_kept(world: World, tenant: str) -> None:
    doc_id = id_of(world.ingest(tenant, LEAVE, PUBLIC, path="/nowhere/a.txt"))
    world.ingest(tenant, NOTICE, PUBLIC, path="/nowhere/a.txt")
    assert world.services.stores.blobs.get(tenant, blob_key(doc_id, 2)) == NOTICE.encode()
    with pytest.raises(NotFound):
        world.services.stores.blobs.get(tenant, blob_key(doc_id, 1))


def test_the_same_content_under_another_policy_is_only_repolicied(world: World, tenant: str) -> None:
    world.ingest(tenant, LEAVE, PUBLIC, path="/nowhere/a.txt")
    outcome = world.ingest(tenant, LEAVE, for_users("ben"), path="/nowhere/a.txt")
    assert outcome.document is not None
    assert (outcome.status, outcome.embedded_count) == (IngestStatus.POLICY_CHANGED, 0)
    assert (outcome.document.version, outcome.document.policy_version) == (1, 2)
    assert found(world, tenant, "ana") == set()
    assert found(world, tenant, "ben") == {LEAVE}


def test_the_same_content_under_a_new_name_keeps_its_id_when_the_old_name_no_longer_exists(
    world: World, tenant: str
) -> None:
    first = world.ingest(tenant, LEAVE, PUBLIC, path="/nowhere/a.txt")
    renamed = world.ingest(tenant, LEAVE, PUBLIC, path="/nowhere/b.txt")
    assert (renamed.status, id_of(renamed)) == (IngestStatus.UPDATED, id_of(first))
    [segment] = world.search(caller(world.acting_key(tenant)), "ledger").segments
    assert segment["source_file_name"] == "b.txt"


def test_the_same_content_under_a_second_name_is_a_document_of_its_own_while_the_first_exists(
    world: World, tenant: str
) -> None:
    generation_state = world.services.settings.home / "registry.db"
    first = world.ingest(tenant, LEAVE, PUBLIC, path=str(generation_state))
    second = world.ingest(tenant, LEAVE, NO_READERS, path="/nowhere/b.txt")
    assert id_of(second) != id_of(first)
    assert found(world, tenant) == {LEAVE}


def test_a_file_that_cannot_be_read_is_refused_with_its_reason(world: World, tenant: str) -> None:
    outcome = world.ingest(tenant, UNREADABLE, PUBLIC, path="/nowhere/a.txt")
    assert (outcome.status, outcome.reason) == (IngestStatus.REFUSED, "the file is damaged")
    assert outcome.document is not None
    assert outcome.document.state is DocumentState.REFUSED
    assert found(world, tenant) == set()


def test_a_file_without_text_is_refused(world: World, tenant: str) -> None:
    outcome = world.ingest(tenant, " \n\n ", PUBLIC, path="/nowhere/a.txt")
    assert (outcome.status, outcome.reason) == (IngestStatus.REFUSED, "the file contains no text")


def test_an_earlier_version_goes_on_answering_when_the_new_file_is_refused_under_the_same_policy(
    world: World, tenant: str
) -> None:
    world.ingest(tenant, LEAVE, for_users("ana"), path="/nowhere/a.txt")
    outcome = world.ingest(tenant, UNREADABLE, for_users("ana"), path="/nowhere/a.txt")
    assert (outcome.status, outcome.reason) == (IngestStatus.REFUSED, "the file is damaged")
    assert outcome.document is not None
    assert (outcome.document.state, outcome.document.reason) == (DocumentState.INDEXED, "the file is damaged")
    assert found(world, tenant, "ana") == {LEAVE}


@pytest.mark.parametrize(
    ("before", "requested"), [(for_users("ana"), PUBLIC), (PUBLIC, for_users("ben")), (for_users("ana"), NO_READERS)]
)
def test_a_refused_file_with_another_policy_closes_the_earlier_version_to_everybody(
    world: World, tenant: str, before: Policy, requested: Policy
) -> None:
    world.ingest(tenant, LEAVE, before, path="/nowhere/a.txt", doc_id="memo")
    for _ in range(2):
        outcome = world.ingest(tenant, UNREADABLE, requested, path="/nowhere/a.txt", doc_id="memo")
        assert outcome.status is IngestStatus.REFUSED
        assert outcome.document is not None
        assert outcome.document.policy == NO_READERS
        assert outcome.document.reason == outcome.reason
        assert found(world, tenant, "ana") == found(world, tenant, "ben") == set()


def test_a_closed_version_reports_two_ways_to_open_it_and_both_work(world: World, tenant: str) -> None:
    world.ingest(tenant, LEAVE, for_users("ana"), path="/nowhere/a.txt", doc_id="memo")
    outcome = world.ingest(tenant, UNREADABLE, PUBLIC, path="/nowhere/a.txt", doc_id="memo")
    assert outcome.reason is not None
    assert outcome.reason.startswith("the file is damaged; ")
    assert "nobody can read the earlier version until a readable file is ingested" in outcome.reason
    world.services.administration.document_admin.override_policy(tenant, "memo", for_users("ben"))
    assert (found(world, tenant, "ana"), found(world, tenant, "ben")) == (set(), {LEAVE})
    world.ingest(tenant, UNREADABLE, PUBLIC, path="/nowhere/a.txt", doc_id="memo")
    assert found(world, tenant, "ben") == set()
    world.ingest(tenant, NOTICE, PUBLIC, path="/nowhere/a.txt", doc_id="memo")
    assert found(world, tenant, "ana") == {NOTICE}


def test_a_refused_file_does_not_stop_the_others(world: World, tenant: str) -> None:
    contents = {"/nowhere/a.txt": UNREADABLE, "/nowhere/b.txt": LEAVE.encode()}
    requests = [
        IngestRequest(
            tenant,
            "default",
            path,
            path[-5:],
            lambda content=content: content,
            DeclaredPolicy(PUBLIC, None),
            None,
            None,
        )
        for path, content in contents.items()
    ]
    batch = world.services.ingestion.batch(tenant, "default", requests, lambda _done, _total: None)
    assert [outcome.status for outcome in batch] == [IngestStatus.REFUSED, IngestStatus.INDEXED]
    assert found(world, tenant) == {LEAVE}


@pytest.mark.parametrize("where", ["text", "heading"])
def test_text_that_cannot_be_stored_refuses_its_document_and_the_next_comes_in(
    world: World, tenant: str, monkeypatch: pytest.MonkeyPatch, where: str
) -> None:
    read = PlainText.parse

    def broken(parser: PlainText, content: bytes, kind: str, **options: bool) -> ParsedDocument:
        parsed = read(parser, content, kind, **options)
        if content != NOTICE.encode():
            return parsed
        bad = {"text": "\ud800", "heading": "Fine."}[where]
        heading = {"text": "Fine", "heading": "\udfff"}[where]
        blocks = (Block(BlockKind.HEADING, heading, level=1), Block(BlockKind.PARAGRAPH, bad))
        return replace(parsed, blocks=blocks)

    world.ingest(tenant, "The ledger before.", PUBLIC, path="/nowhere/a.txt")
    monkeypatch.setattr(PlainText, "parse", broken)
    contents = {"/nowhere/a.txt": NOTICE, "/nowhere/b.txt": LEAVE}
    requests = [
        IngestRequest(tenant, "default", path, path[-5:], text.encode, DeclaredPolicy(PUBLIC, None), None, None)
        for path, text in contents.items()
    ]
    outcomes = list(world.services.ingestion.batch(tenant, "default", requests, lambda _done, _total: None))
    assert [outcome.status for outcome in outcomes] == [IngestStatus.REFUSED, IngestStatus.INDEXED]
    assert "the text of the file cannot be stored" in (outcomes[0].reason or "")
    assert found(world, tenant) == {"The ledger before.", LEAVE}
    assert world.services.stores.documents.stale_documents(tenant) == []


def test_a_store_that_does_not_answer_ends_the_run_and_earlier_work_is_kept(
    world: World, tenant: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    read = PlainText.parse

    def deleted(parser: PlainText, content: bytes, kind: str, **options: bool) -> ParsedDocument:
        if content == NOTICE.encode():
            raise Unavailable("The document parser does not start.")
        return read(parser, content, kind, **options)

    monkeypatch.setattr(PlainText, "parse", deleted)
    requests = [
        IngestRequest(
            tenant, "default", f"/nowhere/{text}", "a.txt", text.encode, DeclaredPolicy(PUBLIC, None), None, None
        )
        for text in (LEAVE, NOTICE, "The ledger after.")
    ]
    with pytest.raises(Unavailable):
        list(world.services.ingestion.batch(tenant, "default", requests, lambda _done, _total: None))
    assert found(world, tenant) == {LEAVE}


def test_a_document_that_comes_back_under_the_id_of_a_deleted_one_answers_anew(world: World, tenant: str) -> None:
    world.ingest(tenant, LEAVE, PUBLIC, path="/nowhere/a.txt", doc_id="leave")
    world.services.administration.document_admin.delete(tenant, "leave")
    world.services.administration.deletion_admin.restore(tenant, "leave", everybody_decides)
    outcome = world.ingest(tenant, LEAVE, for_users("ben"), path="/nowhere/b.txt", doc_id="leave")
    assert outcome.status is IngestStatus.INDEXED
    assert found(world, tenant, "ben") == {LEAVE}
    assert found(world, tenant, "ana") == set()


def test_a_restored_document_keeps_the_ceiling_that_a_person_set(world: World, tenant: str) -> None:
    world.ingest(tenant, LEAVE, PUBLIC, path="/nowhere/a.txt", doc_id="leave")
    documents = world.services.stores.documents
    current = documents.read(tenant, ["leave"])["leave"]
    documents.write(tenant, with_ceiling(current, Ceiling(for_users("ben"), earlier_decision(1.0))), current)
    world.services.administration.document_admin.delete(tenant, "leave")
    world.services.administration.deletion_admin.restore(tenant, "leave", everybody_decides)
    outcome = world.ingest(tenant, LEAVE, PUBLIC, path="/nowhere/a.txt", doc_id="leave")
    assert outcome.status is IngestStatus.INDEXED
    assert (found(world, tenant, "ben"), found(world, tenant, "ana")) == ({LEAVE}, set())


def test_a_document_changed_by_somebody_else_meanwhile_is_refused_and_their_change_is_kept(
    world: World, tenant: str
) -> None:
    world.ingest(tenant, LEAVE, PUBLIC, path="/nowhere/a.txt", doc_id="leave")

    def remove(_done: int, _total: int) -> None:
        world.services.administration.document_admin.override_policy(tenant, "leave", NO_READERS)

    request = IngestRequest(
        tenant, "default", "/nowhere/a.txt", "a.txt", NOTICE.encode, DeclaredPolicy(PUBLIC, None), "leave", None
    )
    [outcome] = world.services.ingestion.batch(tenant, "default", [request], remove)
    assert outcome.status is IngestStatus.CONFLICT
    assert "another process changed the document" in (outcome.reason or "")
    assert found(world, tenant) == set()
    assert world.services.stores.indexes.for_tenant(tenant).count_rows() == 1
    assert world.services.stores.documents.stale_documents(tenant) == []


def test_an_id_that_cannot_be_one_is_refused_before_anything_is_read(world: World, tenant: str) -> None:
    with pytest.raises(InvalidInput):
        world.ingest(tenant, LEAVE, PUBLIC, path="/nowhere/a.txt", doc_id="../leave")
    with pytest.raises(InvalidInput):
        world.ingest(tenant, LEAVE, PUBLIC, path="/nowhere/a.txt", collection="a/b")


def test_a_file_that_is_a_document_does_not_become_a_second_one_by_a_chosen_id(world: World, tenant: str) -> None:
    first = world.ingest(tenant, LEAVE, PUBLIC, path="/nowhere/a.txt")
    again = world.ingest(tenant, NOTICE, PUBLIC, path="/nowhere/a.txt", doc_id="leave")
    assert (again.status, again.document) == (IngestStatus.REFUSED, None)
    assert again.reason is not None
    assert id_of(first) in again.reason
    assert found(world, tenant) == {LEAVE}
