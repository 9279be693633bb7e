"""Answers of servers: whatever they send, the result is an answer or the one error without a detail."""

import json
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from groundwire.adapters.mcp_client import McpSourceClient
from groundwire.ports.sources import SourceDenied, SourceUnavailable
from groundwire_egress.mcp_client.calls import SourceAnswer, SourceListing, SourceTarget
from groundwire_egress.mcp_client.limits import MAX_SOURCE_TOOLS
from tests.server.services.sources.conftest import SECONDS, Start, call, client, target
from tests.support.entry.https_server import Received
from tests.support.entry.mcp_servers.recording_server import Answer
from tests.support.entry.mcp_servers.scripted_server import (
    HANDSHAKE,
    STATELESS,
    TOOLS,
    Script,
    error,
    events,
    json_answer,
    methods_of,
    on,
    reply,
    text_result,
)
from tests.support.plugins.draws import examples

NO_ANSWER = "The source's server did not answer as an MCP server in time: try again later."
ERAS = [STATELESS, HANDSHAKE]
JSON = {"content-type": "application/json"}


@pytest.mark.parametrize("streams", [True, False])
@pytest.mark.parametrize("known", ERAS)
def test_a_result_arrives_as_the_server_sent_it(start: Start, *, known: str, streams: bool) -> None:
    result = {
        "content": [{"type": "text", "text": "日本\u202e"}, {"type": "image", "data": "AA=="}, {"other": None}],
        "structuredContent": {"a": [1, {"b": None}]},
        "isError": True,
    }
    server = start(Script(streams=streams, call=lambda _: result))
    answer = client(server).call_tool(target(server), call(), known, SECONDS)
    assert answer.content == result["content"]
    assert (answer.structured, answer.is_error) == (result["structuredContent"], True)


def test_large_numbers_and_many_values_arrive(start: Start) -> None:
    structured = {"time_ns": 1_795_776_252_990_123_456, "far": 1e300, "rows": [[0]] * 20_000}
    server = start(Script(call=lambda _: text_result("rows", structuredContent=structured)))
    assert client(server).call_tool(target(server), call(), STATELESS, SECONDS).structured == structured


@pytest.mark.parametrize("number", ["1e999", "-1e999", "NaN", "9" * 5_000])
def test_a_number_that_no_reader_has_is_no_answer(start: Start, number: str) -> None:
    body = b'{"jsonrpc":"2.0","id":1,"result":{"content":[],"structuredContent":{"n":' + number.encode() + b"}}}"
    server = start(Script(overrides=[on("tools/call", lambda _: Answer(body, 200, JSON))]))
    with pytest.raises(SourceUnavailable):
        client(server).call_tool(target(server), call(), STATELESS, SECONDS)


def test_structured_content_that_is_no_object_is_left_out(start: Start) -> None:
    server = start(Script(call=lambda _: text_result("[1]", structuredContent=[1])))
    assert client(server).call_tool(target(server), call(), STATELESS, SECONDS).structured is None


@pytest.mark.parametrize("status", [200, 400, 403, 404])
@pytest.mark.parametrize("known", ERAS)
def test_an_error_of_the_protocol_is_an_error_of_the_tool(start: Start, known: str, status: int) -> None:
    text = "Unknown tool: ü" + "x" * 5_000
    override = on("tools/call", lambda message: json_answer(error(message, -32602, text), status))
    server = start(Script(overrides=[override]))
    answer = client(server).call_tool(target(server), call(), known, SECONDS)
    assert (answer.is_error, answer.structured) == (True, None)
    assert answer.content == [{"type": "text", "text": text[:2_000]}]


def test_a_tool_that_asks_for_input_is_an_error(start: Start) -> None:
    result = {"resultType": "input_required", "inputRequests": {"a": {"method": "elicitation/create"}}}
    server = start(Script(call=lambda _: result))
    answer = client(server).call_tool(target(server), call(), STATELESS, SECONDS)
    assert answer.is_error
    assert "input" in str(answer.content[0]["text"])
    assert methods_of(server.received) == ["tools/call"]


LIES: list[Callable[[Any], Answer]] = [
    lambda message: json_answer(reply({"id": message["id"] + 1}, text_result("x"))),
    lambda message: json_answer(reply({"id": str(message["id"])}, text_result("x"))),
    lambda message: json_answer(reply({"id": float(message["id"]) + 0.5}, text_result("x"))),
    lambda _: json_answer(reply({"id": True}, text_result("x"))),
    lambda _: json_answer(reply({"id": None}, text_result("x"))),
    lambda message: json_answer({"id": message["id"], "result": text_result("x")}),
    lambda message: json_answer(reply(message, text_result("x"), jsonrpc="1.0")),
    lambda message: json_answer(reply(message, text_result("x"), error={"code": 1, "message": "x"})),
    lambda message: json_answer(reply(message, text_result("x"), method="ping")),
    lambda message: json_answer([reply(message, text_result("x"))]),
    lambda message: json_answer(reply(message, None)),
    lambda message: json_answer(reply(message, [])),
    lambda message: json_answer({"jsonrpc": "2.0", "id": message["id"]}),
    lambda message: json_answer({"jsonrpc": "2.0", "id": message["id"], "error": "x"}),
    lambda message: json_answer({"jsonrpc": "2.0", "id": message["id"], "error": {"code": "x", "message": "x"}}),
    lambda message: json_answer({"jsonrpc": "2.0", "id": message["id"], "error": {"code": 1, "message": None}}),
    lambda message: json_answer(reply(message, {})),
    lambda message: json_answer(reply(message, {"content": {}})),
    lambda message: json_answer(reply(message, {"content": "text"})),
    lambda message: json_answer(reply(message, {"content": ["text"]})),
    lambda message: json_answer(reply(message, text_result("x", isError="no"))),
    lambda message: json_answer(reply(message, text_result("x", resultType="task"))),
    lambda message: json_answer(reply(message, text_result("x", resultType=7))),
    lambda message: Answer(
        json.dumps(reply(message, text_result("x"))).encode(), headers={"content-type": "text/plain"}
    ),
    lambda message: json_answer(reply(message, text_result("x")), 201),
    lambda message: json_answer(reply(message, text_result("x")), 500),
    lambda message: json_answer(reply(message, text_result("x")), 400),
    lambda message: json_answer(error(message, -32000, "x"), 500),
    lambda _: Answer(b"", 202),
    lambda _: Answer(b"", 204),
    lambda _: Answer(b"", 429),
    lambda _: Answer(b"{", headers=JSON),
    lambda _: Answer(b"\xff", headers=JSON),
    lambda _: Answer(b"[" * 100_000, headers=JSON),
    lambda _: Answer(b'{"a":1,"a":2}', headers=JSON),
    lambda _: Answer(b"[" + b"0," * 400_000 + b"0]", headers=JSON),
    lambda _: Answer(b'"\\ud800"', headers=JSON),
    lambda _: Answer(b"\x1f\x8b", headers={**JSON, "content-encoding": "gzip"}),
    lambda _: events(),
    lambda _: events(b"data: {\n\n"),
    lambda message: events(reply({"id": message["id"] + 1}, text_result("x"))),
    lambda message: events(error({"id": None}, 1, "x"), {"jsonrpc": "2.0", "method": "x"}),
    lambda message: events(reply(message, text_result("x"), error={"code": 1, "message": "x"})),
    lambda message: events(b"data: " + json.dumps(reply(message, text_result("x"))).encode() + b"\n"),
    lambda _: Answer(raw=b""),
    lambda _: Answer(raw=b"\x00" * 100),
    lambda _: Answer(raw=b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 99\r\n\r\n{}"),
    lambda _: Answer(
        raw=b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n"
    ),
    lambda _: Answer(raw=b"HTTP/1.1 abc OK\r\n\r\n"),
    lambda _: Answer(raw=b"HTTP/1.1 200 OK\r\n" + b"x: y\r\n" * 5_000 + b"\r\n"),
]


@pytest.mark.parametrize("known", ERAS)
@pytest.mark.parametrize("lie", LIES)
def test_a_lie_is_no_answer_and_the_error_does_not_say_which(
    start: Start, known: str, lie: Callable[[Any], Answer]
) -> None:
    server = start(Script(overrides=[on("tools/call", lie)]))
    with pytest.raises(SourceUnavailable) as unavailable:
        client(server).call_tool(target(server), call(), known, SECONDS)
    assert (str(unavailable.value), unavailable.value.retry_after_s) == (NO_ANSWER, 5)
    assert unavailable.value.__context__ is None
    assert unavailable.value.__cause__ is None


@pytest.mark.parametrize("status", [401, 403])
@pytest.mark.parametrize("known", ERAS)
def test_a_refused_credential_is_an_error_of_its_own_without_a_detail(start: Start, known: str, status: int) -> None:
    server = start(Script(overrides=[on("tools/call", lambda _: Answer(b"canary", status))]))
    with pytest.raises(SourceDenied) as denied:
        client(server).call_tool(target(server), call(), known, SECONDS)
    assert "canary" not in str(denied.value)
    assert denied.value.__context__ is None


@pytest.mark.parametrize(
    "url",
    [
        *("http://127.0.0.1:1/mcp", "https://169.254.169.254/", "http://localhost/", "https://[::1]/", "ftp://x/", ""),
        *("https://user:secret@example.com/", "https://10.0.0.1/", "http://8.8.8.8/", "https://x.invalid/"),
    ],
)
def test_an_address_that_must_not_be_called_has_the_same_error(url: str) -> None:
    with pytest.raises(SourceUnavailable) as unavailable:
        client().list_tools(SourceTarget("tenant", "source", url, None), None, SECONDS)
    assert (str(unavailable.value), unavailable.value.retry_after_s) == (NO_ANSWER, 5)
    assert unavailable.value.__context__ is None


JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**60), 2**60) | st.floats(allow_nan=True) | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.sampled_from(["content", "type", "text", "isError", "tools", "nextCursor", "x"]), inner)
    ),
    max_leaves=12,
)
MESSAGES = st.fixed_dictionaries(
    {},
    optional={
        "jsonrpc": st.sampled_from(["2.0", "1.0", None]),
        "id": st.sampled_from([1, 2, 3, True, None, "1"]),
        "result": JSON_VALUES,
        "error": st.fixed_dictionaries({"code": JSON_VALUES, "message": JSON_VALUES}) | JSON_VALUES,
        "method": st.sampled_from(["ping", None]),
    },
)
BODIES = st.one_of(
    st.binary(max_size=60),
    MESSAGES.map(lambda each: json.dumps(each).encode()),
    MESSAGES.map(lambda each: b"data: " + json.dumps(each).encode() + b"\n\n"),
    JSON_VALUES.map(lambda each: json.dumps(each).encode()),
)
KINDS = st.sampled_from(["application/json", "text/event-stream", "text/plain", "", "application/json; x=\u00fc"])


class Fuzzed:
    """Answers of a server, which a test sets."""

    def __init__(self) -> None:
        self.answers = [Answer()]

    def __call__(self, _: Received) -> Answer:
        return self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]


@given(
    answers=st.lists(st.tuples(BODIES, KINDS, st.sampled_from([200, 200, 200, 202, 400, 401, 404, 500])), min_size=1),
    known=st.sampled_from([None, STATELESS, HANDSHAKE]),
    is_call=st.booleans(),
)
@settings(max_examples=examples(150), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_whatever_a_server_sends_is_an_answer_or_the_one_error(
    start: Start, answers: list[tuple[bytes, str, int]], known: str | None, *, is_call: bool
) -> None:
    fuzzed = Fuzzed()
    fuzzed.answers = [Answer(body, status, {"content-type": kind}) for body, kind, status in answers]
    server = start(fuzzed)
    calls = client(server)
    with suppress(SourceUnavailable, SourceDenied):
        got = _made(calls, target(server), known, is_call=is_call)
        assert isinstance(got, SourceAnswer if is_call else SourceListing)


def _made(calls: McpSourceClient, to: SourceTarget, known: str | None, *, is_call: bool) -> object:
    return calls.call_tool(to, call(), known, SECONDS) if is_call else calls.list_tools(to, known, SECONDS)


def declared(count: int) -> list[Mapping[str, Any]]:
    return [{**TOOLS[0], "name": f"tool_{at}"} for at in range(count)]


@pytest.mark.parametrize("known", ERAS)
def test_all_pages_of_tools_are_listed(start: Start, known: str) -> None:
    server = start(Script(pages=[TOOLS[:3], [], TOOLS[3:]]))
    listing = client(server).list_tools(target(server), known, SECONDS)
    assert (listing.declarations, listing.protocol) == (TOOLS, known)
    assert methods_of(server.received).count("tools/list") == 3


def test_no_more_tools_are_read_than_the_limit(start: Start) -> None:
    server = start(Script(pages=[declared(50)] * 9))
    assert len(client(server).list_tools(target(server), STATELESS, SECONDS).declarations) == MAX_SOURCE_TOOLS
    assert len(server.received) == 3


def test_no_more_pages_are_read_than_the_limit(start: Start) -> None:
    server = start(Script(pages=[declared(1)] * 40))
    assert len(client(server).list_tools(target(server), STATELESS, SECONDS).declarations) == 20
    assert len(server.received) == 20


@pytest.mark.parametrize(
    "page",
    [
        {"tools": [], "nextCursor": "again"},
        {"tools": [], "nextCursor": 7},
        {"tools": {}},
        {"tools": ["x"]},
        {"tools": None},
        {},
        {"tools": [], "resultType": "input_required"},
    ],
)
def test_a_list_that_is_none_or_never_ends_is_no_answer(start: Start, page: Mapping[str, object]) -> None:
    server = start(Script(overrides=[on("tools/list", lambda message: json_answer(reply(message, page)))]))
    with pytest.raises(SourceUnavailable):
        client(server).list_tools(target(server), STATELESS, SECONDS)
    assert len(server.received) <= 2


def test_an_empty_cursor_is_a_valid_cursor(start: Start) -> None:
    pages = iter([{"tools": TOOLS[:1], "nextCursor": ""}, {"tools": TOOLS[1:]}])
    server = start(Script(overrides=[on("tools/list", lambda message: json_answer(reply(message, next(pages))))]))
    assert client(server).list_tools(target(server), STATELESS, SECONDS).declarations == TOOLS
    assert json.loads(server.received[1].body)["params"]["cursor"] == ""


def test_a_refused_list_is_no_answer(start: Start) -> None:
    server = start(Script(overrides=[on("tools/list", lambda message: json_answer(error(message, 1, "no")))]))
    with pytest.raises(SourceUnavailable):
        client(server).list_tools(target(server), STATELESS, SECONDS)
