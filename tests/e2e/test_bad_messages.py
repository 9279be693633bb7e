"""Bodies and arguments that cannot be meant are refused with the promised code, and the next call is answered."""

import json
from collections.abc import Mapping
from typing import Any

import pytest

from tests.e2e.company import PUBLIC, PUMP, Company, last_line
from tests.support.clients.agent import agent, tool_call

PING = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
SEARCH = tool_call("rag_search", search_phrases=["pump"])

BAD_BODIES: dict[str, tuple[bytes, int, int]] = {
    "nothing": (b"", 400, -32700),
    "not JSON": (b"hello", 400, -32700),
    "not UTF-8": (b'{"a": "\xff"}', 400, -32700),
    "NaN": (b'{"jsonrpc": "2.0", "id": 1, "method": "ping", "params": {"a": NaN}}', 400, -32700),
    "the same key twice": (b'{"jsonrpc": "2.0", "id": 1, "id": 2, "method": "ping"}', 400, -32700),
    "100,000 opening brackets": (b"[" * 100_000, 400, -32700),
    "100,000 brackets that close": (b"[" * 50_000 + b"]" * 50_000, 400, -32700),
    "2 MB": (b'{"jsonrpc": "2.0", "id": 1, "method": "' + b"x" * 2_000_000 + b'"}', 413, -32600),
    "a number": (b"7", 400, -32600),
    "no supported version": (b'{"id": 1, "method": "ping"}', 400, -32600),
    "a version that is not": (b'{"jsonrpc": "1.0", "id": 1, "method": "ping"}', 400, -32600),
    "an id that is a list": (b'{"jsonrpc": "2.0", "id": [], "method": "ping"}', 400, -32600),
    "an empty batch": (b"[]", 400, -32600),
    "a batch of 21": (
        json.dumps([PING] * 21).encode(),
        400,
        -32600,
    ),
    "a batch with two searches": (json.dumps([SEARCH, SEARCH]).encode(), 400, -32600),
}


@pytest.mark.parametrize(("body", "status", "code"), BAD_BODIES.values(), ids=BAD_BODIES)
def test_a_body_that_is_no_message_is_refused_and_the_next_call_is_answered(
    company: Company, body: bytes, status: int, code: int
) -> None:
    refused = company.agent.post(body)
    assert (refused.status_code, refused.json()["error"]["code"]) == (status, code)
    assert company.agent.post(SEARCH).status_code == 200


def test_a_body_beyond_what_the_gateway_takes_is_refused_too(company: Company) -> None:
    assert company.agent.post(b"x" * 10_500_000).status_code == 413
    assert company.agent.post(SEARCH).status_code == 200


@pytest.mark.parametrize("version", ["2024-11-05", "2025-06-18", "2025-11-25", "2026-07-28"])
def test_a_version_without_batches_takes_none(company: Company, version: str) -> None:
    refused = company.agent.post([{"jsonrpc": "2.0", "id": 1, "method": "ping"}], {"mcp-protocol-version": version})
    assert (refused.status_code, refused.json()["error"]["code"]) == (400, -32600)


BAD_PHRASES: dict[str, object] = {
    "an empty list": [],
    "six": ["a"] * 6,
    "an empty string": [""],
    "blanks": [" ", "\t\n"],
    "a string": "pump",
    "numbers": [1],
    "null": None,
    "a list inside": [["pump"]],
}


@pytest.mark.parametrize("phrases", BAD_PHRASES.values(), ids=BAD_PHRASES)
def test_phrases_that_cannot_be_searched_are_invalid_params(company: Company, phrases: object) -> None:
    refused = company.agent.tool("rag_search", search_phrases=phrases)
    assert refused.status_code == 200
    assert refused.json()["error"]["code"] == -32602
    assert "search_phrases" in refused.json()["error"]["message"] or "phrase" in refused.json()["error"]["message"]
    assert "segments" not in last_line(company)


@pytest.mark.parametrize("arguments", [{}, {"phrases": ["pump"]}, {"search_phrases": "pump", "top_n": 100}])
def test_a_call_without_phrases_is_invalid_params(company: Company, arguments: dict[str, object]) -> None:
    assert company.agent.tool("rag_search", **arguments).json()["error"]["code"] == -32602


def test_arguments_that_the_page_does_not_have_are_ignored_without_a_mark_of_mcp(company: Company) -> None:
    answer = company.agent.tool("rag_search", search_phrases=["pump"], top_n=1, later=True).json()
    assert answer["result"] == company.agent.tool("rag_search", search_phrases=["pump"]).json()["result"]


@pytest.mark.parametrize("version", ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"])
@pytest.mark.parametrize("phrases", BAD_PHRASES.values(), ids=BAD_PHRASES)
def test_the_model_behind_an_mcp_client_reads_what_is_wrong_with_its_phrases(
    company: Company, phrases: object, version: str
) -> None:
    answer = company.agent.post(*as_mcp_client(tool_call("rag_search", search_phrases=phrases), version))
    result = answer.json()["result"]
    assert (answer.status_code, result["isError"]) == (200, True)
    [content] = result["content"]
    assert "search_phrases" in content["text"]
    assert "structuredContent" not in result
    assert last_line(company)["outcome"] == "tool_arguments"


@pytest.mark.parametrize("marked", [False, True])
def test_the_toolset_of_the_page_is_answered_as_its_page_states_whatever_marks_its_client_sends(
    company: Company, *, marked: bool
) -> None:
    company.ingest("pump.md", PUMP, PUBLIC)
    holder = agent(company.agent.http, company.key("--toolset", "mindset"))

    def reported(**arguments: object) -> dict[str, Any]:
        message = tool_call("rag_search", **arguments)
        posted = holder.post(*as_mcp_client(message, "2025-11-25")) if marked else holder.post(message)
        return posted.json()

    assert reported(search_phrases=[" "])["error"]["code"] == -32602
    assert reported(top_n=100)["error"]["code"] == -32602
    assert reported(search_phrases=["pump"], conversation={"id": 7}, top_n=100)["result"]["segments"]


def as_mcp_client(message: dict[str, Any], version: str) -> tuple[dict[str, Any], dict[str, str]]:
    """The message and the headers with it, as a client of this version sends them."""
    if version != "2026-07-28":
        return message, {"mcp-protocol-version": version}
    prefix = "io.modelcontextprotocol/"
    envelope = {f"{prefix}protocolVersion": version, f"{prefix}clientCapabilities": {}}
    headers = {"mcp-protocol-version": version, "mcp-method": message["method"], "mcp-name": message["params"]["name"]}
    return {**message, "params": {**message["params"], "_meta": envelope}}, headers


@pytest.mark.parametrize(
    ("method", "headers", "status"),
    [
        ("GET", {}, 405),
        ("DELETE", {}, 405),
        ("POST", {"accept": "text/html"}, 406),
        ("POST", {"content-type": "text/plain"}, 415),
    ],
)
def test_a_request_of_the_wrong_form_is_refused_with_its_id_and_so_is_a_stranger(
    company: Company, method: str, headers: dict[str, str], status: int
) -> None:
    def reported(more: Mapping[str, str]) -> tuple[int, object]:
        sent = {"content-type": "application/json", **more, **headers}
        answer = company.agent.http.request(method, "/mcp", content=json.dumps(SEARCH | {"id": "mine"}), headers=sent)
        return answer.status_code, answer.json()["id"]

    assert reported(company.agent.headers) == (status, "mine")
    assert reported({}) == (401, "mine")


def test_a_body_over_the_limit_is_refused_with_its_id(company: Company) -> None:
    refused = company.agent.post(tool_call("rag_search", search_phrases=["x" * 2_000_000]) | {"id": "mine"})
    assert (refused.status_code, refused.json()["id"]) == (413, "mine")


ODD_PHRASES = [
    "?!...",
    "\U0001f600\U0001f3fb",
    '"AND NOT *',
    "a:b^2~ (",
    "'; DROP TABLE segments;--",
    "\x00",
    "\ufdfa",
    "x" * 4000,
    "word " * 20_000,
    "\u6f22" * 100_000,
]


@pytest.mark.parametrize("phrase", ODD_PHRASES, ids=ascii)
def test_odd_phrases_are_only_words_and_answer_normally(company: Company, phrase: str) -> None:
    company.ingest("pump.md", PUMP, PUBLIC)
    answer = company.agent.tool("rag_search", search_phrases=[phrase]).json()["result"]
    assert (answer["status"], answer["isError"]) == ("success", False)
    assert company.agent.files(phrase, "blue pump") == {"pump.md"}


def test_a_key_over_its_rate_waits_for_the_reported_time(company: Company) -> None:
    holder = agent(company.agent.http, company.key("--rate", "1", "--burst", "1"))
    assert holder.post(SEARCH).status_code == 200
    refused = holder.post(SEARCH)
    assert refused.status_code == 429
    assert 1 <= int(refused.headers["retry-after"]) <= 60
    assert refused.json()["error"]["code"] == -32000
    assert "segments" not in last_line(company)
    assert company.agent.post(SEARCH).status_code == 200


def test_a_name_that_is_not_the_servers_own_is_not_answered(company: Company) -> None:
    assert company.agent.post(SEARCH, {"host": "evil.example"}).status_code == 421


@pytest.mark.parametrize("path", ["/nothing", "/index.html", "/mcp/../etc/passwd", "/open/", "/open/a/b"])
def test_a_path_that_is_not_served_is_not_found(company: Company, path: str) -> None:
    assert company.agent.http.get(path).status_code == 404
