"""Progress and log messages precede the answer and reach only clients that requested them and listen."""

from typing import Any

import pytest

from groundwire_mcp.definitions.log_levels import LOG_LEVELS
from groundwire_mcp.definitions.tool_context import ToolContext
from tests.mcp_core.definitions import Caller
from tests.mcp_core.promises import promise
from tests.mcp_core.requests import (
    JSON_HEADERS,
    LEGACY,
    MODERN,
    VERSIONS,
    ask,
    body_of,
    envelope,
    events_of,
    headers,
    message,
    reported,
    result,
    send,
    status_and_code,
)

JSON_ONLY = ["application/json", "*/*", "", "application/json, text/event-stream;q=0", "text/*, application/json"]


def calling(
    version: str | None, arguments: dict[str, Any], token: object = None, level: object = None
) -> dict[str, Any]:
    meta: dict[str, Any] = envelope() if version == MODERN else {}
    if token is not None:
        meta["progressToken"] = token
    if level is not None:
        meta["io.modelcontextprotocol/logLevel"] = level
    return {"name": "find", "arguments": arguments, "_meta": meta}


@promise("F11", "H4", "H19")
@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("token", ["p", 7, 0, ""])
def test_progress_precedes_the_answer_in_one_buffered_body(version: str | None, token: object) -> None:
    answer = ask(version, "tools/call", calling(version, {"progress": [1, 2.5, 10]}, token))
    assert answer.response.headers == {
        "content-type": "text/event-stream",
        "cache-control": "no-store",
        "x-accel-buffering": "no",
    }
    assert [each["params"] for each in reported(answer)] == [
        {"progressToken": token, "progress": done, "total": 10, "message": f"at {done}"} for done in (1, 2.5, 10)
    ]
    assert body_of(answer)["id"] == 1
    assert body_of(answer)["result"]["isError"] is False


@promise("F11")
def test_progress_that_does_not_grow_is_not_passed_on() -> None:
    answer = ask(None, "tools/call", calling(None, {"progress": [2, 2, 1, 3, 0, 3.5], "log": ["info"]}, "p"))
    assert [each["params"].get("progress") for each in reported(answer)] == [2, 3, 3.5, None]
    turn = ToolContext("2025-11-25", progress_token="p", accepts_notifications=True)
    for done in (float("nan"), float("inf"), float("-inf"), -1):
        turn.report_progress(done)
    assert turn.notifications == [
        {"jsonrpc": "2.0", "method": "notifications/progress", "params": {"progressToken": "p", "progress": -1}}
    ]


@promise("F11")
@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("token", [None, True, 1.5, [], {}])
def test_no_progress_without_a_token(version: str | None, token: object) -> None:
    answer = ask(version, "tools/call", calling(version, {"progress": [1]}, token))
    assert answer.response.headers["content-type"] == "application/json"


@promise("H4", "F11")
@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("accept", JSON_ONLY)
def test_a_client_that_takes_no_events_gets_the_answer_alone(version: str | None, accept: str) -> None:
    params = calling(version, {"progress": [1], "log": ["emergency"]}, "p", "debug" if version == MODERN else None)
    answer = ask(version, "tools/call", params, more_headers={"accept": accept})
    assert answer.response.headers["content-type"] == "application/json"
    assert body_of(answer)["result"]["isError"] is False


@promise("H19")
@pytest.mark.parametrize("version", VERSIONS)
def test_an_error_ends_the_events_as_well(version: str | None) -> None:
    arguments = {"progress": [1], "fault": "failure"}
    params = {**calling(version, arguments, "p"), "name": "look_up"}
    answer = ask(version, "tools/call", params, caller=Caller(is_under_contract=True))
    assert [each.get("method") for each in events_of(answer)] == ["notifications/progress", None]
    assert status_and_code(answer) == (200, -32603)


@promise("H4", "J4")
def test_an_error_with_a_status_of_its_own_keeps_it_and_is_json() -> None:
    answer = ask(MODERN, "tools/call", calling(MODERN, {"log": ["error"], "ask": ["roots"]}, level="debug"))
    assert status_and_code(answer) == (400, -32021)
    assert answer.response.headers["content-type"] == "application/json"


@promise("H21", "H4")
def test_a_batch_is_answered_by_plain_json() -> None:
    batch = [message(None, "tools/call", calling(None, {"progress": [1], "log": ["error"]}, "p"))]
    answer = send(batch, JSON_HEADERS)
    assert answer.response.headers["content-type"] == "application/json"
    assert len(body_of(answer)) == 1


@promise("F12")
@pytest.mark.parametrize("level", LOG_LEVELS)
def test_the_stateless_revision_gets_the_events_that_its_request_asks_for(level: str) -> None:
    answer = ask(MODERN, "tools/call", calling(MODERN, {"log": list(LOG_LEVELS)}, level=level))
    expected = LOG_LEVELS[LOG_LEVELS.index(level) :]
    assert [each["params"] for each in reported(answer)] == [
        {"level": each, "logger": "test", "data": {"said": each}} for each in expected
    ]


@promise("F12")
def test_the_stateless_revision_gets_no_event_unasked() -> None:
    answer = ask(MODERN, "tools/call", calling(MODERN, {"log": list(LOG_LEVELS)}))
    assert answer.response.headers["content-type"] == "application/json"


@promise("F12", "J3")
@pytest.mark.parametrize("level", ["loud", "", "INFO", 7, [], {}])
@pytest.mark.parametrize("method", ["tools/call", "tools/list"])
def test_a_level_that_is_none_is_invalid_params_in_the_stateless_revision(level: object, method: str) -> None:
    assert status_and_code(ask(MODERN, method, calling(MODERN, {}, level=level))) == (400, -32602)


@promise("F12")
@pytest.mark.parametrize("version", LEGACY)
def test_a_handshake_client_that_listens_gets_info_and_worse(version: str | None) -> None:
    answer = ask(version, "tools/call", calling(version, {"log": list(LOG_LEVELS)}))
    assert [each["params"]["level"] for each in reported(answer)] == list(LOG_LEVELS[1:])


@promise("F12")
@pytest.mark.parametrize("version", LEGACY)
def test_a_level_can_be_set_and_must_be_one(version: str | None) -> None:
    for level in LOG_LEVELS:
        assert result(version, "logging/setLevel", {"level": level}) == {}
    for wrong in ("loud", "", "INFO", 7, None, []):
        assert status_and_code(ask(version, "logging/setLevel", {"level": wrong})) == (200, -32602)


@promise("F12")
def test_prompts_report_events_too() -> None:
    answer = ask(None, "prompts/get", {"name": "greet", "arguments": {"name": "ada"}})
    assert [each["params"] for each in reported(answer)] == [{"level": "warning", "data": "greeting"}]


@promise("H4", "H19")
@pytest.mark.parametrize("text", ["a\nb", "a\r\nb", "\u2028\u2029", "data: x\n\nevent: message"])
def test_no_text_breaks_an_event(text: str) -> None:
    answer = ask(None, "tools/call", calling(None, {"log": ["error"], "anything": text}))
    assert body_of(answer)["result"]["structuredContent"]["echo"]["anything"] == text
    assert len(events_of(answer)) == 2


@promise("H4")
def test_events_are_sent_under_the_headers_that_any_answer_has() -> None:
    call = message(None, "tools/call", calling(None, {"log": ["error"]}))
    answer = send(call, {**headers(None, ""), "accept": "text/event-stream, application/json;q=0.1"})
    assert answer.response.headers["cache-control"] == "no-store"
