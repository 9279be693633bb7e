"""Errors in the form of the reference: JSON-RPC errors, whose messages name what is wrong."""

from typing import Any

import pytest

from groundwire.domain.access.scopes import Scope
from groundwire.domain.errors import Unavailable
from groundwire.domain.keys.grants import KeyKind
from groundwire.domain.keys.options import USUAL_OPTIONS
from groundwire.services.keys.admin import KeySpec
from tests.server.dialects.foundry.edge import SEARCHES, TOOLS, Edge, edge
from tests.support.worlds.world import World, caller


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        (b"no json", 400, -32700),
        (b'"text"', 400, -32600),
        (b'{"jsonrpc":"2.0","id":1}', 400, -32600),
        (b'{"jsonrpc":"1.0","id":1,"method":"tools/list"}', 400, -32600),
        (b'{"jsonrpc":"2.0","id":1,"method":"tools/none"}', 200, -32601),
        (b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"rag_search"}}', 200, -32602),
        (b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"search_text","arguments":[]}}', 200, -32602),
    ],
)
def test_a_message_that_is_none_has_the_code_of_json_rpc(ben: Edge, body: bytes, status: int, code: int) -> None:
    answer = ben.post(body)
    assert (answer.status, answer.payload["error"]["code"]) == (status, code)


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        ({}, "query"),
        ({"query": None}, "query"),
        ({"query": "  "}, "query"),
        ({"query": 7}, "query"),
        ({"query": ["reset"]}, "query"),
        ({"query": "reset", "collection_names": "pumps"}, "collection_names"),
        ({"query": "reset", "collection_names": [7]}, "collection_names"),
        ({"query": "reset", "collection_names": ["x" * 1_001]}, "collection_names"),
        ({"query": "reset", "top_n": 0}, "top_n"),
        ({"query": "reset", "top_n": 51}, "top_n"),
        ({"query": "reset", "top_n": 2.5}, "top_n"),
        ({"query": "reset", "top_n": True}, "top_n"),
        ({"query": "reset", "top_n": "five"}, "top_n"),
        ({"query": "reset", "strictness": -1}, "strictness"),
        ({"query": "reset", "strictness": 6}, "strictness"),
        ({"query": "reset", "strictness": "high"}, "strictness"),
        ({"query": "reset", "filters": 7}, "filters"),
        ({"query": "reset", "filters": ["a == 1"]}, "filters"),
        ({"query": "reset", "filter": "a == 1"}, "'filter'"),
    ],
)
@pytest.mark.parametrize("tool", SEARCHES)
def test_a_bad_argument_is_named(ben: Edge, tool: str, arguments: dict[str, object], named: str) -> None:
    assert named in ben.error(tool, **arguments)


def test_the_strictness_of_one_kind_is_an_argument_of_the_multimodal_search_alone(ben: Edge) -> None:
    for name in ("text_strictness", "image_strictness"):
        assert name in ben.error("search_multimodal", query="reset", **{name: 6})
        assert name in ben.error("search_hybrid", query="reset", **{name: 1})


def test_an_argument_of_a_tool_that_takes_none_is_named(ben: Edge) -> None:
    assert "'limit'" in ben.error("get_available_collections", limit=1)


@pytest.mark.parametrize(
    ("expression", "column"),
    [
        ("page ==", 8),
        ("page = 1", 6),
        ("(page == 1", 11),
        ('metadata["year"] % 2 == 1', 18),
        ("not page == 12", 1),
        ('page == 1 and text like "%a%" or st_within(a, b)', 34),
    ],
)
@pytest.mark.parametrize("tool", SEARCHES)
def test_a_filter_that_cannot_be_read_is_an_error_that_names_the_column(
    ben: Edge, tool: str, expression: str, column: int
) -> None:
    message = ben.error(tool, query="reset", filters=expression)
    assert message.startswith("filters: ")
    assert f"at character {column}," in message


@pytest.mark.parametrize("identifier", [0, "a-7", 12])
def test_the_id_of_a_request_comes_back_unchanged(ben: Edge, identifier: int | str) -> None:
    for method in ("tools/list", "none"):
        assert ben.post({"jsonrpc": "2.0", "id": identifier, "method": method}).payload["id"] == identifier
    nobody = Edge(ben.world, {})
    assert nobody.post({"jsonrpc": "2.0", "id": identifier, "method": "tools/call"}).payload["id"] == identifier


@pytest.mark.parametrize("headers", [{}, {"authorization": "Bearer gw_local_wrong"}, {"authorization": "Basic eA=="}])
@pytest.mark.parametrize("method", ["initialize", "tools/list", "tools/call"])
def test_a_missing_or_wrong_key_is_401_with_a_challenge_and_the_code_of_the_reference(
    world: World, headers: dict[str, str], method: str
) -> None:
    answer = Edge(world, headers).post({"jsonrpc": "2.0", "id": "x", "method": method})
    assert (answer.status, answer.payload["id"], answer.payload["error"]["code"]) == (401, "x", -32603)
    assert dict(answer.response.headers)["www-authenticate"].startswith("Bearer")


def test_another_refusal_before_the_tool_keeps_its_code(world: World, tenant: str, ben: Edge) -> None:
    answer = Edge(world, {**ben.headers, "x-user-id": "ana"}).call("search_text", query="reset")
    assert (answer.status, answer.payload["error"]["code"]) == (403, -32600)


def test_a_key_without_the_scope_is_refused(world: World, tenant: str) -> None:
    spec = KeySpec(
        tenant, "k", KeyKind.PERSONAL, "ben", frozenset(), (), frozenset({Scope.VERIFY}), "every", USUAL_OPTIONS
    )
    client = edge(world, world.services.administration.key_admin.create(spec))
    for tool in TOOLS:
        assert client.call(tool, **({} if tool == TOOLS[-1] else {"query": "reset"})).status == 403
    assert client.request("tools/list").result["tools"] == []


def test_a_key_that_acts_for_others_is_one_header_more(world: World, tenant: str) -> None:
    key = world.acting_key(tenant)
    found = edge(world, key, "ana").results("search_text", query="safe")
    assert [each["file_path"] for each in found] == ["safe.txt"]
    assert edge(world, key, "ben").results("search_text", query="safe") == []


@pytest.mark.parametrize("session", [{}, {"mcp-session-id": ""}])
def test_a_call_beyond_the_rate_of_its_key_states_when_to_come_back(
    world: World, tenant: str, session: dict[str, str]
) -> None:
    client = Edge(world, caller(world.slow_key(tenant, "default"), "ben", frozenset()))
    assert client.call("search_text", query="reset").status == 200
    answer = client.post(_call("search_text", query="reset"), session)
    assert answer.payload["error"]["code"] == -32000
    assert answer.payload["error"]["data"]["retry_after_s"] > 0
    if session:
        # An MCP client ends its session at HTTP status 429.
        assert answer.status == 200
    else:
        assert answer.status == 429
        assert "retry-after" in dict(answer.response.headers)


def test_a_store_that_does_not_answer_is_an_error_worth_a_repeat(
    world: World, ben: Edge, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise Unavailable("the disk of the registry is gone")

    monkeypatch.setattr(type(world.services.stores.documents), "read", fail)
    for tool in ("search_hybrid", "get_available_collections"):
        answer = ben.call(tool, **({"query": "reset"} if tool == "search_hybrid" else {}))
        assert (answer.status, answer.payload["error"]["code"]) == (200, -32000)
        assert answer.payload["error"]["data"]["retryable"] is True
        assert "registry" not in str(answer.payload)


def test_a_defect_reports_nothing_of_its_cause(world: World, ben: Edge, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise RuntimeError("a secret")

    monkeypatch.setattr(type(world.services.stores.documents), "read", fail)
    answer = ben.call("search_hybrid", query="reset")
    assert (answer.status, answer.payload["error"]["code"]) == (200, -32603)
    assert "secret" not in str(answer.payload)


def test_a_dead_embedder_is_waited_for_once_and_words_alone_are_compared(
    world: World, ben: Edge, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls: list[Any] = []

    def fail(*given: object) -> None:
        calls.append(given)
        raise Unavailable("no model")

    monkeypatch.setattr(type(world.services.models.embedders.default), "embed", fail)
    answer = ben.found("search_hybrid", query="reset", collection_names=["pumps", "guides"])
    assert len(calls) == 1
    for entry in answer.values():
        assert {each["vector_type"] for each in entry["results"]} == {"sparse"}
        assert "compared words only" in entry["metadata"]["notice"]


def _call(tool: str, **arguments: object) -> dict[str, object]:
    return {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": tool, "arguments": arguments}}
