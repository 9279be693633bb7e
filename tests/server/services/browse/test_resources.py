"""Resources through the gateway: listed, read and completed for whoever may read them, and for nobody else."""

import json
import re
from typing import Any

import pytest

from groundwire.domain.access.scopes import Scope
from groundwire.domain.limits import MAX_RECORDS_SCANNED, RESOURCE_PAGE_ITEMS, TEXT_PAGE_SEGMENTS
from groundwire.ports import DocumentVersion
from tests.support.clients.handshake_client import Client, client
from tests.support.isolation.policies import for_users
from tests.support.worlds.document_library import NO_READERS, PUBLIC, keep, record
from tests.support.worlds.world import World

BOOK = "groundwire://documents/book"
COLLECTIONS = "groundwire://collections/{collection}"
PAGES = "groundwire://documents/{doc_id}/pages/{page}"


@pytest.fixture
def tenant(world: World) -> str:
    made = world.tenant("amber")
    paragraphs = [f"Paragraph {number} is about pumps." for number in range(TEXT_PAGE_SEGMENTS + 2)]
    world.ingest(made, "\n\n".join(paragraphs), PUBLIC, path="/nowhere/book.txt", doc_id="book", collection="shelf")
    secret = "The zebra has its lair here."
    world.ingest(made, secret, for_users("ana"), path="/nowhere/zebra.txt", doc_id="zebra", collection="vault")
    world.ingest(made, "The code is 4711.", NO_READERS, path="/nowhere/code.txt", doc_id="code", collection="safe")
    return made


def uid(world: World, tenant: str, doc_id: str) -> str:
    return world.services.stores.indexes.for_tenant(tenant).segments(DocumentVersion(doc_id, 1))[0].uid


def recorded(world: World) -> dict[str, Any]:
    return json.loads((world.services.settings.home / "audit.jsonl").read_text().splitlines()[-1])


def test_everybody_is_listed_what_they_may_read_collection_by_collection(world: World, tenant: str) -> None:
    document_folder = ["groundwire://collections/shelf", BOOK]
    assert client(world, tenant).uris() == document_folder
    assert client(world, tenant, "ana").uris() == [
        *document_folder,
        "groundwire://collections/vault",
        "groundwire://documents/zebra",
    ]


def test_a_document_is_described_as_people_know_it(world: World, tenant: str) -> None:
    [_, book] = client(world, tenant).listed()
    assert (book["name"], book["title"], book["mimeType"]) == ("book.txt", "book", "text/plain")
    # The size of the file is not that of the text, which comes in pages with the links of a call.
    assert "size" not in book
    assert re.fullmatch(r"20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00", book["annotations"]["lastModified"])


def test_a_long_list_is_complete_page_by_page_and_a_cursor_serves_nobody_else(world: World) -> None:
    tenant = world.tenant("amber")
    ids = [f"doc-{number:03}" for number in range(2 * RESOURCE_PAGE_ITEMS)]
    keep(world, tenant, *(record(each) for each in ids))
    asking = client(world, tenant, "ana")
    assert asking.uris() == ["groundwire://collections/default", *(f"groundwire://documents/{each}" for each in ids)]
    cursor = asking.result("resources/list")["nextCursor"]
    assert "doc-" not in cursor
    assert client(world, tenant, "ben").ask("resources/list", cursor=cursor)["error"]["code"] == -32602


def test_a_cursor_does_not_show_how_long_the_name_of_a_hidden_document_is(world: World) -> None:
    tenant = world.tenant("amber")
    ids = [f"{number:03}-{'x' * (number % 100)}" for number in range(3 * MAX_RECORDS_SCANNED)]
    keep(world, tenant, *(record(each, policy=NO_READERS) for each in ids))
    asking = client(world, tenant)
    cursors = [asking.result("resources/list")["nextCursor"]]
    while "nextCursor" in (page := asking.result("resources/list", cursor=cursors[-1])):
        cursors.append(page["nextCursor"])
    assert len(cursors) > 1
    assert len({len(each) for each in cursors}) == 1


def test_only_readable_pages_count_in_the_reported_number_of_names(world: World, tenant: str) -> None:
    params = {"ref": {"type": "ref/resource", "uri": PAGES}, "argument": {"name": "doc_id", "value": ""}}
    stated = client(world, tenant).result("completion/complete", **params)["completion"]
    assert stated == {"values": ["book"], "hasMore": False}


def test_a_text_is_read_page_by_page_and_each_names_the_next(world: World, tenant: str) -> None:
    asking = client(world, tenant)
    first = asking.read(BOOK)
    assert first.endswith(f"\n\nPage 1 of 2 of this document. The next page: {BOOK}/pages/2")
    assert asking.read(f"{BOOK}/pages/2").endswith("\n\nPage 2 of 2 of this document.")
    stated = re.findall(r"Paragraph (\d+) is", first + asking.read(f"{BOOK}/pages/2"))
    assert stated == [str(number) for number in range(TEXT_PAGE_SEGMENTS + 2)]


def test_a_passage_is_read_with_its_neighbours_and_leads_to_its_document(world: World, tenant: str) -> None:
    text = client(world, tenant).read(f"groundwire://segments/{uid(world, tenant, 'book')}")
    assert "Paragraph 0 is about pumps.\n\nParagraph 1 is about pumps." in text
    assert text.endswith(f"\n\nThe whole document: {BOOK}")


def test_a_collection_is_read_as_the_list_of_what_may_be_read_in_it(world: World, tenant: str) -> None:
    keep(world, tenant, record("closed", "shelf", NO_READERS))
    text = client(world, tenant).read("groundwire://collections/shelf")
    assert f"{BOOK}  book\n" in text
    assert "closed" not in text


def test_what_is_read_is_framed_with_its_source_and_cannot_leave_its_frame(world: World, tenant: str) -> None:
    text = client(world, tenant).read(BOOK)
    [boundary, _, _] = re.findall(r"^=[0-9]{9}$", text, re.MULTILINE)
    assert text.startswith("Quotations from documents, then their sources, between boundary lines like the next. The")
    assert f"\n{boundary}\n\nPage 1 of 2" in text
    assert "[1] book p.1-20\n" in text
    assert f"\n[1] book.txt {world.services.settings.public_url}/o/" in text
    assert boundary not in client(world, tenant).read(BOOK)


def every_uri(world: World, tenant: str, doc_id: str, collection: str) -> list[str]:
    return [
        f"groundwire://documents/{doc_id}",
        f"groundwire://documents/{doc_id}/pages/1",
        f"groundwire://segments/{uid(world, tenant, doc_id)}",
        f"groundwire://collections/{collection}",
    ]


def test_forbidden_deleted_foreign_and_missing_resources_get_the_same_answer(world: World, tenant: str) -> None:
    other = world.tenant("birch")
    world.ingest(other, "The blue pump.", PUBLIC, path="/nowhere/blue.txt", doc_id="blue", collection="tower")
    world.ingest(tenant, "The red pump.", PUBLIC, path="/nowhere/red.txt", doc_id="red", collection="bin")
    closed = [*every_uri(world, tenant, "zebra", "vault"), *every_uri(world, tenant, "code", "safe")]
    closed += [*every_uri(world, other, "blue", "tower"), *every_uri(world, tenant, "red", "bin")]
    asking = client(world, tenant)
    assert asking.read("groundwire://documents/red")
    world.services.administration.document_admin.delete(tenant, "red")
    never = ["groundwire://documents/never", f"{BOOK}/pages/3", "groundwire://segments/book.0123456789abcdef"]
    assert len({asking.missing(each) for each in [*closed, *never, "file:///etc/passwd", ""]}) == 1


def test_a_key_reaches_resources_of_its_own_collections_only(world: World, tenant: str) -> None:
    key = world.acting_key(tenant, collections=frozenset({"vault"}))
    bound = Client(world, {"authorization": f"Bearer {key.secret.reveal()}", "x-user-id": "ana"})
    assert bound.uris() == ["groundwire://collections/vault", "groundwire://documents/zebra"]
    assert bound.missing(BOOK) == bound.missing("groundwire://collections/shelf")
    assert bound.completed("doc_id") == ["zebra"]


def test_rights_are_those_of_the_moment_in_the_middle_of_a_list_too(
    world: World, tenant: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("groundwire.services.documents.browse.catalog.RESOURCE_PAGE_ITEMS", 2)
    asking = client(world, tenant, "ana")
    first = asking.result("resources/list")
    assert [each["name"] for each in first["resources"]] == ["shelf", "book.txt"]
    world.services.administration.document_admin.override_policy(tenant, "zebra", for_users("ben"))
    assert asking.result("resources/list", cursor=first["nextCursor"]) == {"resources": []}
    assert asking.missing("groundwire://documents/zebra")
    world.services.administration.document_admin.delete(tenant, "book")
    assert asking.missing(BOOK)
    assert asking.uris() == []


def test_completion_proposes_what_may_be_read_and_nothing_else(world: World, tenant: str) -> None:
    asking = client(world, tenant)
    assert asking.completed("doc_id") == ["book"]
    assert client(world, tenant, "ana").completed("doc_id", "z") == ["zebra"]
    assert asking.completed("doc_id", "z") == asking.completed("doc_id", "zebra") == []
    assert asking.completed("collection", template=COLLECTIONS) == ["shelf"]
    assert client(world, tenant, "ana").completed("collection", "v", COLLECTIONS) == ["vault"]
    assert asking.completed("page", "", PAGES, doc_id="book") == ["1", "2"]
    assert asking.completed("page", "", PAGES, doc_id="zebra") == asking.completed("page", "", PAGES) == []


def test_a_key_without_the_scope_learns_of_nothing(world: World, tenant: str) -> None:
    key = world.acting_key(tenant, scopes=frozenset({Scope.VERIFY}))
    asking = Client(world, {"authorization": f"Bearer {key.secret.reveal()}"})
    assert asking.uris() == []
    assert asking.completed("doc_id") == []
    assert asking.ask("resources/read", uri=BOOK)["error"]["data"] == {"scope": "search"}
    assert asking.ask("prompts/get", name="answer_with_citations")["error"]["data"] == {"scope": "search"}


def test_what_was_shown_is_recorded_with_the_policy_that_allowed_it(world: World, tenant: str) -> None:
    asking = client(world, tenant, "ana")
    asking.read("groundwire://documents/zebra")
    line = recorded(world)
    assert (line["method"], line["documents"], line["segments"]) == ("resources/read", ["zebra@1"], 1)
    asking.uris()
    assert recorded(world)["documents"] == ["book@1", "zebra@1"]
    asking.completed("doc_id", "z")
    assert recorded(world)["documents"] == ["zebra@1"]
    asking.completed("page", "", PAGES, doc_id="zebra")
    assert recorded(world)["documents"] == ["zebra@1"]
    asking.missing("groundwire://documents/code")
    assert "documents" not in recorded(world)
    assert "zebra" not in json.dumps({**recorded(world), "documents": []})
