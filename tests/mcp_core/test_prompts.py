"""Prompts: how they are described and filled in."""

from typing import Any

import pytest

from groundwire_mcp.definitions.server import ServerDefinition
from groundwire_mcp.jsonrpc.errors import ResultCode
from groundwire_mcp.server import McpServer
from tests.mcp_core.definitions import INFO, PROMPTS, Caller
from tests.mcp_core.promises import promise
from tests.mcp_core.requests import MODERN, RULES, VERSIONS, ask, body_of, result, status_and_code

pytestmark = pytest.mark.parametrize("version", VERSIONS)


@promise("F15", "F18")
def test_a_prompt_is_described_with_all_that_it_takes(version: str | None) -> None:
    greet, shrug, _ = result(version, "prompts/list")["prompts"]
    assert greet == {
        "name": "greet",
        "title": "Greet",
        "description": "Greets somebody.",
        "arguments": [
            {"name": "name", "title": "Name", "description": "Whom.", "required": True},
            {"name": "fault", "description": "What goes wrong.", "required": False},
        ],
    }
    assert shrug["arguments"] == []


@promise("F15")
def test_a_prompt_is_filled_in_as_far_as_the_client_understands_it(version: str | None) -> None:
    filled = result(version, "prompts/get", {"name": "greet", "arguments": {"name": "Grace"}})
    assert filled["description"] == "Greets somebody."
    assert filled["messages"][0] == {"role": "user", "content": {"type": "text", "text": "Greet Grace."}}
    sounds = [each for each in filled["messages"] if each["content"]["type"] == "audio"]
    assert len(sounds) == (version != "2024-11-05")
    assert result(version, "prompts/get", {"name": "shrug"})["messages"] == []


@promise("F15")
@pytest.mark.parametrize("name", ["", "made_up", "GREET"])
def test_an_unknown_prompt_is_invalid_params(version: str | None, name: str) -> None:
    answer = ask(version, "prompts/get", {"name": name, "arguments": {"name": "x"}})
    assert status_and_code(answer) == (200, -32602)
    assert answer.result_code == ResultCode.UNKNOWN_PROMPT


@promise("F15")
@pytest.mark.parametrize("name", [None, 7, ["greet"]])
def test_a_name_that_is_no_string_is_invalid_params(version: str | None, name: object) -> None:
    assert status_and_code(ask(version, "prompts/get", {"name": name})) == (200, -32602)


ARGUMENTS: list[Any] = [
    {},
    None,
    [],
    "Grace",
    {"name": 7},
    {"name": None},
    {"name": "Grace", "fault": 1},
    {"name": "Grace", "tone": "warm"},
    {"fault": "failure"},
]


@promise("F15")
@pytest.mark.parametrize("arguments", ARGUMENTS)
def test_arguments_that_are_missing_unknown_or_no_text_are_invalid_params(version: str | None, arguments: Any) -> None:
    answer = ask(version, "prompts/get", {"name": "greet", "arguments": arguments})
    assert status_and_code(answer) == (200, -32602)
    assert answer.result_code == ResultCode.INVALID_PARAMS


@promise("F15")
@pytest.mark.parametrize(("error", "code"), [("arguments", -32602), ("failure", -32603), ("retryable", -32000)])
def test_a_prompt_that_cannot_be_filled_in_is_an_error(version: str | None, error: str, code: int) -> None:
    answer = ask(version, "prompts/get", {"name": "greet", "arguments": {"name": "x", "fault": error}})
    # 2026-07-28: a server's own codes are outside -32019..-32000.
    assert status_and_code(answer) == (200, 503 if (version, code) == (MODERN, -32000) else code)
    assert body_of(answer)["error"]["message"] == "what to do about it"


@promise("F15", "H23")
def test_a_prompt_needs_the_scope_of_prompts(version: str | None) -> None:
    for name in ("greet", "made_up"):
        answer = ask(version, "prompts/get", {"name": name}, caller=Caller(lacks={"prompts/get": "search"}))
        assert (answer.response.status, answer.result_code) == (403, ResultCode.MISSING_SCOPE)
        assert 'scope="search"' in answer.response.headers["www-authenticate"]


@promise("F15")
def test_two_prompts_of_one_name_are_refused_at_once(version: str | None) -> None:
    with pytest.raises(ValueError, match="same name"):
        McpServer(ServerDefinition(INFO, (), prompts=(PROMPTS[0], PROMPTS[0])), RULES)
