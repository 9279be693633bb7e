from dataclasses import replace
from datetime import date

import pytest

from groundwire.domain.access.decision import Decision
from groundwire.domain.access.policy import NO_READERS, Policy
from groundwire.domain.access.policy_source import PolicySource
from groundwire.domain.documents.deletion import Deletion
from groundwire.domain.documents.record import Document, DocumentState, IndexSync, Ingestion, Refusal, RefusalCause
from tests.support.registry.backends import Stores
from tests.support.registry.records import DOCUMENT, NOW, in_state, stale, tenant, tombstone

BARE = Document(
    doc_id="Ünï/ d?",
    collection="handbook",
    source_file_name="a\nb\x00c.txt",
    source_file_type="txt",
    source_path=None,
    source_url=None,
    blob=None,
    title="",
    policy=NO_READERS,
    version=0,
    policy_version=1,
    policy_source=PolicySource.FILE,
    ceiling=None,
    ingestion=Ingestion(DocumentState.REFUSED, Refusal(RefusalCause.SIDECAR_FILE, "encrypted"), 3),
    sync=IndexSync(is_stale=True, rows_written_at=NOW + 0.25),
    content_hash="",
    recipe="",
    segments=0,
    pages=None,
    pages_without_text=0,
    size_bytes=0,
    policy_overridden_at=NOW + 0.5,
    deletion=Deletion("0123456789abcdef", "fedcba9876543210", Decision("ann", NOW + 0.75, "k_1", "wrong prices")),
    created_at=NOW,
    updated_at=NOW,
)
FULL = replace(
    DOCUMENT,
    doc_id="d-full",
    source_path="/docs/mail.eml#größe.pdf",
    ingestion=replace(DOCUMENT.ingestion, refusal=Refusal(RefusalCause.CONTENT, "the latest file is encrypted")),
    sync=IndexSync(is_stale=True),
    created_at=NOW + 0.123456789,
    language="de",
    metadata={
        "due": date(2024, 5, 31),
        "year": 2024.0,
        "draft": True,
        "tags": ("a", "ß"),
        "sizes": (1.0, 2.5),
        "by": "",
    },
    parent="d-1",
    windows=7,
    timings={"parse": 0.0001, "embed": 12.5},
    parser="xberg 1",
    model="minilm 1",
    sketch=bytes(range(256)),
)
PUBLIC = replace(DOCUMENT, doc_id="d-public", policy=Policy(True, frozenset(), frozenset(), frozenset()))


@pytest.fixture(autouse=True)
def two_tenants(stores: Stores) -> None:
    stores.tenants.add(tenant("t-acme"))
    stores.tenants.add(tenant("t-blue"))


def write(stores: Stores, *documents: Document) -> None:
    for document in documents:
        stores.documents.write("t-acme", document, expected=None)


def ids(documents: list[Document]) -> list[str]:
    return [document.doc_id for document in documents]


@pytest.mark.parametrize("document", [DOCUMENT, BARE, FULL, PUBLIC, tombstone(DOCUMENT)], ids=lambda each: each.doc_id)
def test_a_record_is_read_back_as_it_was_written(stores: Stores, document: Document) -> None:
    write(stores, document)
    assert stores.documents.read("t-acme", [document.doc_id]) == {document.doc_id: document}


def test_a_batch_holds_the_known_records_tombstones_too_and_leaves_the_unknown_out(stores: Stores) -> None:
    deleted = tombstone(replace(DOCUMENT, doc_id="d-gone"))
    write(stores, DOCUMENT, BARE, deleted)
    read = stores.documents.read("t-acme", ["d-unknown", "d-gone", "d-1", "d-1"])
    assert read == {"d-1": DOCUMENT, "d-gone": deleted}
    assert stores.documents.read("t-acme", []) == {}


def test_a_tenants_documents_are_unknown_to_another(stores: Stores) -> None:
    write(stores, stale(DOCUMENT))
    assert stores.documents.read("t-blue", ["d-1"]) == {}
    assert stores.documents.all("t-blue", None) == []
    assert stores.documents.stale_documents("t-blue") == []
    assert stores.documents.by_content("t-blue", "handbook", DOCUMENT.content_hash) == []
    assert stores.documents.from_source("t-blue", "handbook", "/docs/leave.pdf").living is None


def test_two_tenants_may_have_documents_of_one_id(stores: Stores) -> None:
    write(stores, DOCUMENT)
    theirs = replace(DOCUMENT, title="Theirs", policy=NO_READERS)
    stores.documents.write("t-blue", theirs, expected=None)
    assert stores.documents.read("t-acme", ["d-1"]) == {"d-1": DOCUMENT}
    assert stores.documents.read("t-blue", ["d-1"]) == {"d-1": theirs}


def test_living_documents_are_listed_by_name(stores: Stores) -> None:
    write(
        stores,
        replace(DOCUMENT, doc_id="1", source_file_name="b"),
        replace(DOCUMENT, doc_id="2", source_file_name="a", collection="prices"),
        in_state(replace(DOCUMENT, doc_id="3", source_file_name="c"), DocumentState.REFUSED),
        tombstone(replace(DOCUMENT, doc_id="4", source_file_name="d")),
    )
    assert ids(stores.documents.all("t-acme", None)) == ["2", "1", "3"]
    assert ids(stores.documents.all("t-acme", "handbook")) == ["1", "3"]
    assert stores.documents.all("t-acme", "unknown") == []


def test_a_source_path_finds_the_living_document_of_its_collection(stores: Stores) -> None:
    write(
        stores,
        DOCUMENT,
        replace(DOCUMENT, doc_id="d-prices", collection="prices"),
        tombstone(replace(DOCUMENT, doc_id="d-gone", source_path="/docs/gone.pdf")),
        replace(BARE, source_path="/docs/refused.txt"),
    )

    def found(collection: str, path: str) -> str | None:
        document = stores.documents.from_source("t-acme", collection, path).living
        return document and document.doc_id

    assert found("handbook", "/docs/leave.pdf") == "d-1"
    assert found("prices", "/docs/leave.pdf") == "d-prices"
    assert found("handbook", "/docs/refused.txt") == BARE.doc_id
    assert found("handbook", "/docs/gone.pdf") is None
    assert found("handbook", "/docs/LEAVE.pdf") is None


def test_content_finds_all_living_documents_that_hold_it(stores: Stores) -> None:
    write(
        stores,
        DOCUMENT,
        replace(DOCUMENT, doc_id="d-0", created_at=NOW),
        replace(DOCUMENT, doc_id="d-elsewhere", collection="prices"),
        replace(DOCUMENT, doc_id="d-other", content_hash="cd" * 32),
        tombstone(replace(DOCUMENT, doc_id="d-gone")),
    )
    assert ids(stores.documents.by_content("t-acme", "handbook", DOCUMENT.content_hash)) == ["d-1", "d-0"]


def test_what_the_index_may_not_know_yet_is_found_tombstones_included(stores: Stores) -> None:
    waiting = stale(replace(DOCUMENT, doc_id="d-stale", updated_at=NOW - 1))
    deleted = stale(replace(tombstone(DOCUMENT), doc_id="d-gone"))
    assert stores.documents.tenants_with_stale_documents() == []
    write(stores, DOCUMENT, deleted, waiting)
    assert ids(stores.documents.stale_documents("t-acme")) == ["d-stale", "d-gone"]
    assert stores.documents.tenants_with_stale_documents() == ["t-acme"]
    stores.documents.write("t-acme", stale(waiting, is_stale=False), expected=waiting)
    assert ids(stores.documents.stale_documents("t-acme")) == ["d-gone"]
