"""Calls that ask back, and are taken up again with the answers."""

from typing import Any

import pytest

from groundwire_mcp.definitions.sessions import SessionOwner
from groundwire_mcp.jsonrpc.errors import ResultCode
from groundwire_mcp.limits import REQUEST_STATE_SECONDS
from groundwire_mcp.transport.exchanges import McpResponse
from tests.mcp_core.definitions import REQUESTS, Caller
from tests.mcp_core.promises import promise
from tests.mcp_core.requests import CLOCK, EVERYTHING, LEGACY, MODERN, RULES, ask, body_of, envelope, status_and_code

ALL: dict[str, Any] = {"elicitation": {"form": {}, "url": {}}, "sampling": {"tools": {}}, "roots": {}}
ANSWER = {"action": "accept", "content": {"year": 1999}}
CALL = {"ask": ["form"], "state": "00ff10"}


def call(
    arguments: dict[str, Any],
    again: dict[str, Any] | None = None,
    *,
    declared: object = ALL,
    name: str = "find",
    caller: Caller = EVERYTHING,
) -> McpResponse:
    meta = envelope(clientCapabilities=declared)
    params = {"name": name, "arguments": arguments, "_meta": meta, **(again or {})}
    return ask(MODERN, "tools/call", params, caller=caller)


def going_on(state: object) -> dict[str, Any]:
    return {"inputResponses": {"form": ANSWER}, "requestState": state}


def requested(arguments: dict[str, Any]) -> dict[str, Any]:
    answer = call(arguments)
    assert answer.result_code == ResultCode.INPUT_REQUIRED
    return body_of(answer)["result"]


@promise("F16", "J5")
def test_a_call_that_asks_back_is_answered_by_what_it_asks_for() -> None:
    question = requested({"ask": list(REQUESTS), "state": "00"})
    assert question["resultType"] == "input_required"
    assert question["inputRequests"] == {
        name: {"method": request.method, "params": request.params} for name, request in REQUESTS.items()
    }
    assert set(question) == {"resultType", "inputRequests", "requestState", "_meta"}


@promise("F16")
def test_a_call_continues_with_the_answers_and_its_own_state() -> None:
    done = call(
        CALL, {"inputResponses": {"form": ANSWER, "unasked": {}}, "requestState": requested(CALL)["requestState"]}
    )
    seen = body_of(done)["result"]
    assert (seen["resultType"], done.result_code) == ("complete", ResultCode.ANSWERED)
    assert seen["structuredContent"]["state"] == "00ff10"
    assert seen["structuredContent"]["responses"] == {"form": ANSWER, "unasked": {}}


@promise("F16")
def test_a_call_may_ask_for_nothing_but_to_be_sent_again() -> None:
    question = requested({"ask": [], "state": "01"})
    assert "inputRequests" not in question
    again = call({"ask": [], "state": "01"}, {"requestState": question["requestState"]})
    assert body_of(again)["result"]["structuredContent"]["state"] == "01"


@promise("F16")
def test_answers_that_are_missing_are_requested_again() -> None:
    state = requested(CALL)["requestState"]
    for more in ({}, {"inputResponses": {}}, {"inputResponses": {"other": ANSWER}}):
        for states in ({}, {"requestState": state}):
            answer = call(CALL, {**more, **states})
            assert body_of(answer)["result"]["inputRequests"].keys() == {"form"}


@promise("F16")
def test_the_state_of_a_call_is_not_legible() -> None:
    question = requested({"ask": [], "state": b"the secret plan".hex()})
    assert "secret" not in question["requestState"]
    assert question["requestState"] != requested({"ask": [], "state": b"the secret plan".hex()})["requestState"]


@promise("F16")
@pytest.mark.parametrize("state", ["", "made-up", 7, None, [], {}])
def test_a_made_up_state_is_refused(state: object) -> None:
    answer = call(CALL, going_on(state))
    if state is None:
        assert answer.result_code == ResultCode.INPUT_REQUIRED
        return
    assert status_and_code(answer) == (200, -32602)


@promise("F16")
def test_a_state_that_was_touched_or_sealed_for_something_else_is_refused() -> None:
    state: str = requested(CALL)["requestState"]
    touched = state[:20] + ("A" if state[20] != "A" else "B") + state[21:]
    for wrong in (touched, state + "=", state[:-4], RULES.sealer().seal("cursor", b"{}")):
        assert status_and_code(call(CALL, going_on(wrong))) == (200, -32602)


@promise("F16")
@pytest.mark.parametrize(
    "owner",
    [SessionOwner("t_2", "kid_1", "ada"), SessionOwner("t_1", "kid_2", "ada"), SessionOwner("t_1", "kid_1", None)],
)
def test_a_state_is_of_no_use_to_anybody_else(owner: SessionOwner) -> None:
    state = requested(CALL)["requestState"]
    answer = call(CALL, going_on(state), caller=Caller(owner=owner))
    assert status_and_code(answer) == (200, -32602)


@promise("F16")
def test_a_state_is_of_no_use_once_the_caller_has_other_tags() -> None:
    at_first = Caller(tags=frozenset({"board", "sales"}))
    state = body_of(call(CALL, caller=at_first))["result"]["requestState"]
    assert call(CALL, going_on(state), caller=at_first).result_code == ResultCode.ANSWERED
    for tags in (frozenset({"sales"}), frozenset({"board", "sales", "x"}), frozenset[str]()):
        assert status_and_code(call(CALL, going_on(state), caller=Caller(tags=tags))) == (200, -32602)


@promise("F16")
def test_a_state_is_good_for_the_same_call_only() -> None:
    state = requested(CALL)["requestState"]
    again = going_on(state)
    for other in (call({**CALL, "anything": 1}, again), call(CALL, again, name="look_up")):
        assert status_and_code(other) == (200, -32602)
    assert call(dict(reversed(CALL.items())), again).result_code == ResultCode.ANSWERED


@promise("F16")
def test_a_state_of_a_tool_is_of_no_use_to_a_prompt_of_the_same_name() -> None:
    arguments = {"ask": "", "state": "01"}
    prompt = {"name": "find", "arguments": arguments}
    assert ask(MODERN, "prompts/get", prompt).result_code == ResultCode.ANSWERED
    again = {**prompt, "requestState": requested(arguments)["requestState"]}
    assert status_and_code(ask(MODERN, "prompts/get", again)) == (200, -32602)


@promise("F16")
def test_a_state_expires() -> None:
    state, before = requested(CALL)["requestState"], CLOCK.now
    again = going_on(state)
    try:
        CLOCK.now += REQUEST_STATE_SECONDS - 1
        assert call(CALL, again).result_code == ResultCode.ANSWERED
        CLOCK.now += 1
        assert status_and_code(call(CALL, again)) == (200, -32602)
    finally:
        CLOCK.now = before


@promise("F16")
@pytest.mark.parametrize("responses", [None, [], "x", 7, {"form": 1}, {"form": None}, {"form": [ANSWER]}])
def test_answers_of_another_shape_are_invalid_params(responses: object) -> None:
    assert status_and_code(call(CALL, {"inputResponses": responses})) == (200, -32602)


UNDECLARED: list[tuple[str, object, dict[str, Any]]] = [
    ("form", {}, {"elicitation": {"form": {}}}),
    ("form", {"elicitation": {"url": {}}}, {"elicitation": {"form": {}}}),
    ("form", {"elicitation": None}, {"elicitation": {"form": {}}}),
    ("url", {"elicitation": {}}, {"elicitation": {"url": {}}}),
    ("sampling", {"elicitation": {}}, {"sampling": {}}),
    ("sampling_tools", {"sampling": {}}, {"sampling": {"tools": {}}}),
    ("roots", {"sampling": {}}, {"roots": {}}),
]


@promise("J4", "F16")
@pytest.mark.parametrize(("name", "declared", "required"), UNDECLARED)
@pytest.mark.parametrize("tool", ["find", "look_up"])
def test_what_the_client_did_not_declare_is_not_requested(
    name: str, declared: object, required: dict[str, Any], tool: str
) -> None:
    answer = call({"ask": [name]}, declared=declared, name=tool)
    assert status_and_code(answer) == (400, -32021)
    assert body_of(answer)["error"]["data"] == {"requiredCapabilities": required}
    assert answer.result_code == ResultCode.MISSING_CAPABILITY


@promise("J4")
def test_all_that_is_missing_is_named_at_once() -> None:
    data = body_of(call({"ask": list(REQUESTS)}, declared={}))["error"]["data"]
    assert data == {"requiredCapabilities": ALL}


@promise("J4")
@pytest.mark.parametrize("declared", [{"elicitation": {}}, {"elicitation": {"form": {}}}, ALL])
def test_an_elicitation_that_names_no_mode_means_forms(declared: object) -> None:
    assert call({"ask": ["form"]}, declared=declared).result_code == ResultCode.INPUT_REQUIRED


@promise("F16", "J4")
@pytest.mark.parametrize("version", LEGACY)
def test_a_handshake_client_is_informed_which_version_it_would_take(version: str | None) -> None:
    params = {"name": "find", "arguments": CALL, "inputResponses": {"form": ANSWER}, "requestState": "ignored"}
    body = body_of(ask(version, "tools/call", params))
    # Without a version the call has no mark of MCP.
    reported = body["error"]["message"] if version is None else body["result"]["content"][0]["text"]
    assert MODERN in reported
    assert version is None or body["result"]["isError"] is True
    for method, name, arguments in (("tools/call", "look_up", CALL), ("prompts/get", "greet", {"name": "ask"})):
        answer = ask(version, method, {"name": name, "arguments": arguments}, caller=Caller(is_under_contract=True))
        assert status_and_code(answer) == (200, -32603)
        assert MODERN in body_of(answer)["error"]["message"]


@promise("F16", "F15")
def test_a_prompt_may_ask_back() -> None:
    params: dict[str, Any] = {"name": "greet", "arguments": {"name": "ask"}}
    params["_meta"] = envelope(clientCapabilities=ALL)
    question = body_of(ask(MODERN, "prompts/get", params))["result"]
    again = {**params, "inputResponses": {"form": ANSWER}, "requestState": question["requestState"]}
    filled = body_of(ask(MODERN, "prompts/get", again))["result"]
    assert (question["resultType"], filled["resultType"]) == ("input_required", "complete")
    assert "b'asked'" in filled["messages"][0]["content"]["text"]
