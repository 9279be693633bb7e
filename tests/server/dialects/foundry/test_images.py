"""Images of documents: found by the two tools that search for them, and by nobody who may not read their document."""

from typing import Any

import pytest

from groundwire.dialects.foundry.search import IMAGES_NOT_SEARCHED
from groundwire.domain.access.policy import Policy
from groundwire.ports import DocumentVersion
from groundwire.ports.indexes import IndexKind
from tests.server.dialects.foundry.edge import Edge, edge
from tests.support.documents.plain_text_parser import PICTURE
from tests.support.isolation.policies import NO_READERS, PUBLIC
from tests.support.models.two_models import TwoModels
from tests.support.worlds.exchange import exchange
from tests.support.worlds.world import World

STAFF = Policy(public=False, users=frozenset(), any_tags=frozenset({"staff"}), all_tags=frozenset())
PUMP = "The cooling pump of hall four, seen from above"
PLAN = "Floor plan of the archive with its two exits"


@pytest.fixture
def tenant(world: World) -> str:
    return world.tenant("amber")


def ingest(world: World, tenant: str, policy: Policy, *captions: str, name: str = "manual.txt") -> str:
    """A document of one paragraph and the images."""
    text = "\n\n".join(["Maintenance of the machines is described here.", *(PICTURE + each for each in captions)])
    result = world.ingest(tenant, text, policy, path=f"/nowhere/{name}")
    assert result.document is not None
    return result.document.doc_id


def reader(world: World, tenant: str, *tags: str) -> Edge:
    return edge(world, world.personal_key(tenant, "ben", frozenset(tags)))


def images(client: Edge, query: str, tool: str = "search_image", **arguments: object) -> list[dict[str, Any]]:
    [entry] = client.found(tool, query=query, **arguments).values()
    return entry["results" if tool == "search_image" else "image_chunks"]


def stored(world: World, tenant: str, doc_id: str, version: int) -> list[int]:
    services = world.services
    document = DocumentVersion(doc_id, version)
    rows = services.stores.image_indexes.for_tenant(tenant).segments(document)
    return [each.ordinal for each in rows]


@pytest.mark.parametrize("tool", ["search_image", "search_multimodal"])
def test_an_image_is_found_by_its_caption(world: World, tenant: str, tool: str) -> None:
    ingest(world, tenant, PUBLIC, PUMP, PLAN)
    best, *_ = images(reader(world, tenant), "cooling pump hall", tool)
    assert best["content"] == PUMP
    assert best["chunk_id"] == "img-0"
    assert best["vector_type"] == "image"
    assert best["page_numbers"] == [1]
    assert best["file_path"] == "manual.txt"


def test_no_other_search_finds_an_image(world: World, tenant: str) -> None:
    ingest(world, tenant, PUBLIC, PUMP)
    client = reader(world, tenant)
    for tool in ("search_hybrid", "search_vector", "search_text"):
        assert all(PUMP not in each["content"] for each in client.results(tool, query=PUMP, strictness=0))
    chunks = client.found("search_multimodal", query=PUMP, text_strictness=0)["edgeragapp"]["text_chunks"]
    assert all(PUMP not in each["content"] for each in chunks)


def test_scores_of_passages_are_the_same_with_and_without_images(world: World) -> None:
    answers: list[object] = []
    for name, captions in (("plain", ()), ("pictured", (PUMP, PLAN))):
        tenant = world.tenant(name)
        ingest(world, tenant, PUBLIC, *captions)
        answers.append(reader(world, tenant).found("search_hybrid", query="maintenance machines pump", strictness=0))
    assert answers[0] == answers[1]


def test_an_image_has_the_rights_of_its_document(world: World, tenant: str) -> None:
    doc_id = ingest(world, tenant, STAFF, PUMP)
    staff, other = reader(world, tenant, "staff"), reader(world, tenant)
    assert len(images(staff, PUMP, strictness=0)) == 1
    assert images(other, PUMP, strictness=0) == []
    world.services.administration.document_admin.override_policy(tenant, doc_id, NO_READERS)
    assert images(staff, PUMP, strictness=0) == []
    world.services.administration.document_admin.override_policy(tenant, doc_id, PUBLIC)
    assert len(images(other, PUMP, strictness=0)) == 1


def test_a_new_version_replaces_the_images_of_the_one_before(world: World, tenant: str) -> None:
    doc_id = ingest(world, tenant, PUBLIC, PUMP)
    ingest(world, tenant, PUBLIC, PLAN, PLAN + " of the cellar")
    assert stored(world, tenant, doc_id, 1) == []
    assert stored(world, tenant, doc_id, 2) == [0, 1]
    assert {each["content"] for each in images(reader(world, tenant), PUMP, strictness=0)} == {
        PLAN,
        PLAN + " of the cellar",
    }
    ingest(world, tenant, PUBLIC)
    assert images(reader(world, tenant), PLAN, strictness=0) == []


def test_a_deleted_document_leaves_no_image(world: World, tenant: str) -> None:
    doc_id = ingest(world, tenant, PUBLIC, PUMP)
    blobs = world.services.stores.blobs
    folder = world.services.settings.home / "tenants" / tenant / "blobs"
    assert len(list(folder.iterdir())) == 3
    world.services.administration.document_admin.delete(tenant, doc_id)
    assert images(reader(world, tenant), PUMP, strictness=0) == []
    assert stored(world, tenant, doc_id, 1) == []
    assert blobs.drop(tenant) == 0


def test_a_tenant_without_images_gets_no_index_of_them(world: World, tenant: str) -> None:
    doc_id = ingest(world, tenant, PUBLIC)
    ingest(world, tenant, STAFF)
    world.services.administration.document_admin.delete(tenant, doc_id)
    assert images(reader(world, tenant), PUMP, "search_multimodal") == []
    assert not world.services.stores.image_indexes.exists(tenant)


def test_a_deleted_tenant_leaves_no_index_of_images(world: World, tenant: str) -> None:
    ingest(world, tenant, PUBLIC, PUMP)
    world.services.administration.tenant_admin.delete(tenant)
    assert world.services.stores.image_indexes.for_tenant(tenant).count_rows() == 0


def test_different_images_of_one_caption_are_all_found_and_a_repeated_picture_once(world: World, tenant: str) -> None:
    ingest(world, tenant, PUBLIC, PUMP + " #1", PUMP + " #2", name="a.txt")
    ingest(world, tenant, PUBLIC, PUMP + " #1", name="b.txt")
    assert len(images(reader(world, tenant), PUMP, strictness=0)) == 2


def test_a_filter_chooses_images_by_the_fields_of_their_documents(world: World, tenant: str) -> None:
    ingest(world, tenant, PUBLIC, PUMP, name="a.txt")
    ingest(world, tenant, PUBLIC, PUMP + " at night", name="b.txt")
    client = reader(world, tenant)
    found = images(client, PUMP, strictness=0, filters='file_path like "%b.txt"')
    assert [each["file_path"] for each in found] == ["b.txt"]


def test_passages_are_answered_where_images_cannot_be_searched(world: World, tenant: str) -> None:
    ingest(world, tenant, PUBLIC, PUMP)
    path = world.services.stores.embedded_indexes(IndexKind.IMAGES).for_tenant(tenant).path
    path.unlink()
    path.write_bytes(b"damaged")
    client = reader(world, tenant)
    entry = client.found("search_multimodal", query="maintenance of machines", strictness=0)["edgeragapp"]
    assert [each["content"] for each in entry["text_chunks"]] == ["Maintenance of the machines is described here."]
    assert entry["image_chunks"] == []
    assert entry["metadata"]["notice"] == IMAGES_NOT_SEARCHED
    assert "Search failed" in client.call("search_image", query=PUMP).payload["error"]["message"]


def test_a_tenant_without_images_embeds_nothing_for_a_search_for_them(world: World, tenant: str) -> None:
    ingest(world, tenant, PUBLIC)
    models = TwoModels()
    exchange(world.services, embedders=models)
    assert images(reader(world, tenant), PUMP) == []
    assert models.default.queries == []
