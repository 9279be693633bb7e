"""Bodies and arguments that cannot be meant are refused with the promised code, and the next call is answered."""

import json

import pytest

from tests.e2e.agent import agent, tool_call
from tests.e2e.company import PUBLIC, PUMP, Company, last_line

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
    "no version": (b'{"id": 1, "method": "ping"}', 400, -32600),
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


@pytest.mark.parametrize("arguments", [{}, {"phrases": ["pump"]}, {"search_phrases": ["pump"], "top_n": 100}])
def test_arguments_that_the_tool_does_not_have_are_invalid_params(
    company: Company, arguments: dict[str, object]
) -> None:
    assert company.agent.tool("rag_search", **arguments).json()["error"]["code"] == -32602


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


def test_a_key_over_its_rate_waits_for_as_long_as_it_is_told(company: Company) -> None:
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
