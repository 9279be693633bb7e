"""Several messages in one body."""

from typing import Any

import pytest

from groundwire_mcp.jsonrpc.errors import ResultCode
from groundwire_mcp.limits import MAX_BATCH_MESSAGES
from tests.mcp_core.definitions import Caller
from tests.mcp_core.promises import promise
from tests.mcp_core.requests import MODERN, body_of, envelope, headers, message, send, status_and_code

PING = message(None, "ping")
CALL = message(None, "tools/call", {"name": "find"}, "call")
NOTE = {"jsonrpc": "2.0", "method": "notifications/cancelled"}
WITH_BATCHES = (None, "2025-03-26")


@promise("H21")
@pytest.mark.parametrize("version", WITH_BATCHES)
def test_each_request_of_a_batch_is_answered_in_order(version: str | None) -> None:
    answer = send([PING, NOTE, CALL, 7, message(None, "made/up", identifier=3)], headers(version, ""))
    assert answer.response.status == 200
    payloads: Any = body_of(answer)
    assert [each["id"] for each in payloads] == [1, "call", None, 3]
    assert [each.get("error", {}).get("code") for each in payloads] == [None, None, -32600, -32601]
    assert (answer.method, answer.tool, answer.result_code) == ("tools/call", "find", ResultCode.ANSWERED)


@promise("H21", "H5")
@pytest.mark.parametrize("version", WITH_BATCHES)
def test_a_batch_that_wants_no_answer_gets_an_empty_202(version: str | None) -> None:
    answer = send([NOTE, {"jsonrpc": "2.0", "id": 1, "result": {}}], headers(version, ""))
    assert (answer.response.status, answer.response.body) == (202, b"")


@promise("H21")
@pytest.mark.parametrize(
    "batch",
    [
        [],
        [PING] * (MAX_BATCH_MESSAGES + 1),
        [PING, message(None, "initialize", {"protocolVersion": "2025-03-26"})],
        [CALL, CALL],
        [CALL, message(None, "resources/read", {"uri": "doc://a/1"})],
        [message(None, "completion/complete"), message(None, "prompts/get")],
        [message(None, "resources/list")] * 2,
        [PING, message(None, "tools/list", {"_meta": envelope()})],
    ],
)
def test_a_batch_that_breaks_a_rule_is_refused_whole(batch: list[Any]) -> None:
    answer = send(batch, headers(None, ""))
    assert status_and_code(answer) == (400, -32600)
    assert body_of(answer).get("id") is None


@promise("H21")
def test_a_batch_may_be_as_long_as_its_limit() -> None:
    payloads: Any = body_of(send([PING] * MAX_BATCH_MESSAGES, headers(None, "")))
    assert len(payloads) == MAX_BATCH_MESSAGES


@promise("H21")
@pytest.mark.parametrize("version", ["2024-11-05", "2025-06-18", "2025-11-25", MODERN, "1999-01-01"])
@pytest.mark.parametrize("batch", [[PING], [NOTE], []])
def test_a_batch_is_refused_by_versions_that_have_none(version: str, batch: list[Any]) -> None:
    assert status_and_code(send(batch, headers(version, ""))) == (400, -32600)


@promise("H23")
def test_a_forbidden_call_in_a_batch_makes_the_response_403() -> None:
    answer = send([PING, CALL], headers(None, ""), Caller(lacks={"find": "search"}))
    assert answer.response.status == 403
    assert 'scope="search"' in answer.response.headers["www-authenticate"]
    assert answer.result_code == ResultCode.MISSING_SCOPE
    payloads: Any = body_of(answer)
    assert payloads[0]["result"] == {}
    assert "`search`" in payloads[1]["error"]["message"]
    read = message(None, "resources/read", {"uri": "doc://a/1"}, 2)
    read_only = send([PING, read], headers(None, ""), Caller(lacks={"resources/read": "search"}))
    assert (read_only.response.status, read_only.result_code) == (403, ResultCode.MISSING_SCOPE)
