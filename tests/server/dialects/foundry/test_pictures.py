"""Pictures in answers of Foundry Local's tools: those of the best images, bounded, and never a hidden one."""

import json
from base64 import b64decode
from dataclasses import replace
from typing import Any, Final

import pytest
from jsonschema import Draft202012Validator
from mcp_types.methods import validate_server_result

from groundwire.dialects.foundry.pictures import LEFT_OUT_NOTICE, include_pictures
from groundwire.dialects.foundry.results import RankedList, image_items
from groundwire.dialects.foundry.schemas import IMAGE_OUTPUT, MULTIMODAL_OUTPUT
from groundwire.dialects.foundry.strictness import IMAGE_THRESHOLDS
from groundwire.domain.access.policy import Policy
from groundwire.domain.access.scopes import Scope
from groundwire.domain.limits import MAX_PICTURE_BYTES_PER_CALL, MIN_ANSWER_TOKENS
from groundwire.domain.text.token_estimate import estimate_tokens
from groundwire.services.documents.images.search import FoundImage
from groundwire.services.documents.images.store import KEY_PREFIX, Picture
from tests.server.dialects.foundry.edge import Edge, edge
from tests.support.documents.passages import document
from tests.support.documents.plain_text_parser import PICTURE, picture
from tests.support.isolation.policies import NO_READERS, PUBLIC, for_users
from tests.support.worlds.world import World

PUMP: Final = "The cooling pump of hall four"
IMAGE_TOOLS: Final = ("search_image", "search_multimodal")
LARGE: Final = "x" * 900_000


@pytest.fixture
def tenant(world: World) -> str:
    return world.tenant("amber")


def ingest(
    world: World, tenant: str, *captions: str, policy: Policy = PUBLIC, name: str = "a.txt", collection: str = "default"
) -> str:
    """A document of one paragraph and these images; what follows " #" is in the picture alone."""
    text = "\n\n".join(["Maintenance of the machines.", *(PICTURE + each for each in captions)])
    result = world.ingest(tenant, text, policy, path=f"/nowhere/{name}", collection=collection)
    assert result.document is not None
    return result.document.doc_id


def reader(world: World, tenant: str, user: str = "ben") -> Edge:
    return edge(world, world.personal_key(tenant, user, frozenset()))


def shown(client: Edge, tool: str = "search_image", **arguments: object) -> tuple[dict[str, Any], list[bytes]]:
    """Return the entries of an answer and its pictures, once each is found by its number and its id."""
    given = {"query": PUMP, "strictness": 0, "include_images": True, **arguments}
    result = client.call(tool, **given).result
    validate_server_result("tools/call", "2025-03-26", result)
    text, *blocks = result["content"]
    entries = json.loads(text["text"])
    assert entries == result["structuredContent"]
    Draft202012Validator(IMAGE_OUTPUT if tool == "search_image" else MULTIMODAL_OUTPUT).validate(entries)
    listed = [image for entry in entries.values() for image in images_of(entry)]
    numbered = {(image["picture"], image["image_id"]) for image in listed if image["picture"] is not None}
    assert sorted(numbered) == [(number, each["_meta"]["image_id"]) for number, each in enumerate(blocks, start=1)]
    assert {each["type"] for each in blocks} <= {"image"}
    assert {each["mimeType"] for each in blocks} <= {"image/png"}
    return entries, [b64decode(each["data"]) for each in blocks]


def images_of(entry: dict[str, Any]) -> list[dict[str, Any]]:
    return entry["image_chunks"] if "image_chunks" in entry else entry["results"]


def contents(*captions: str) -> list[bytes]:
    return [picture(each, 0).content for each in captions]


@pytest.mark.parametrize("tool", IMAGE_TOOLS)
def test_the_pictures_of_the_best_images_follow_the_text(world: World, tenant: str, tool: str) -> None:
    ingest(world, tenant, PUMP, "A floor plan of the archive")
    entries, pictures = shown(reader(world, tenant), tool)
    [entry] = entries.values()
    best, other = images_of(entry)
    assert (best["content"], best["picture"], other["picture"]) == (PUMP, 1, 2)
    assert pictures == contents(PUMP, "A floor plan of the archive")
    assert "notice" not in entry["metadata"]


@pytest.mark.parametrize("tool", IMAGE_TOOLS)
def test_without_the_argument_nothing_changes(world: World, tenant: str, tool: str) -> None:
    ingest(world, tenant, PUMP)
    client = reader(world, tenant)
    bodies = {
        client.call(tool, query=PUMP, **more).response.body
        for more in ({}, {"include_images": False}, {"include_images": None})
    }
    [body] = bodies
    assert b'"picture' not in body
    assert len(json.loads(body)["result"]["content"]) == 1


def test_the_argument_is_a_truth_value_of_the_two_tools_that_find_images(world: World, tenant: str) -> None:
    client = reader(world, tenant)
    for tool in IMAGE_TOOLS:
        assert "include_images" in client.error(tool, query=PUMP, include_images="true")
    for tool in ("search_hybrid", "search_vector", "search_text"):
        assert "'include_images'" in client.error(tool, query=PUMP, include_images=True)


def test_of_four_images_three_have_a_picture(world: World, tenant: str) -> None:
    ingest(world, tenant, *(f"{PUMP} #{number}" for number in range(4)))
    entries, pictures = shown(reader(world, tenant))
    [entry] = entries.values()
    assert [each["picture"] for each in entry["results"]] == [1, 2, 3, None]
    assert len(set(pictures)) == 3
    assert "notice" not in entry["metadata"]


def test_a_picture_beyond_the_bytes_of_an_answer_is_left_out_and_a_smaller_one_is_not(
    world: World, tenant: str
) -> None:
    ingest(world, tenant, f"{PUMP} #1{LARGE}", f"{PUMP} #2{LARGE}{LARGE}", f"{PUMP} #3")
    entries, pictures = shown(reader(world, tenant))
    [entry] = entries.values()
    assert [each["picture"] for each in entry["results"]] == [1, None, 2]
    assert sum(map(len, pictures)) <= MAX_PICTURE_BYTES_PER_CALL
    assert entry["metadata"]["notice"] == LEFT_OUT_NOTICE
    assert entry["metadata"]["results_number"] == 3


def test_an_image_whose_picture_is_missing_is_found_without_it(world: World, tenant: str) -> None:
    doc_id = ingest(world, tenant, f"{PUMP} #0", f"{PUMP} #1")
    world.services.stores.blobs.delete(tenant, f"{KEY_PREFIX}{doc_id}/1/0")
    entries, pictures = shown(reader(world, tenant))
    [entry] = entries.values()
    assert [each["picture"] for each in entry["results"]] == [None, 1]
    assert pictures == contents(f"{PUMP} #1")
    assert entry["metadata"]["notice"] == LEFT_OUT_NOTICE


def test_a_picture_of_another_content_than_its_row_names_is_not_sent(world: World, tenant: str) -> None:
    doc_id = ingest(world, tenant, PUMP)
    world.services.stores.blobs.put(tenant, f"{KEY_PREFIX}{doc_id}/1/0", b"\x89PNG of somebody else")
    entries, pictures = shown(reader(world, tenant))
    assert [each["picture"] for each in entries["edgeragapp"]["results"]] == [None]
    assert pictures == []


def test_a_store_that_does_not_answer_takes_the_picture_alone(world: World, tenant: str) -> None:
    ingest(world, tenant, PUMP)
    folder = world.services.settings.home / "tenants" / tenant / "blobs"
    folder.rename(folder.with_name("away"))
    folder.write_text("no folder")
    entries, pictures = shown(reader(world, tenant))
    assert [each["picture"] for each in entries["edgeragapp"]["results"]] == [None]
    assert pictures == []
    [record] = world.services.stores.audit.read(1)
    assert (record["outcome"], record["pictures"]) == ("answered", 0)
    assert record["problem"]


def test_collections_have_pictures_by_turns_and_a_notice_each(world: World, tenant: str) -> None:
    ingest(world, tenant, *(f"{PUMP} #a{number}" for number in range(3)), collection="halls")
    deleted = ingest(world, tenant, f"{PUMP} #b", name="b.txt", collection="plans")
    world.services.stores.blobs.delete(tenant, f"{KEY_PREFIX}{deleted}/1/0")
    entries, pictures = shown(reader(world, tenant), collection_names=["halls", "plans"])
    assert [each["picture"] for each in entries["halls"]["results"]] == [1, 2, None]
    assert [each["picture"] for each in entries["plans"]["results"]] == [None]
    assert len(pictures) == 2
    assert "notice" not in entries["halls"]["metadata"]
    assert entries["plans"]["metadata"]["notice"] == LEFT_OUT_NOTICE


def test_an_image_under_two_names_has_one_picture(world: World, tenant: str) -> None:
    ingest(world, tenant, PUMP, collection="halls")
    entries, pictures = shown(reader(world, tenant), collection_names=["halls", "edgeragapp"])
    assert [[each["picture"] for each in entry["results"]] for entry in entries.values()] == [[1], [1]]
    assert pictures == contents(PUMP)


def test_a_new_version_has_the_pictures_of_its_own(world: World, tenant: str) -> None:
    ingest(world, tenant, f"{PUMP} #old")
    ingest(world, tenant, f"{PUMP} #new")
    assert shown(reader(world, tenant))[1] == contents(f"{PUMP} #new")


def test_a_picture_has_the_rights_of_its_document_at_that_moment(world: World, tenant: str) -> None:
    doc_id = ingest(world, tenant, PUMP, policy=for_users("ana"))
    ana, ben = reader(world, tenant, "ana"), reader(world, tenant)
    assert shown(ana)[1] == contents(PUMP)
    assert shown(ben)[1] == []
    world.services.administration.document_admin.override_policy(tenant, doc_id, NO_READERS)
    assert shown(ana)[1] == []
    world.services.administration.document_admin.override_policy(tenant, doc_id, PUBLIC)
    assert shown(ben)[1] == contents(PUMP)
    world.services.administration.document_admin.delete(tenant, doc_id)
    assert shown(ana)[1] == shown(ben)[1] == []


@pytest.mark.parametrize("tool", IMAGE_TOOLS)
def test_where_originals_are_withheld_an_image_is_found_without_its_picture(
    world: World, tenant: str, tool: str
) -> None:
    ingest(world, tenant, PUMP)
    by_key = edge(world, world.acting_key(tenant, no_originals=True))
    assert shown(by_key, tool)[1] == []
    assert shown(reader(world, tenant), tool)[1] == contents(PUMP)
    world.services.administration.collection_admin.set(tenant, "default", None, None, no_originals=True)
    entries, pictures = shown(reader(world, tenant), tool)
    assert pictures == []
    assert [image["picture"] for entry in entries.values() for image in images_of(entry)] == [None]


def test_no_picture_is_another_tenants_or_of_a_collection_beyond_the_key(world: World, tenant: str) -> None:
    ingest(world, tenant, PUMP, collection="halls")
    other = world.tenant("blue")
    ingest(world, other, f"{PUMP} #blue", collection="halls")
    assert shown(reader(world, other))[1] == contents(f"{PUMP} #blue")
    narrow = world.personal_key(tenant, "ben", frozenset(), collections=frozenset({"plans"}))
    assert shown(edge(world, narrow), collection_names=["halls", "edgeragapp"])[1] == []


def test_a_key_without_the_scope_gets_no_picture(world: World, tenant: str) -> None:
    ingest(world, tenant, PUMP)
    key = world.acting_key(tenant, scopes=frozenset({Scope.VERIFY}))
    answer = edge(world, key, "ben").call("search_image", query=PUMP, include_images=True)
    assert "result" not in answer.payload
    assert b'"image"' not in answer.response.body


def test_pictures_take_nothing_of_the_tokens_of_an_answer(world: World, tenant: str) -> None:
    ingest(world, tenant, *(f"{PUMP} {number} #{LARGE[:100_000]}" for number in range(12)))
    client = edge(world, world.acting_key(tenant, max_tokens=MIN_ANSWER_TOKENS), "ben")
    entries, pictures = shown(client, top_n=50)
    assert len(pictures) == 3
    assert entries["edgeragapp"]["metadata"]["results_number"] < 12
    assert estimate_tokens(json.dumps(entries, ensure_ascii=False)) <= MIN_ANSWER_TOKENS


def test_a_call_is_recorded_with_the_documents_and_the_number_of_pictures(world: World, tenant: str) -> None:
    doc_id = ingest(world, tenant, PUMP, f"{PUMP} #2")
    shown(reader(world, tenant))
    [record] = world.services.stores.audit.read(1)
    assert (record["documents"], record["pictures"]) == ([f"{doc_id}@1"], 2)


def test_an_image_that_strictness_leaves_out_gives_its_place_to_no_other_and_is_not_read() -> None:
    read: list[str] = []

    def reading(image: FoundImage) -> Picture:
        read.append(image.uid)
        return Picture(b"x", "image/png")

    included = include_pictures([ranked("a", 0.9, 0.01), ranked("b", 0.5)], reading)
    assert read == ["a0", "b0"]
    assert included.numbers == {"a0": 1, "b0": 2}
    assert included.left_out == frozenset()


def ranked(name: str, *relevances: float) -> RankedList:
    """Return the images of a collection that are relevant enough for the last step of strictness."""
    one = FoundImage(document(), "", 0, "", None, 0.5, None, "00" * 32)
    found = [replace(one, uid=f"{name}{number}", relevance=each) for number, each in enumerate(relevances)]
    return RankedList(image_items(found), 5, IMAGE_THRESHOLDS).admitted()
