"""Texts that are read have no more tokens than key or call allow, and say where they go on."""

import json
import re
from collections.abc import Mapping
from typing import Any, Final

import pytest
from jsonschema import Draft202012Validator

from groundwire.dialects.default.schemas import FETCH_OUTPUT
from groundwire.dialects.default.schemas import LIST_COLLECTIONS_OUTPUT as COLLECTIONS_OUTPUT
from groundwire.domain.documents.collection import Collection
from groundwire.domain.limits import TEXT_PAGE_SEGMENTS
from groundwire.ports import DocumentVersion
from tests.support.clients.handshake_client import Client
from tests.support.clients.tokens import count_tokens
from tests.support.worlds.document_library import PUBLIC
from tests.support.worlds.world import World, caller

BOOK: Final = "doc_1234567890abcdef"
EMOJI: Final = "🦘🧬🎉🚀👩🏽‍🔬" * 6
"""About 90 tokens."""


@pytest.fixture
def tenant(world: World) -> str:
    made = world.tenant("amber")
    chapters = [f"Chapter {number} {EMOJI}." for number in range(TEXT_PAGE_SEGMENTS + 5)]
    world.ingest(made, "\n\n".join(chapters), PUBLIC, path="/nowhere/book.txt", doc_id=BOOK)
    return made


def client_of(world: World, tenant: str, toolset: str = "default", max_tokens: int = 8_000) -> Client:
    return Client(world, caller(world.acting_key(tenant, toolset=toolset, max_tokens=max_tokens), "ana", frozenset()))


def numbers(text: str) -> list[int]:
    return [int(number) for number in re.findall(r"Chapter (\d+)", text)]


def largest_form(result: Mapping[str, Any]) -> int:
    text = "\n".join(each["text"] for each in result["content"])
    return max(count_tokens(text), count_tokens(json.dumps(result["structuredContent"], ensure_ascii=False)))


@pytest.mark.parametrize("max_tokens", [500, 1_000, 20_000, None])
def test_a_page_has_room_in_the_tokens_of_the_call_or_else_of_the_key(
    world: World, tenant: str, max_tokens: int | None
) -> None:
    asker = client_of(world, tenant, max_tokens=700)
    result = asker.tool("fetch", id=BOOK, page=1.0, max_tokens=max_tokens)
    structured = result["structuredContent"]
    Draft202012Validator(FETCH_OUTPUT).validate(structured)
    assert largest_form(result) <= (max_tokens or 700)
    shown = numbers(structured["text"])
    assert shown == list(range(len(shown)))
    assert structured.get("more", 0) == TEXT_PAGE_SEGMENTS - len(shown)
    assert (max_tokens == 20_000) == ("more" not in structured)


def test_a_cut_page_names_the_passage_with_which_it_continues(world: World, tenant: str) -> None:
    asker = client_of(world, tenant)
    cut = asker.tool("fetch", id=BOOK, page=1, max_tokens=1_000)["content"][0]["text"]
    following = re.findall(r"no room for more of its passages: \d+\. Fetch (\S+) for the next of them", cut)
    assert len(following) == 1
    read = asker.tool("fetch", id=following[0], max_tokens=500)
    assert largest_form(read) <= 500
    assert numbers(cut)[-1] + 1 in numbers(read["structuredContent"]["text"])


def test_a_document_is_read_to_its_end_by_what_each_text_of_openais_fetch_names(world: World, tenant: str) -> None:
    asker = client_of(world, tenant, "openai", 900)
    wanted, shown = BOOK, list[int]()
    while wanted:
        result = asker.tool("fetch", id=wanted)
        assert largest_form(result) <= 900
        text = result["structuredContent"]["text"]
        shown += numbers(text)
        wanted = next(iter(re.findall(r"Fetch (\S+) (?:to read on|for the next)\.$", text)), "")
    assert shown == list(range(TEXT_PAGE_SEGMENTS + 5))


def test_a_place_that_search_found_is_in_what_openais_fetch_returns_however_little_has_room(
    world: World, tenant: str
) -> None:
    asker = client_of(world, tenant, "openai", 900)
    segments = world.services.stores.indexes.for_tenant(tenant).segments(DocumentVersion(BOOK, 1))
    for number in (0, 12, TEXT_PAGE_SEGMENTS, TEXT_PAGE_SEGMENTS + 4):
        text = asker.tool("fetch", id=segments[number].uid)["structuredContent"]["text"]
        assert number in numbers(text)
    assert asker.tool("fetch", id=f"{BOOK}/pages/2/from/6")["isError"] is True


def test_a_resource_has_room_in_the_tokens_of_the_key_and_names_where_it_continues(world: World, tenant: str) -> None:
    asker = client_of(world, tenant, max_tokens=600)
    text = asker.read(f"groundwire://documents/{BOOK}")
    assert count_tokens(text) <= 600
    [following] = re.findall(r"passages, from (\S+) on\.$", text)
    read_on = asker.read(following)
    assert count_tokens(read_on) <= 600
    assert numbers(text)[-1] + 1 in numbers(read_on)


def test_a_prompts_passages_have_room_in_the_tokens_of_the_key(world: World, tenant: str) -> None:
    question = "Chapter 7, " * 300
    [message] = client_of(world, tenant, max_tokens=800).prompt("answer_with_citations", question=question)
    quoted = message["content"]["text"].split("Quotations from")[1]
    assert numbers(quoted)
    assert count_tokens(quoted) <= 800


def test_two_documents_that_are_compared_have_room_in_the_tokens_of_the_key(world: World, tenant: str) -> None:
    pages = "\n\n".join(f"Chapter {number} {EMOJI}." for number in range(TEXT_PAGE_SEGMENTS))
    world.ingest(tenant, pages, PUBLIC, path="/nowhere/second.txt", doc_id="second")
    asker = client_of(world, tenant, max_tokens=1_000)
    _, *documents = asker.prompt("compare_sources", topic="chapters", first=BOOK, second="second")
    texts = [each["content"]["resource"]["text"] for each in documents]
    assert all(numbers(text) for text in texts)
    assert sum(map(count_tokens, texts)) <= 1_000


def test_a_list_of_documents_has_room_in_the_tokens_of_the_key_and_reports_where_all_are(world: World) -> None:
    tenant = world.tenant("birch")
    for number in range(30):
        name = f"Rules on annual leave, on travel and on expenses of the whole sales team, edition {number}.txt"
        world.ingest(tenant, "Text.", PUBLIC, path=f"/nowhere/{name}", doc_id=f"doc{number}")
    text = client_of(world, tenant, max_tokens=500).read("groundwire://collections/default")
    assert 1 <= text.count("groundwire://documents/") < 30
    assert count_tokens(text) <= 500
    assert text.endswith("resources/list names all of them.")
    whole = client_of(world, tenant).read("groundwire://collections/default")
    assert whole.count("groundwire://documents/") == 30
    assert "resources/list" not in whole


def test_a_list_of_collections_fits_the_keys_tokens_and_counts_the_omitted_ones(world: World) -> None:
    tenant = world.tenant("birch")
    for number in range(12):
        world.ingest(tenant, "Text.", PUBLIC, path=f"/nowhere/{number}.md", collection=f"c{number:02}")
        world.services.stores.collections.put(tenant, Collection(f"c{number:02}", 0.4, description=EMOJI))
    result = client_of(world, tenant, max_tokens=600).tool("list_collections")
    structured = result["structuredContent"]
    Draft202012Validator(COLLECTIONS_OUTPUT).validate(structured)
    assert largest_form(result) <= 600
    assert structured["more"] == 12 - len(structured["collections"])
    assert [each["name"] for each in structured["collections"]][:1] == ["c00"]
    assert f"no room for more collections: {structured['more']}" in result["content"][0]["text"]
    assert "more" not in client_of(world, tenant).tool("list_collections")["structuredContent"]
