"""Of a document that somebody deleted, its path is still known to have been given up, and when."""

from dataclasses import replace

import pytest

from groundwire.domain.documents.record import Document, DocumentState, Ingestion, names_digest
from tests.support.registry.backends import Stores
from tests.support.registry.records import DOCUMENT, NOW, tenant

COLLECTION, PATH = "handbook", "/docs/leave.pdf"
LIVING = replace(DOCUMENT, collection=COLLECTION, source_path=PATH)


@pytest.fixture(autouse=True)
def two_tenants(stores: Stores) -> None:
    stores.tenants.add(tenant("t-acme"))
    stores.tenants.add(tenant("t-blue"))


def dead(document: Document, at: float) -> Document:
    place = names_digest(COLLECTION, PATH, None)
    return replace(
        document,
        ingestion=Ingestion(DocumentState.DELETED),
        source_path=None,
        policy_version=document.policy_version + 1,
        deleted_source_digest=place,
        deleted_at=at,
    )


def deleted(stores: Stores, document: Document, at: float) -> Document:
    stores.documents.write("t-acme", document, expected=None)
    deleted_ids = dead(document, at)
    stores.documents.write_attachment_tree("t-acme", [(deleted_ids, document)])
    return deleted_ids


def when(stores: Stores, collection: str = COLLECTION, path: str = PATH) -> float:
    return stores.documents.from_source("t-acme", collection, path).deleted_at


def test_a_path_that_nothing_was_deleted_from_has_no_such_time(stores: Stores) -> None:
    assert when(stores) == 0
    stores.documents.write("t-acme", LIVING, expected=None)
    assert when(stores) == 0


def test_the_time_of_the_latest_deletion_is_known_at_its_own_path_alone(stores: Stores) -> None:
    deleted(stores, LIVING, NOW + 5.5)
    deleted(stores, replace(LIVING, doc_id="d-earlier"), NOW)
    assert when(stores) == NOW + 5.5
    assert when(stores, path="/docs/leave") == when(stores, collection="prices") == 0
    assert stores.documents.from_source("t-blue", COLLECTION, PATH).deleted_at == 0
    assert stores.documents.from_source("t-acme", COLLECTION, PATH).living is None


def test_a_document_whose_file_was_missing_keeps_no_such_time(stores: Stores) -> None:
    stores.documents.write("t-acme", LIVING, expected=None)
    deleted_ids = replace(dead(LIVING, NOW), deleted_source_digest="", deleted_at=0.0)
    stores.documents.write("t-acme", deleted_ids, LIVING)
    assert when(stores) == 0


def test_one_that_lives_again_is_found_from_its_path_and_counts_no_more(stores: Stores) -> None:
    deleted_ids = deleted(stores, LIVING, NOW)
    again = replace(deleted_ids, ingestion=Ingestion(DocumentState.INDEXED), source_path=PATH)
    stores.documents.write("t-acme", again, deleted_ids)
    assert when(stores) == 0
    assert stores.documents.from_source("t-acme", COLLECTION, PATH).living == again


def test_another_document_of_that_path_is_found_beside_the_tombstone(stores: Stores) -> None:
    deleted(stores, LIVING, NOW)
    other = replace(LIVING, doc_id="d-other")
    stores.documents.write("t-acme", other, expected=None)
    assert stores.documents.from_source("t-acme", COLLECTION, PATH).living == other
    assert when(stores) == NOW


def test_neither_time_nor_path_outlives_its_tenant(stores: Stores) -> None:
    deleted(stores, LIVING, NOW)
    stores.tenants.delete("t-acme")
    stores.tenants.add(tenant("t-acme"))
    assert when(stores) == 0
