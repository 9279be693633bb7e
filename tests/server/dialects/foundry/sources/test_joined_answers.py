"""Answers over a collection that passages of a mapped source join."""

import json
import re
import threading
import uuid
from dataclasses import replace
from typing import Any, Final, cast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from groundwire.domain.access.scopes import Scope
from groundwire.domain.keys.fairness.work import Capacity, Levels
from groundwire.domain.limits import MAX_JOINED_SOURCES
from groundwire.services.sources.joins import joined_search
from groundwire.services.sources.joins.answer_passages import answer_passages
from groundwire.services.sources.joins.joined_passages import within_share
from groundwire_egress.mcp_client.calls import SourceAnswer
from tests.server.dialects.foundry.edge import Edge
from tests.server.dialects.foundry.sources.company import PUBLIC, WIKI, Company, text_answer, wiki
from tests.support.isolation import policies
from tests.support.plugins.draws import examples
from tests.support.worlds.world import READ, caller

MAPPING = {"collection": "pumps", "tool": "search"}
TEXTS = [f"The pump number {number} is in hall {number}." for number in range(9)]


@pytest.fixture
def mapped(company: Company) -> Company:
    """Nine documents in `pumps`, and a source whose passages join its answers."""
    for number, text in enumerate(TEXTS):
        company.world.ingest(
            company.tenant,
            text,
            policies.PUBLIC,
            path=f"/pumps/{number}.txt",
            doc_id=f"pump-{number}",
            collection="pumps",
        )
    company.world.ingest(company.tenant, "The valve.", policies.PUBLIC, path="/v.txt", collection="valves")
    company.register(collection_mapping=MAPPING, policy={"users": ["ana"]})
    results = [
        {"title": f"Page {n}", "content": f"The pump of the wiki page {n}.", "url": f"https://w.example/{n}"}
        for n in range(9)
    ]
    company.servers.answer = text_answer(json.dumps({"results": results}))
    return company


def found(agent: Edge, collection: str = "pumps", **arguments: object) -> dict[str, Any]:
    """The results of a hybrid search in a collection."""
    wanted = {"query": "Where is the pump?", "collection_names": [collection], "strictness": 0, **arguments}
    return json.loads(agent.request("tools/call", name="search_hybrid", arguments=wanted).result["content"][0]["text"])[
        collection
    ]


def origins(results: dict[str, Any]) -> list[bool]:
    """For each passage, whether it is a source's."""
    return ["MCP source wiki" in each["file_path"] for each in results["results"]]


def test_at_most_a_third_of_the_passages_are_a_sources_and_each_names_it(mapped: Company) -> None:
    for top_n in (1, 2, 3, 6, 9, 50):
        marks = origins(found(mapped.agent("ana"), top_n=top_n))
        assert len(marks) <= top_n
        assert sum(marks) * 3 <= len(marks)
        assert (sum(marks) > 0) is (top_n >= 3)


def test_the_own_passages_keep_their_order(mapped: Company) -> None:
    alone = found(mapped.agent("ben"), top_n=9)["results"]
    joined = found(mapped.agent("ana"), top_n=9)["results"]
    own = [each["file_path"] for each in joined if "MCP source" not in each["file_path"]]
    assert own == [each["file_path"] for each in alone][: len(own)]


def test_whoever_may_not_use_the_source_gets_the_answer_as_without_it(mapped: Company) -> None:
    before = found(mapped.agent("ben"), top_n=9)
    assert not any(origins(before))
    assert "notice" not in before["metadata"]
    assert mapped.servers.calls == []


def test_only_the_first_phrase_leaves(mapped: Company) -> None:
    found(mapped.agent("ana"))
    [call] = mapped.servers.calls
    assert call.arguments == {"query": "Where is the pump?"}


def test_a_source_that_fails_is_a_notice_and_the_answer_is_otherwise_the_same(mapped: Company) -> None:
    without = found(mapped.agent("ben"), top_n=9)
    mapped.servers.declarations.pop(WIKI)
    failed = found(mapped.agent("ana"), top_n=9)
    assert failed["results"] == without["results"]
    assert "wiki" in failed["metadata"].pop("notice")
    assert failed["metadata"] == without["metadata"]


@pytest.mark.parametrize(
    "arguments",
    [{"filters": 'file_path like "%pumps%"'}, {"collection": "valves"}],
)
def test_a_narrowed_search_and_another_collection_call_no_source(mapped: Company, arguments: dict[str, Any]) -> None:
    found(mapped.agent("ana"), **arguments)
    assert mapped.servers.calls == []


def test_a_keyword_search_alone_calls_no_source(mapped: Company) -> None:
    wanted = {"query": "pump", "collection_names": ["pumps"]}
    mapped.agent("ana").request("tools/call", name="search_text", arguments=wanted)
    assert mapped.servers.calls == []


def test_a_key_that_does_not_cover_the_collection_calls_no_source(mapped: Company) -> None:
    key = mapped.world.personal_key(mapped.tenant, "ana", frozenset(), collections=frozenset({"valves"}))
    agent = replace(mapped.agent("ana"), headers=caller(key))
    wanted = {"query": "pump", "collection_names": ["pumps", "valves"]}
    agent.request("tools/call", name="search_hybrid", arguments=wanted)
    assert mapped.servers.calls == []


def test_an_administrator_of_some_collections_has_no_source_of_another_one(mapped: Company) -> None:
    key = mapped.world.acting_key(mapped.tenant, scopes=READ | {Scope.ADMIN}, collections=frozenset({"valves"}))
    headers = caller(key)
    [source] = mapped.send("GET").payload["items"]
    path = f"/{source['id']}"
    assert mapped.send("GET", headers=headers).payload["total"] == 0
    for method, body in (("GET", None), ("PATCH", {"description": "Mine."}), ("DELETE", None)):
        closed, unknown = (mapped.send(method, each, body, headers) for each in (path, f"/{uuid.uuid4()}"))
        assert (closed.status, closed.payload) == (unknown.status, unknown.payload) == (404, unknown.payload)
    deletion = mapped.send("POST", "/batch-delete", {"ks_ids": [source["id"]]}, headers)
    assert deletion.payload == {"deleted_count": 0}
    assert mapped.send("GET", path).status == 200


def test_an_administrator_of_some_collections_registers_sources_of_these_alone(mapped: Company) -> None:
    key = mapped.world.acting_key(mapped.tenant, scopes=READ | {Scope.ADMIN}, collections=frozenset({"valves"}))
    headers = caller(key)

    def joining(collection: str) -> dict[str, object]:
        mapping = {"collection": collection, "tool": "search"}
        return {**wiki("second"), "tools": ["search"], "collection_mapping": mapping}

    def own(collection: str) -> dict[str, object]:
        parameters = {"server_url": "http://localhost:8080/edgeai/mcp", "indexed_source_ref": collection}
        return {"name": "own", "kind": "indexed_sources_mcp", "indexed_sources_parameters": parameters}

    for body in (joining, own):
        beyond, unknown = (mapped.send("POST", "", body(name), headers) for name in ("pumps", "nooks"))
        assert beyond.status in {400, 422}
        assert (beyond.status, beyond.bytes.replace(b"pumps", b"nooks")) == (unknown.status, unknown.bytes)
        assert mapped.send("POST", "", body("valves"), headers).status == 201
    [second] = [each for each in mapped.send("GET", headers=headers).payload["items"] if each["name"] == "second"]
    moved = mapped.send("PATCH", f"/{second['id']}", {"collection_mapping": MAPPING}, headers)
    assert moved.status == 422
    found(mapped.agent("ben"))
    assert mapped.servers.calls == []


def test_rag_search_quotes_a_sources_passage_with_its_origin_and_its_address(mapped: Company) -> None:
    answer = mapped.world.search(
        caller(mapped.world.personal_key(mapped.tenant, "ana", frozenset())), "Where is the pump?"
    )
    text = answer.result["content"][0]["text"]
    assert "MCP source wiki" in text
    assert "https://w.example/" in text


def test_the_path_and_the_query_of_a_servers_address_are_in_no_answer(mapped: Company) -> None:
    [source] = mapped.send("GET").payload["items"]
    url = f"{WIKI}/canary-path?token=canary-query"
    mapped.servers.declarations[url] = mapped.servers.declarations[WIKI]
    mapped.send("PATCH", f"/{source['id']}", {"remote_mcp_parameters": {"server_url": url}})
    mapped.servers.answer = text_answer("The pump is in the wiki.")
    key = mapped.world.personal_key(mapped.tenant, "ana", frozenset())
    answer = mapped.world.search(caller(key), "Where is the pump?")
    assert b"MCP source wiki" in answer.bytes
    assert b"canary" not in answer.bytes


def test_a_slow_source_is_a_notice_when_its_time_is_over(mapped: Company, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(joined_search, "SOURCE_JOIN_SECONDS", 0.2)
    released = threading.Event()
    mapped.servers.during = lambda: released.wait(30)
    try:
        slow = found(mapped.agent("ana"), top_n=9)
    finally:
        released.set()
    assert "wiki" in slow["metadata"]["notice"]
    assert not any(origins(slow))


def test_every_beginning_of_an_answer_has_at_most_a_third_from_sources(mapped: Company) -> None:
    mapped.servers.answer = text_answer(json.dumps({"results": [{"text": "Where is the pump?", "title": "x"}] * 5}))
    marks = origins(found(mapped.agent("ana"), top_n=9))
    assert any(marks)
    assert all(sum(marks[:count]) * 3 <= count for count in range(len(marks) + 1))


@given(st.lists(st.booleans(), max_size=30))
def test_a_list_that_was_cut_in_its_middle_keeps_the_share(marks: list[bool]) -> None:
    kept = within_share(list(enumerate(marks)), lambda item: item[1])
    assert [item for item in enumerate(marks) if not item[1]] == [item for item in kept if not item[1]]
    assert all(sum(mark for _, mark in kept[:count]) * 3 <= count for count in range(len(kept) + 1))


def test_each_page_of_a_source_is_cited_with_its_own_title_and_address(mapped: Company) -> None:
    key = mapped.world.personal_key(mapped.tenant, "ana", frozenset())
    joined = [
        each for each in mapped.world.search(caller(key), "Where is the pump?").segments if "w.example" in str(each)
    ]
    assert len(joined) >= 2
    for each in joined:
        [number] = re.findall(r"page (\d)", each["raw_text"])
        assert f"Page {number} (MCP source wiki)" in str(each)
        assert f"https://w.example/{number}" in str(each)


@pytest.mark.parametrize(
    "answer",
    [
        text_answer('{"results":' * 400 + "[]" + "}" * 400),
        text_answer("[" * 900 + "]" * 900),
        replace(text_answer("x"), content=[{"type": ["text"], "text": "x"}, {"type": {}}]),
    ],
)
def test_an_odd_answer_of_a_source_breaks_no_search_and_no_call(mapped: Company, answer: SourceAnswer) -> None:
    without = found(mapped.agent("ben"), top_n=9)
    mapped.servers.answer = answer
    joined = found(mapped.agent("ana"), top_n=9)
    own = [each for each in joined["results"] if "MCP source" not in each["file_path"]]
    assert [each["file_path"] for each in own] == [each["file_path"] for each in without["results"]][: len(own)]
    params = {"name": "wiki__search", "arguments": {"query": "x"}}
    assert mapped.agent("ana").request("tools/call", **params).result["content"]


def test_no_more_sources_than_the_limit_are_called_for_an_answer(mapped: Company) -> None:
    for number in range(MAX_JOINED_SOURCES + 2):
        mapped.register(f"wiki {number}", collection_mapping=MAPPING)
    found(mapped.agent("ana"))
    assert len(mapped.servers.calls) == MAX_JOINED_SOURCES


FULL: Final = Capacity(Levels(9, 9, 9, 9), Levels(9, 0, 0, 0), 1)


def test_a_tenant_with_too_many_running_calls_gets_a_notice_and_the_own_answer(
    mapped: Company, monkeypatch: pytest.MonkeyPatch
) -> None:
    without = found(mapped.agent("ben"), top_n=9)
    monkeypatch.setattr(joined_search, "_RUNNING", joined_search._RunningCalls(FULL))
    full = found(mapped.agent("ana"), top_n=9)
    assert full["results"] == without["results"]
    assert "wiki" in full["metadata"]["notice"]
    assert mapped.servers.calls == []


def test_a_call_that_ended_leaves_its_place_to_the_next_of_its_tenant_and_another_tenant_has_its_own() -> None:
    calls, release = joined_search._RunningCalls(Capacity(Levels(9, 1, 1, 1), Levels(9, 1, 1, 1), 1)), threading.Event()

    def hang() -> list[Any]:
        assert release.wait(timeout=30)
        return []

    running = calls.submit("acme", hang)
    assert running is not None
    assert calls.submit("acme", list) is None
    other = calls.submit("birch", list)
    assert other is not None
    assert other.result(timeout=30) == []
    ended = threading.Event()
    # Callbacks are called in their order, so the place is free before.
    running.add_done_callback(lambda _: ended.set())
    release.set()
    assert ended.wait(timeout=30)
    assert calls.submit("acme", list) is not None


def test_a_passages_address_is_never_one_of_this_server(mapped: Company) -> None:
    results = [{"text": "The pump of the wiki.", "url": "http://127.0.0.1:8080/open/forged"}]
    mapped.servers.answer = text_answer(json.dumps(results))
    key = mapped.world.personal_key(mapped.tenant, "ana", frozenset())
    answer = mapped.world.search(caller(key), "Where is the pump?")
    assert b"MCP source wiki" in answer.bytes
    assert b"open/forged" not in answer.bytes


def test_the_audit_line_names_the_source_and_what_left(mapped: Company) -> None:
    found(mapped.agent("ana"))
    line = next(iter(mapped.world.services.stores.audit.read(1)))
    [source] = cast("list[dict[str, object]]", line["sources"])
    assert (source["source_tool"], source["source_sent_bytes"]) == ("search", 100)


def test_a_mapping_needs_an_allowed_tool_and_is_removed_by_null(mapped: Company) -> None:
    [source] = mapped.send("GET").payload["items"]
    assert mapped.send("PATCH", f"/{source['id']}", {"tools": []}).status == 422
    assert mapped.send("PATCH", f"/{source['id']}", {"collection_mapping": None}).status == 200
    found(mapped.agent("ana"))
    assert mapped.servers.calls == []


def test_a_new_mapping_counts_at_once(company: Company) -> None:
    company.world.ingest(company.tenant, "The pump.", policies.PUBLIC, path="/p.txt", collection="pumps")
    made = company.register(policy=PUBLIC)
    found(company.agent("ana"))
    assert company.servers.calls == []
    company.send("PATCH", f"/{made['id']}", {"collection_mapping": MAPPING})
    found(company.agent("ana"))
    assert len(company.servers.calls) == 1


JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=20),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.sampled_from(["text", "results", "title", "url", "x"]), inner, max_size=4)
    ),
    max_leaves=20,
)


@given(JSON_VALUES, st.text(max_size=3_000))
@settings(max_examples=examples(200), deadline=None)
def test_every_answer_has_at_most_twenty_clean_passages(value: object, text: str) -> None:
    for answer in (text_answer(json.dumps(value)), text_answer(text, json.dumps(value))):
        passages = answer_passages(answer)
        assert len(passages) <= 20
        assert all(0 < len(each.text) <= 1_400 for each in passages)
        assert all(each.url is None or each.url.startswith(("https://", "http://")) for each in passages)
        assert len({each.text for each in passages}) == len(passages)
