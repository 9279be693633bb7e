from dataclasses import replace
from datetime import date

import pytest

from groundwire.domain import errors
from groundwire.domain.access.policy import Policy
from groundwire.domain.documents.uploads import TICKET_RETENTION_SECONDS, Upload, UploadState
from tests.support.registry.backends import Stores
from tests.support.registry.races import race
from tests.support.registry.records import NOW, tenant

UPLOAD = Upload(
    ticket="up_0123456789abcdef",
    doc_id="d-1",
    collection="handbook",
    file_name="leave ü.pdf",
    sha256="ab" * 32,
    policy=Policy(public=False, users=frozenset({"ann"}), any_tags=frozenset({"größe"}), all_tags=frozenset({"staff"})),
    expires_at=NOW + 300.5,
    metadata={"year": 2024.0, "from": date(2024, 5, 31), "topics": ("leave", "pay")},
    source_url="https://intranet.example/leave",
    user="olga@acme.example",
)
BARE = replace(UPLOAD, ticket="up_bare", metadata={}, source_url=None, user=None)


@pytest.fixture(autouse=True)
def two_tenants(request: pytest.FixtureRequest) -> None:
    names = {"stores", "shared_stores"} & set(request.fixturenames)
    for opened in map(request.getfixturevalue, names):
        opened.tenants.add(tenant("t-acme"))
        opened.tenants.add(tenant("t-blue"))


def test_a_ticket_is_read_as_it_was_added(stores: Stores) -> None:
    stores.uploads.add("t-acme", UPLOAD)
    stores.uploads.add("t-acme", BARE)
    assert stores.uploads.get("t-acme", UPLOAD.ticket) == UPLOAD
    assert stores.uploads.get("t-acme", BARE.ticket) == BARE


def test_a_ticket_of_one_tenant_is_not_found_by_another(stores: Stores) -> None:
    stores.uploads.add("t-acme", UPLOAD)
    assert stores.uploads.get("t-blue", UPLOAD.ticket) is None
    assert stores.uploads.claim("t-blue", UPLOAD.ticket, "v1", NOW) is None
    stores.uploads.finish("t-blue", UPLOAD.ticket, "a reason")
    assert stores.uploads.get("t-acme", UPLOAD.ticket) == UPLOAD
    assert stores.uploads.get("t-blue", UPLOAD.ticket) is None


def test_a_name_is_given_once(stores: Stores) -> None:
    stores.uploads.add("t-acme", UPLOAD)
    with pytest.raises(errors.Conflict):
        stores.uploads.add("t-acme", replace(UPLOAD, doc_id="d-2"))
    assert stores.uploads.get("t-acme", UPLOAD.ticket) == UPLOAD


def test_one_version_of_an_object_uses_the_ticket_and_may_come_again(stores: Stores) -> None:
    stores.uploads.add("t-acme", UPLOAD)
    used = replace(UPLOAD, state=UploadState.ARRIVED, object_version="v1")
    assert stores.uploads.claim("t-acme", UPLOAD.ticket, "v1", NOW) == used
    assert stores.uploads.claim("t-acme", UPLOAD.ticket, "v2", NOW) is None
    assert stores.uploads.claim("t-acme", UPLOAD.ticket, "v1", UPLOAD.expires_at + 1_000) == used


def test_a_ticket_ends(stores: Stores) -> None:
    stores.uploads.add("t-acme", UPLOAD)
    assert stores.uploads.claim("t-acme", UPLOAD.ticket, "v1", UPLOAD.expires_at + 0.001) is None
    assert stores.uploads.get("t-acme", UPLOAD.ticket) == UPLOAD
    assert stores.uploads.claim("t-acme", UPLOAD.ticket, "v1", UPLOAD.expires_at) is not None


def test_what_was_never_given_cannot_be_used(stores: Stores) -> None:
    assert stores.uploads.get("t-acme", "up_guessed") is None
    assert stores.uploads.claim("t-acme", "up_guessed", "v1", NOW) is None
    stores.uploads.finish("t-acme", "up_guessed", None)
    assert stores.uploads.get("t-acme", "up_guessed") is None


def test_the_ticket_reports_what_became_of_the_file(stores: Stores) -> None:
    stores.uploads.add("t-acme", UPLOAD)
    stores.uploads.claim("t-acme", UPLOAD.ticket, "v1", NOW)
    stores.uploads.finish("t-acme", UPLOAD.ticket, "the file contains no text")
    refused = replace(UPLOAD, state=UploadState.REFUSED, object_version="v1", reason="the file contains no text")
    assert stores.uploads.get("t-acme", UPLOAD.ticket) == refused
    stores.uploads.finish("t-acme", UPLOAD.ticket, None)
    assert stores.uploads.get("t-acme", UPLOAD.ticket) == replace(refused, state=UploadState.DONE, reason=None)


def test_tickets_go_with_their_tenant(stores: Stores) -> None:
    stores.uploads.add("t-acme", UPLOAD)
    stores.uploads.add("t-blue", UPLOAD)
    stores.tenants.delete("t-acme")
    assert stores.uploads.get("t-acme", UPLOAD.ticket) is None
    assert stores.uploads.get("t-blue", UPLOAD.ticket) == UPLOAD


def test_a_ticket_that_ended_is_kept_for_a_while_to_tell_of(stores: Stores) -> None:
    stores.uploads.add("t-acme", UPLOAD)
    later = replace(BARE, expires_at=UPLOAD.expires_at + TICKET_RETENTION_SECONDS)
    stores.uploads.add("t-acme", later)
    assert stores.uploads.get("t-acme", UPLOAD.ticket) == UPLOAD


def test_of_racing_versions_one_uses_the_ticket(shared_stores: Stores) -> None:
    shared_stores.uploads.add("t-acme", UPLOAD)
    claimed = race(8, lambda number: shared_stores.uploads.claim("t-acme", UPLOAD.ticket, f"v{number}", NOW))
    [winner] = [each for each in claimed if each is not None]
    assert shared_stores.uploads.get("t-acme", UPLOAD.ticket) == winner
