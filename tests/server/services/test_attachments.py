"""Attachments are documents of their own that are ingested and deleted with their mail."""

import pytest

from groundwire.adapters.local.registry.documents import SqliteDocuments
from groundwire.domain.access.policy import Policy
from groundwire.domain.access.policy_source import DeclaredPolicy
from groundwire.domain.documents.record import Document, DocumentState
from groundwire.domain.errors import InvalidInput
from groundwire.domain.limits import MAX_NESTED_MAILS
from groundwire.services.ingest.deletions.administration import everybody_decides
from groundwire.services.ingest.request import IngestRequest, IngestResult, IngestStatus
from tests.support.documents.mail_parser import Mails, mail
from tests.support.documents.plain_text_parser import UNREADABLE
from tests.support.isolation.policies import NO_READERS, PUBLIC, for_users
from tests.support.worlds.exchange import exchange
from tests.support.worlds.world import World, caller

LETTER, SERVER_DEFINITION, TERMS = "The ledger letter.", "The ledger offer.", "The ledger terms."
PATH = "/nowhere/letter.eml"
WHOLE = mail(LETTER, {"offer.txt": SERVER_DEFINITION.encode(), "terms.txt": TERMS.encode()})


@pytest.fixture(autouse=True)
def parser(world: World) -> Mails:
    parser = Mails()
    exchange(world.services, parser=parser)
    return parser


def ingest(world: World, tenant: str, content: bytes, policy: Policy = PUBLIC, path: str = PATH) -> list[IngestResult]:
    request = IngestRequest(
        tenant,
        "default",
        path,
        path.rpartition("/")[2],
        lambda: content,
        DeclaredPolicy(policy, None),
        None,
        None,
        {"year": 2024.0},
    )
    return list(world.services.ingestion.batch(tenant, "default", [request], lambda _done, _total: None))


def statuses(outcomes: list[IngestResult]) -> dict[str, str]:
    return {outcome.file_name: outcome.status.value for outcome in outcomes}


def found(world: World, tenant: str, user: str = "ana") -> set[str]:
    return world.search(caller(world.acting_key(tenant), user), "ledger").texts


def living(world: World, tenant: str) -> dict[str, Document]:
    return {document.source_file_name: document for document in world.services.stores.documents.all(tenant, None)}


def test_attachments_answer_under_the_policy_collection_and_metadata_of_their_mail(world: World, tenant: str) -> None:
    outcomes = ingest(world, tenant, WHOLE, for_users("ana"))
    assert statuses(outcomes) == {"letter.eml": "indexed", "offer.txt": "indexed", "terms.txt": "indexed"}
    assert (found(world, tenant), found(world, tenant, "ben")) == ({LETTER, SERVER_DEFINITION, TERMS}, set())
    records = living(world, tenant)
    letter, server_definition = records["letter.eml"], records["offer.txt"]
    assert (server_definition.parent, server_definition.source_path) == (letter.doc_id, f"{PATH}#offer.txt")
    assert server_definition.metadata == letter.metadata == {"year": 2024.0}


def test_an_unchanged_mail_is_not_even_parsed(world: World, tenant: str, parser: Mails) -> None:
    ingest(world, tenant, WHOLE)
    before, parsed = living(world, tenant), parser.parsed
    assert statuses(ingest(world, tenant, WHOLE)) == {"letter.eml": "unchanged"}
    assert (living(world, tenant), parser.parsed) == (before, parsed)


def test_a_changed_mail_keeps_its_attachments_and_discards_those_it_no_longer_has(world: World, tenant: str) -> None:
    ingest(world, tenant, WHOLE)
    before = living(world, tenant)
    outcomes = ingest(world, tenant, mail(f"{LETTER}\n\nThe ledger again.", {"offer.txt": SERVER_DEFINITION.encode()}))
    assert statuses(outcomes) == {"letter.eml": "indexed", "offer.txt": "unchanged"}
    assert outcomes[0].embedded_count == 1
    assert living(world, tenant)["offer.txt"] == before["offer.txt"]
    assert found(world, tenant) == {LETTER, SERVER_DEFINITION, "The ledger again."}
    deleted_ids = world.services.stores.documents.read(tenant, [before["terms.txt"].doc_id])
    assert [each.state for each in deleted_ids.values()] == [DocumentState.DELETED]


@pytest.mark.parametrize("by_file", [True, False])
def test_attachments_follow_the_policy_of_their_mail_at_once(world: World, tenant: str, by_file: bool) -> None:  # noqa: FBT001
    ingest(world, tenant, WHOLE)
    if by_file:
        assert statuses(ingest(world, tenant, WHOLE, for_users("ben"))) == {"letter.eml": "repolicied"}
    else:
        letter = living(world, tenant)["letter.eml"]
        world.services.administration.document_admin.override_policy(tenant, letter.doc_id, for_users("ben"))
    assert (found(world, tenant), found(world, tenant, "ben")) == (set(), {LETTER, SERVER_DEFINITION, TERMS})


def test_attachments_go_with_their_mail(world: World, tenant: str) -> None:
    ingest(world, tenant, WHOLE)
    world.services.administration.document_admin.delete(tenant, living(world, tenant)["letter.eml"].doc_id)
    assert (found(world, tenant), living(world, tenant)) == (set(), {})
    assert world.services.stores.indexes.for_tenant(tenant).count_rows() == 0
    assert not list((world.services.settings.home / "tenants" / tenant / "blobs").iterdir())


def test_a_mail_that_can_no_longer_be_read_under_another_policy_closes_its_attachments_too(
    world: World, tenant: str
) -> None:
    ingest(world, tenant, WHOLE)
    ingest(world, tenant, b"damaged", PUBLIC)
    assert found(world, tenant) == {LETTER, SERVER_DEFINITION, TERMS}
    ingest(world, tenant, b"damaged", for_users("ana"))
    assert found(world, tenant) == set()
    assert {each.policy for each in living(world, tenant).values()} == {NO_READERS}


def test_an_attachment_that_was_closed_stays_closed_whatever_comes_of_its_mail(world: World, tenant: str) -> None:
    ingest(world, tenant, WHOLE, for_users("ana"))
    broken = mail(LETTER, {"offer.txt": UNREADABLE})
    ingest(world, tenant, broken, PUBLIC)
    assert found(world, tenant, "ben") == {LETTER}
    for content, path in ((broken, PATH), (broken, "/nowhere/moved.eml"), (b"damaged", "/nowhere/moved.eml")):
        for policy in (PUBLIC, for_users("ben"), PUBLIC):
            ingest(world, tenant, content, policy, path)
            assert SERVER_DEFINITION not in found(world, tenant, "ana") | found(world, tenant, "ben")
    assert "nobody can read the earlier version" in (living(world, tenant)["offer.txt"].reason or "")
    ingest(world, tenant, WHOLE, for_users("ben"), "/nowhere/moved.eml")
    assert found(world, tenant, "ben") == {LETTER, SERVER_DEFINITION, TERMS}


def test_an_attachment_of_an_earlier_mail_is_closed_when_the_mail_has_other_readers(world: World, tenant: str) -> None:
    ingest(world, tenant, WHOLE, for_users("ana"))
    broken = mail(LETTER, {"offer.txt": UNREADABLE})
    ingest(world, tenant, broken, for_users("ana"))
    assert found(world, tenant) == {LETTER, SERVER_DEFINITION}
    ingest(world, tenant, broken, PUBLIC)
    assert found(world, tenant) == found(world, tenant, "ben") == {LETTER}


def test_a_mail_under_a_new_name_takes_its_attachments_along(world: World, tenant: str) -> None:
    ingest(world, tenant, WHOLE)
    before = living(world, tenant)
    assert statuses(ingest(world, tenant, WHOLE, path="/nowhere/moved.eml")) == {"moved.eml": "updated"}
    after = living(world, tenant)
    assert after["offer.txt"].source_path == "/nowhere/moved.eml#offer.txt"
    assert {each.doc_id for each in after.values()} == {each.doc_id for each in before.values()}


def test_the_same_attachment_of_two_mails_is_two_documents(world: World, tenant: str) -> None:
    ingest(world, tenant, WHOLE, for_users("ana"))
    ingest(
        world,
        tenant,
        mail("The ledger other.", {"offer.txt": SERVER_DEFINITION.encode()}),
        for_users("ben"),
        "/nowhere/b.eml",
    )
    assert found(world, tenant) == {LETTER, SERVER_DEFINITION, TERMS}
    assert found(world, tenant, "ben") == {"The ledger other.", SERVER_DEFINITION}


def test_an_attachment_cannot_be_changed_by_itself_and_its_mail_is_named(world: World, tenant: str) -> None:
    ingest(world, tenant, WHOLE)
    records = living(world, tenant)
    server_definition, letter = records["offer.txt"].doc_id, records["letter.eml"].doc_id
    administration = world.services.administration.document_admin
    for change in (
        lambda: administration.delete(tenant, server_definition),
        lambda: administration.override_policy(tenant, server_definition, NO_READERS),
    ):
        with pytest.raises(InvalidInput, match=rf"offer\.txt is an attachment of letter\.eml \({letter}\)"):
            change()
    assert living(world, tenant) == records


def test_an_attachment_that_cannot_be_read_is_refused_alone(world: World, tenant: str) -> None:
    outcomes = ingest(world, tenant, mail(LETTER, {"bad.txt": UNREADABLE, "offer.txt": SERVER_DEFINITION.encode()}))
    assert statuses(outcomes) == {"letter.eml": "indexed", "bad.txt": "refused", "offer.txt": "indexed"}
    assert {each.file_name: each.reason for each in outcomes if each.reason} == {"bad.txt": "the file is damaged"}
    assert found(world, tenant) == {LETTER, SERVER_DEFINITION}


def test_a_mail_without_text_is_ingested_with_its_attachments(world: World, tenant: str) -> None:
    assert statuses(ingest(world, tenant, mail("", {"offer.txt": SERVER_DEFINITION.encode()}))) == {
        "letter.eml": "indexed",
        "offer.txt": "indexed",
    }
    assert statuses(ingest(world, tenant, mail("", {"offer.txt": SERVER_DEFINITION.encode()}))) == {
        "letter.eml": "unchanged"
    }


def test_attachments_of_one_name_are_all_kept(world: World, tenant: str) -> None:
    ingest(world, tenant, mail(LETTER, [("a.txt", SERVER_DEFINITION.encode()), ("a.txt", TERMS.encode())]))
    assert found(world, tenant) == {LETTER, SERVER_DEFINITION, TERMS}


def test_mails_within_mails_follow_the_outermost_down_to_the_last_that_is_read(world: World, tenant: str) -> None:
    content = mail("The ledger beyond.", {})
    for depth in range(MAX_NESTED_MAILS + 1, 0, -1):
        content = mail(f"The ledger within {depth}.", {f"m{depth}.eml": content})
    outcomes = ingest(world, tenant, content)
    refused = [outcome for outcome in outcomes if outcome.status is IngestStatus.REFUSED]
    assert ["too deep" in (outcome.reason or "") for outcome in refused] == [True]
    assert len(found(world, tenant)) == MAX_NESTED_MAILS + 1
    outermost = living(world, tenant)["letter.eml"]
    world.services.administration.document_admin.override_policy(tenant, outermost.doc_id, for_users("ben"))
    assert found(world, tenant) == set()
    world.services.administration.document_admin.delete(tenant, outermost.doc_id)
    assert living(world, tenant) == {}


def test_a_mail_that_is_forgotten_after_its_restoration_leaves_no_names_of_attachments(
    world: World, tenant: str
) -> None:
    ingest(world, tenant, WHOLE)
    documents, administration = world.services.stores.documents, world.services.administration
    ids = [each.doc_id for each in documents.all(tenant, None)]
    [mail] = [each for each in documents.all(tenant, None) if each.parent is None]
    administration.document_admin.delete(tenant, mail.doc_id)
    administration.deletion_admin.restore(tenant, mail.doc_id, everybody_decides)
    administration.deletion_admin.forget(tenant, mail.doc_id, everybody_decides)
    assert [each.source_file_name for each in documents.read(tenant, ids).values()] == [""] * 3


def test_a_collection_goes_with_its_mails(world: World, tenant: str) -> None:
    ingest(world, tenant, WHOLE)
    assert len(world.services.administration.document_admin.delete_collection(tenant, "default")) == 3
    assert living(world, tenant) == {}


@pytest.mark.parametrize("deleted", [True, False])
def test_an_attachment_that_comes_in_while_its_mail_changes_is_changed_too_or_stays_out(
    world: World,
    tenant: str,
    monkeypatch: pytest.MonkeyPatch,
    deleted: bool,  # noqa: FBT001
) -> None:
    administration = world.services.administration.document_admin
    write = SqliteDocuments.write

    def and_then(documents: SqliteDocuments, tenant: str, document: Document, expected: Document | None) -> None:
        write(documents, tenant, document, expected)
        if document.source_file_name == "offer.txt" and document.state is DocumentState.INDEXED and document.parent:
            monkeypatch.setattr(SqliteDocuments, "write", write)
            if deleted:
                administration.delete(tenant, document.parent)
            else:
                administration.override_policy(tenant, document.parent, for_users("ben"))

    monkeypatch.setattr(SqliteDocuments, "write", and_then)
    outcomes = ingest(world, tenant, WHOLE)
    assert IngestStatus.CONFLICT in {outcome.status for outcome in outcomes}
    assert found(world, tenant) == set()
    assert found(world, tenant, "ben") <= {SERVER_DEFINITION}
    assert {each.policy for each in living(world, tenant).values()} <= {for_users("ben")}
    ingest(world, tenant, WHOLE)
    # What a person deleted meanwhile stays deleted.
    assert found(world, tenant) == (set[str]() if deleted else {LETTER, SERVER_DEFINITION, TERMS})
    assert world.services.stores.indexes.for_tenant(tenant).count_rows() == (0 if deleted else 3)


def test_a_deleted_mail_and_its_attachments_stay_out_when_it_is_read_again_or_saved_apart(
    world: World, tenant: str
) -> None:
    ingest(world, tenant, WHOLE)
    world.services.administration.document_admin.delete(tenant, living(world, tenant)["letter.eml"].doc_id)
    changed = mail("The ledger letter, resent.", {"offer.txt": SERVER_DEFINITION.encode()})
    assert statuses(ingest(world, tenant, changed)) == {"letter.eml": "held_back"}
    resent = ingest(world, tenant, changed, path="/nowhere/resent.eml")
    assert statuses(resent) == {"resent.eml": "indexed", "offer.txt": "held_back"}
    assert statuses(ingest(world, tenant, TERMS.encode(), path="/nowhere/terms.txt")) == {"terms.txt": "held_back"}
    assert set(living(world, tenant)) == {"resent.eml"}


def test_a_restored_mail_comes_back_with_its_attachments(world: World, tenant: str) -> None:
    ingest(world, tenant, WHOLE)
    doc_id = living(world, tenant)["letter.eml"].doc_id
    world.services.administration.document_admin.delete(tenant, doc_id)
    world.services.administration.deletion_admin.restore(tenant, doc_id, everybody_decides)
    assert set(statuses(ingest(world, tenant, WHOLE)).values()) == {"indexed"}
    assert living(world, tenant)["letter.eml"].doc_id == doc_id
    assert found(world, tenant) == {LETTER, SERVER_DEFINITION, TERMS}
