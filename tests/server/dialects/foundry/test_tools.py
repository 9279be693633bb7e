"""The six tools to the letter of Foundry Local's page and reference."""

import json
from dataclasses import replace
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from groundwire.dialects.foundry.kinds import KINDS
from groundwire.dialects.foundry.schemas import COLLECTIONS_INPUT, COLLECTIONS_OUTPUT
from groundwire.domain.access.scopes import Scope
from groundwire.domain.keys.grants import ALL_COLLECTIONS, KeyKind
from groundwire.domain.keys.options import USUAL_OPTIONS
from groundwire.domain.limits import (
    MAX_ANSWER_TOKENS,
    MAX_COLLECTIONS_PER_CALL,
    MAX_EXPAND_TOKENS,
    MIN_ANSWER_TOKENS,
)
from groundwire.domain.text.token_estimate import estimate_tokens
from groundwire.services.keys.admin import KeySpec
from tests.server.dialects.foundry.edge import PATH, PLAIN, SEARCHES, TOOLS, Edge, edge
from tests.support.isolation.policies import PUBLIC
from tests.support.worlds.world import World

MEMBERS = ["content", "file_path", "chunk_id", "score", "page_numbers", "vector_type"]
SCHEMAS = [schema for kind in KINDS.values() for schema in (kind.input_schema, kind.output_schema)]


@pytest.mark.parametrize("schema", [*SCHEMAS, COLLECTIONS_INPUT, COLLECTIONS_OUTPUT])
def test_every_published_schema_is_valid(schema: dict[str, Any]) -> None:
    Draft202012Validator.check_schema(schema)


def test_the_six_tools_are_listed_with_the_arguments_of_the_reference(ben: Edge) -> None:
    tools = ben.request("tools/list").result["tools"]
    assert [tool["name"] for tool in tools] == list(TOOLS)
    arguments = {tool["name"]: set(tool["inputSchema"]["properties"]) for tool in tools}
    common = {"query", "collection_names", "top_n", "strictness", "filters"}
    assert arguments == {
        **dict.fromkeys(SEARCHES, common),
        "search_image": common | {"include_images"},
        "search_multimodal": common | {"text_strictness", "image_strictness", "include_images"},
        "get_available_collections": set(),
    }
    [hybrid, *_] = tools
    properties = hybrid["inputSchema"]["properties"]
    assert properties["collection_names"]["default"] == ["edgeragapp"]
    assert {name: properties[name]["default"] for name in ("top_n", "strictness", "filters")} == {
        "top_n": 5,
        "strictness": 1,
        "filters": None,
    }
    assert (properties["top_n"]["minimum"], properties["top_n"]["maximum"]) == (1, 50)
    assert (properties["strictness"]["minimum"], properties["strictness"]["maximum"]) == (0, 5)


@pytest.mark.parametrize(
    ("tool", "search_type", "vector_type"),
    [
        ("search_hybrid", "hybrid_search", "dense"),
        ("search_vector", "vector_search", "dense"),
        ("search_text", "full_text_search", "sparse"),
    ],
)
def test_a_result_has_the_members_of_the_reference(ben: Edge, tool: str, search_type: str, vector_type: str) -> None:
    answer = ben.found(tool, query="reset the pump", collection_names=["pumps"], strictness=0)
    Draft202012Validator(KINDS[tool].output_schema).validate(answer)
    [best, *_] = answer["pumps"]["results"]
    assert list(best) == MEMBERS
    assert best == best | {
        "content": "Reset the pump.",
        "file_path": "pump.pdf",
        "chunk_id": "1",
        "page_numbers": [2],
        "vector_type": vector_type,
    }
    assert answer["pumps"]["metadata"] == {
        "results_number": len(answer["pumps"]["results"]),
        "search_type": search_type,
        "collection": "pumps",
    }


def test_results_are_sorted_by_a_score_between_0_and_1(ben: Edge) -> None:
    for tool in SEARCHES[:3]:
        scores = [each["score"] for each in ben.results(tool, query="reset the device", strictness=0, top_n=50)]
        assert scores == sorted(scores, reverse=True)
        assert scores
        assert all(0 <= score <= 1 for score in scores)


def test_search_text_compares_words_alone_and_embeds_nothing(
    world: World, ben: Edge, monkeypatch: pytest.MonkeyPatch
) -> None:
    def embed(*_: object) -> None:
        raise AssertionError("a text was embedded")

    monkeypatch.setattr(type(world.services.models.embedders.default), "embed", embed)
    assert ben.results("search_text", query="battery")
    assert ben.results("search_text", query="accumulator") == []
    assert ben.call("search_hybrid", query="battery").payload["error"]["code"] == -32603


def test_search_vector_compares_meaning_alone(ben: Edge) -> None:
    # No passage has the word; each is as near as any other text.
    assert ben.results("search_vector", query="accumulator", strictness=0)


def test_each_collection_is_a_list_of_its_own_under_the_name_that_was_given(ben: Edge) -> None:
    answer = ben.found("search_hybrid", query="reset", collection_names=["pumps", "guides", "pumps"], strictness=0)
    assert list(answer) == ["pumps", "guides"]
    assert [each["metadata"]["collection"] for each in answer.values()] == ["pumps", "guides"]
    assert {each["file_path"] for each in answer["pumps"]["results"]} == {"pump.pdf"}
    assert {each["file_path"] for each in answer["guides"]["results"]} == {"manual.txt", "battery.txt"}


def test_top_n_counts_for_each_collection(ben: Edge) -> None:
    answer = ben.found("search_hybrid", query="reset", collection_names=["pumps", "guides"], strictness=0, top_n=1)
    assert [len(each["results"]) for each in answer.values()] == [1, 1]
    assert [each["metadata"]["results_number"] for each in answer.values()] == [1, 1]


def test_a_call_returns_up_to_50_passages_of_a_collection_and_5_without_a_number(world: World, tenant: str) -> None:
    for number in range(60):
        text = (
            f"Bolt {number} holds {number * 7919 % 1009} newtons and has {number * 31 % 97} turns of thread {number}."
        )
        world.ingest(tenant, text, PUBLIC, path=f"/nowhere/bolt{number}.txt", collection="bolts")
    client = edge(world, world.personal_key(tenant, "ben", frozenset()))
    arguments = {"query": "bolt thread newtons", "collection_names": ["bolts"], "strictness": 0}
    everything = client.results("search_text", **arguments, top_n=50)
    assert len(everything) == 50
    shorter = client.results("search_text", **arguments)
    assert shorter == everything[:5]


def test_the_phrase_is_embedded_once_for_all_collections(
    world: World, ben: Edge, monkeypatch: pytest.MonkeyPatch
) -> None:
    kind = type(world.services.models.embedders.default)
    original, texts = kind.embed, list[str]()

    def embed(self: Any, given: list[str], what: Any) -> Any:
        texts.extend(given)
        return original(self, given, what)

    monkeypatch.setattr(kind, "embed", embed)
    ben.found("search_hybrid", query="reset", collection_names=["pumps", "guides", "private", "edgeragapp"])
    assert texts == ["reset"]


@pytest.mark.parametrize("tool", SEARCHES)
def test_unknown_hidden_and_empty_collections_get_the_same_answer(
    world: World, tenant: str, ben: Edge, tool: str
) -> None:
    world.services.administration.collection_admin.set(tenant, "empty", None, None)
    names = ["never", "closed", "private", "empty", "", "x" * 500]
    answer = ben.found(tool, query="reset", collection_names=names, strictness=0)
    assert list(answer) == names
    shapes = []
    for name, entry in answer.items():
        assert entry["metadata"].pop("collection") == name
        shapes.append(entry)
    assert all(each == shapes[0] for each in shapes)
    assert shapes[0]["metadata"]["results_number"] == 0


def test_a_user_finds_what_others_do_not(ana: Edge, ben: Edge) -> None:
    for client, expected in ((ana, ["safe.txt"]), (ben, [])):
        results = client.results("search_text", query="safe", collection_names=["private"])
        assert [each["file_path"] for each in results] == expected


def test_the_default_name_is_that_of_the_keys_collections(world: World, tenant: str, ben: Edge) -> None:
    for names in (None, [], ["edgeragapp"]):
        answer = ben.found("search_hybrid", query="reset", collection_names=names, strictness=0)
        assert list(answer) == ["edgeragapp"]
        assert answer["edgeragapp"]["metadata"]["collection"] == "edgeragapp"
        paths = {each["file_path"] for each in answer["edgeragapp"]["results"]}
        assert paths == {"manual.txt", "battery.txt", "pump.pdf"}
    narrow = edge(world, world.personal_key(tenant, "ben", frozenset(), collections=frozenset({"pumps"})))
    assert {each["file_path"] for each in narrow.results("search_hybrid", query="reset")} == {"pump.pdf"}


def test_the_default_name_is_a_collections_own_for_those_who_may_read_in_it(
    world: World, tenant: str, ana: Edge, ben: Edge
) -> None:
    readers = world.services.stores.documents.all(tenant, "private")[0].policy
    world.ingest(tenant, "Reset the app.", readers, path="/nowhere/app.txt", collection="edgeragapp")
    assert {each["file_path"] for each in ana.results("search_hybrid", query="reset", strictness=0)} == {"app.txt"}
    found = {each["file_path"] for each in ben.results("search_hybrid", query="reset", strictness=0)}
    assert found == {"manual.txt", "battery.txt", "pump.pdf"}


def test_a_call_names_at_most_10_collections(ben: Edge) -> None:
    names = [f"c{number}" for number in range(MAX_COLLECTIONS_PER_CALL)]
    assert list(ben.found("search_text", query="reset", collection_names=names)) == names
    assert "collection_names" in ben.error("search_text", query="reset", collection_names=[*names, "one-more"])


def test_images_are_an_empty_list_in_the_form_of_the_reference(ben: Edge) -> None:
    answer = ben.found("search_image", query="a red button", collection_names=["guides"])
    assert answer == {
        "guides": {
            "results": [],
            "metadata": {"results_number": 0, "search_type": "image_search", "collection": "guides"},
        }
    }


def test_a_multimodal_search_has_a_list_of_passages_and_one_of_images(ben: Edge) -> None:
    answer = ben.found("search_multimodal", query="reset the device", collection_names=["guides"], strictness=0)
    Draft202012Validator(KINDS["search_multimodal"].output_schema).validate(answer)
    entry = answer["guides"]
    assert list(entry) == ["text_chunks", "image_chunks", "metadata"]
    hybrid = ben.results("search_hybrid", query="reset the device", collection_names=["guides"], strictness=0)
    assert (entry["text_chunks"], entry["image_chunks"]) == (hybrid, [])
    assert entry["metadata"] == {
        "results_number": len(hybrid),
        "search_type": "multimodal_search",
        "collection": "guides",
    }


def test_available_collections_are_those_in_which_the_caller_can_read(
    world: World, tenant: str, ana: Edge, ben: Edge
) -> None:
    world.services.administration.collection_admin.set(tenant, "pumps", None, None, description="Pumps and valves.")
    answer = ben.found("get_available_collections")
    Draft202012Validator(COLLECTIONS_OUTPUT).validate(answer)
    assert [each["name"] for each in answer["collections"]] == ["guides", "pumps"]
    assert [each["description"] for each in answer["collections"]] == [None, "Pumps and valves."]
    assert {each["status"] for each in answer["collections"]} == {"active"}
    assert answer["total_count"] == 2
    assert [each["name"] for each in ana.found("get_available_collections")["collections"]] == [
        "guides",
        "private",
        "pumps",
    ]


def test_a_collection_keeps_the_time_of_its_creation(world: World, tenant: str, ben: Edge) -> None:
    def created() -> dict[str, str]:
        return {each["name"]: each["created_at"] for each in ben.found("get_available_collections")["collections"]}

    before = created()
    assert all(
        len(each) == len("2026-01-01T00:00:00.000000+00:00") and each.endswith("+00:00") for each in before.values()
    )
    world.services.administration.collection_admin.set(tenant, "pumps", 0.5, None)
    world.ingest(tenant, "Another pump.", PUBLIC, path="/nowhere/other.txt", collection="pumps")
    assert created() == before


def test_an_answer_has_at_most_the_tokens_of_its_key_and_lists_are_filled_by_turns(world: World, tenant: str) -> None:
    for name in ("first", "second"):
        for number in range(12):
            text = " ".join(f"Pump {name} {number} moves litre {number * place}." for place in range(40))
            world.ingest(tenant, text, PUBLIC, path=f"/nowhere/{name}{number}.txt", collection=name)
    short, long = (
        edge(world, world.acting_key(tenant, max_tokens=tokens), "ben") for tokens in (2_000, MAX_ANSWER_TOKENS)
    )
    arguments = {"query": "pump litre", "collection_names": ["first", "second"], "top_n": 50, "strictness": 0}
    few, many = (client.found("search_text", **arguments) for client in (short, long))
    counts = [entry["metadata"]["results_number"] for entry in few.values()]
    assert 0 < sum(counts) < sum(entry["metadata"]["results_number"] for entry in many.values())
    assert counts[0] - counts[1] in {0, 1}
    for name, entry in few.items():
        assert entry["results"] == many[name]["results"][: len(entry["results"])]
    assert estimate_tokens(json.dumps(few, ensure_ascii=False)) <= 2_000


def test_a_passage_without_room_for_its_neighbours_is_answered_alone(world: World, tenant: str) -> None:
    text = "\n\n".join(f"Section {number} about the turbine. " + "It has blades of steel. " * 40 for number in range(9))
    world.ingest(tenant, text, PUBLIC, path="/nowhere/turbine.txt", collection="turbines")
    spec = KeySpec(
        tenant,
        "k",
        KeyKind.PERSONAL,
        "ben",
        frozenset(),
        (),
        scopes=frozenset({Scope.SEARCH}),
        collections=ALL_COLLECTIONS,
        options=replace(USUAL_OPTIONS, max_tokens=MIN_ANSWER_TOKENS, expand_tokens=MAX_EXPAND_TOKENS),
    )
    [found] = edge(world, world.services.administration.key_admin.create(spec)).results(
        "search_text", query="turbine section", collection_names=["turbines"]
    )
    assert len(found["content"]) < 1_400


def test_a_search_is_recorded_without_query_and_answer(world: World, ana: Edge) -> None:
    ana.found("search_hybrid", query="reset quickly", collection_names=["private", "pumps"], strictness=0)
    [record] = world.services.stores.audit.read(1)
    assert (record["tool"], record["outcome"], record["segments"], record["collections"]) == (
        "search_hybrid",
        "answered",
        3,
        2,
    )
    assert isinstance(record["documents"], list)
    assert len(record["documents"]) == 2
    assert "quickly" not in str(record)
    assert "Reset" not in str(record)


def test_the_route_answers_what_is_posted_alone(world: World, ben: Edge) -> None:
    for method in ("GET", "DELETE", "PUT"):
        assert world.request(method, PATH, {**PLAIN, **ben.headers}, b"").status == 405
