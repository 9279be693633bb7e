"""Completion: proposals for what can be completed, to those who may know them."""

from typing import Any

import pytest

from groundwire_mcp.limits import MAX_COMPLETIONS
from tests.mcp_core.definitions import Caller
from tests.mcp_core.promises import promise
from tests.mcp_core.requests import MODERN, VERSIONS, ask, body_of, result, status_and_code

pytestmark = pytest.mark.parametrize("version", VERSIONS)

PROMPT: dict[str, Any] = {"type": "ref/prompt", "name": "greet"}
TEMPLATE: dict[str, Any] = {"type": "ref/resource", "uri": "doc://{collection}/{id}"}
COMPLETED = [(PROMPT, "name"), (TEMPLATE, "collection")]


def typed(ref: object, name: object, value: object, **more: object) -> dict[str, Any]:
    return {"ref": ref, "argument": {"name": name, "value": value}, **more}


@promise("F13")
@pytest.mark.parametrize(("ref", "name"), COMPLETED)
def test_what_begins_as_typed_is_proposed(version: str | None, ref: dict[str, Any], name: str) -> None:
    assert result(version, "completion/complete", typed(ref, name, "a"))["completion"] == {
        "values": ["ada", "alan"],
        "hasMore": False,
    }
    assert result(version, "completion/complete", typed(ref, name, ""))["completion"]["hasMore"] is True


@promise("F13")
def test_at_most_a_hundred_values_are_proposed(version: str | None) -> None:
    proposed = result(version, "completion/complete", typed(PROMPT, "name", "many"))["completion"]
    assert proposed["values"] == [f"n{number}" for number in range(MAX_COMPLETIONS)]
    assert (proposed["total"], proposed["hasMore"]) == (150, True)


@promise("F13")
def test_other_arguments_that_are_known_are_taken_into_account(version: str | None) -> None:
    params = typed(PROMPT, "name", "b", context={"arguments": {"fault": "bob"}})
    assert result(version, "completion/complete", params)["completion"]["values"] == ["bob"]
    assert result(version, "completion/complete", {**params, "context": {}})["completion"]["values"] == []


@promise("F13")
@pytest.mark.parametrize(("ref", "name"), [(PROMPT, "fault"), (TEMPLATE, "id")])
def test_what_nothing_completes_has_no_proposals(version: str | None, ref: dict[str, Any], name: str) -> None:
    proposed = result(version, "completion/complete", typed(ref, name, "a"))["completion"]
    assert proposed == {"values": [], "total": 0, "hasMore": False}


WRONG: list[dict[str, Any]] = [
    typed({**PROMPT, "name": "made_up"}, "name", "a"),
    typed({**TEMPLATE, "uri": "doc://{id}"}, "collection", "a"),
    typed(PROMPT, "made_up", "a"),
    typed(TEMPLATE, "made_up", "a"),
    typed({"type": "ref/tool", "name": "find"}, "name", "a"),
    typed({"type": "ref/prompt"}, "name", "a"),
    typed({"type": "ref/resource", "uri": 7}, "id", "a"),
    typed(None, "name", "a"),
    typed(PROMPT, 7, "a"),
    typed(PROMPT, "name", None),
    {"ref": PROMPT},
    {"ref": PROMPT, "argument": []},
    {},
    typed(PROMPT, "name", "a", context=[]),
    typed(PROMPT, "name", "a", context=None),
    typed(PROMPT, "name", "a", context={"arguments": []}),
    typed(PROMPT, "name", "a", context={"arguments": {"fault": 7}}),
]


@promise("F13")
@pytest.mark.parametrize("params", WRONG)
def test_an_unknown_reference_or_argument_is_invalid_params(version: str | None, params: dict[str, Any]) -> None:
    assert status_and_code(ask(version, "completion/complete", params)) == (200, -32602)


@promise("F13")
@pytest.mark.parametrize(("ref", "name"), [*COMPLETED, ({**PROMPT, "name": "made_up"}, "name")])
def test_nothing_is_proposed_to_a_caller_without_the_scope(version: str | None, ref: dict[str, Any], name: str) -> None:
    needs = "prompts/get" if ref["type"] == "ref/prompt" else "resources/read"
    caller = Caller(lacks={needs: "search"})
    proposed = result(version, "completion/complete", typed(ref, name, "a"), caller)["completion"]
    assert proposed == {"values": [], "total": 0, "hasMore": False}


@promise("F13")
def test_a_source_that_cannot_answer_states_when_to_retry(version: str | None) -> None:
    answer = ask(version, "completion/complete", typed(PROMPT, "name", "fault"))
    # 2026-07-28: a server's own codes are outside -32019..-32000.
    assert status_and_code(answer) == (200, 503 if version == MODERN else -32000)
    assert body_of(answer)["error"]["data"]["retry_after_s"] == 3
    assert version != MODERN or "resultType" not in body_of(answer)
