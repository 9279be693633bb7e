"""Limits of a call: its time, what is sent when it ends, and its size."""

import json
from collections.abc import Iterator

import pytest

from groundwire.ports.sources import SourceUnavailable
from groundwire_egress.deadline import time_limit
from groundwire_egress.mcp_client.limits import MAX_SOURCE_RESPONSE_BYTES
from tests.server.services.sources.conftest import SECONDS, Start, call, client, target
from tests.support.entry.https_server import Received
from tests.support.entry.mcp_servers.recording_server import Answer, RecordingServer
from tests.support.entry.mcp_servers.scripted_server import (
    HANDSHAKE,
    STATELESS,
    Override,
    Script,
    events,
    json_answer,
    methods_of,
    on,
    reply,
    text_result,
)

SHORT = 1.0


class Slow:
    """An override that holds the answer to a method until the test ends.

    Attributes:
        has_expired: the client waited so long that it got the answer.
    """

    def __init__(self, method: str, first: Answer | None = None) -> None:
        self._method, self._first = method, first
        self.servers: list[RecordingServer] = []
        self.has_expired = False

    def __call__(self, received: Received, message: object) -> Answer | None:
        named = received.method if message is None else json.loads(received.body)["method"]
        if named != self._method:
            return None
        if self._first is None:
            self.has_expired = not self.servers[0].stopping.wait(10)
            return Answer()
        return Answer(self._endless(), headers={"content-type": "text/event-stream"})

    def _endless(self) -> Iterator[bytes]:
        while not self.servers[0].stopping.wait(0.02):
            yield b'data: {"jsonrpc": "2.0", "method": "notifications/progress"}\n\n'


def started(start: Start, slow: Slow, **script: object) -> RecordingServer:
    overrides: list[Override] = [slow]
    server = start(Script(overrides=overrides, **script))  # pyright: ignore[reportArgumentType] - a field each
    slow.servers.append(server)
    return server


@pytest.mark.parametrize("is_stream", [True, False])
def test_a_tool_whose_time_ends_is_cancelled_where_the_era_has_a_message_for_it(
    start: Start, *, is_stream: bool
) -> None:
    slow = Slow("tools/call", Answer() if is_stream else None)
    server = started(start, slow)
    with pytest.raises(SourceUnavailable):
        client(server).call_tool(target(server), call(), HANDSHAKE, SHORT)
    assert not slow.has_expired
    assert methods_of(server.received)[2:4] == ["tools/call", "notifications/cancelled"]
    sent = json.loads(server.received[2].body)["id"]
    cancelled = server.received[3]
    assert json.loads(cancelled.body)["params"]["requestId"] == sent
    assert cancelled.headers["mcp-session-id"] == "session-1"
    assert "id" not in json.loads(cancelled.body)


@pytest.mark.parametrize("is_stream", [True, False])
def test_the_end_of_the_connection_cancels_a_tool_of_the_stateless_era(start: Start, *, is_stream: bool) -> None:
    slow = Slow("tools/call", Answer() if is_stream else None)
    server = started(start, slow)
    with pytest.raises(SourceUnavailable):
        client(server).call_tool(target(server), call(), STATELESS, SHORT)
    assert not slow.has_expired
    assert methods_of(server.received) == ["tools/call"]
    server.stopping.set()
    assert server.closed.acquire(timeout=5)


@pytest.mark.parametrize("method", ["server/discover", "initialize", "notifications/initialized", "tools/list"])
def test_every_step_ends_with_the_time_of_the_call(start: Start, method: str) -> None:
    slow = Slow(method)
    server = started(start, slow, stateless=method == "server/discover")
    known = None if method == "server/discover" else HANDSHAKE
    with pytest.raises(SourceUnavailable):
        client(server).list_tools(target(server), known, SHORT)
    assert not slow.has_expired


def test_a_cancellation_that_is_not_answered_adds_no_time(start: Start) -> None:
    slow = Slow("tools/call")
    second = Slow("notifications/cancelled")
    server = start(Script(overrides=[slow, second]))
    slow.servers.append(server)
    second.servers.append(server)
    with pytest.raises(SourceUnavailable):
        client(server).call_tool(target(server), call(), HANDSHAKE, SHORT)
    assert not second.has_expired


@pytest.mark.parametrize("seconds", [0.6, 5.0])
def test_a_deletion_that_is_not_answered_takes_a_second_at_most_and_no_more_time_than_the_call_has(
    start: Start, seconds: float
) -> None:
    slow = Slow("DELETE")
    server = started(start, slow)
    assert client(server).call_tool(target(server), call(), HANDSHAKE, seconds).content
    assert not slow.has_expired
    assert methods_of(server.received)[-1] == "DELETE"


def test_an_earlier_deadline_of_the_request_that_is_served_counts(start: Start) -> None:
    slow = Slow("tools/list")
    server = started(start, slow)
    with time_limit(0.3), pytest.raises(SourceUnavailable):
        client(server).list_tools(target(server), HANDSHAKE, SECONDS)
    assert not slow.has_expired


@pytest.mark.parametrize("seconds", [0.0, -1.0])
def test_a_call_without_time_is_not_made(start: Start, seconds: float) -> None:
    server = start(Script())
    with pytest.raises(SourceUnavailable):
        client(server).call_tool(target(server), call(), None, seconds)
    assert not server.raw


@pytest.mark.parametrize("known", [STATELESS, HANDSHAKE])
@pytest.mark.parametrize("streams", [True, False])
def test_an_answer_over_the_limit_is_refused(start: Start, *, known: str, streams: bool) -> None:
    def answer(size: int) -> Override:
        made = events if streams else json_answer
        return on("tools/call", lambda message: made(reply(message, text_result("x" * size))))

    fits = start(Script(overrides=[answer(MAX_SOURCE_RESPONSE_BYTES - 5_000)]))
    got = client(fits).call_tool(target(fits), call(), known, SECONDS)
    assert MAX_SOURCE_RESPONSE_BYTES - 5_000 < got.received_bytes < MAX_SOURCE_RESPONSE_BYTES
    large = start(Script(overrides=[answer(MAX_SOURCE_RESPONSE_BYTES)]))
    with pytest.raises(SourceUnavailable):
        client(large).call_tool(target(large), call(), known, SECONDS)


def test_the_pages_of_a_list_share_one_limit_of_size(start: Start) -> None:
    page = [{"name": "a", "description": "x" * 200_000, "inputSchema": {"type": "object"}}]
    server = start(Script(pages=[page] * 9))
    with pytest.raises(SourceUnavailable):
        client(server).list_tools(target(server), STATELESS, SECONDS)
    assert len(server.received) == 5


@pytest.mark.parametrize("chunk", [b"x" * 10_000, b"data: 1\n\n", b": comment\n"])
def test_a_stream_without_an_end_is_cut_off_by_its_size(start: Start, chunk: bytes) -> None:
    sent: list[int] = []

    def endless() -> Iterator[bytes]:
        while len(sent) < 1_000_000:
            sent.append(len(chunk))
            yield chunk

    override = on("tools/call", lambda _: Answer(endless(), headers={"content-type": "text/event-stream"}))
    server = start(Script(overrides=[override]))
    with pytest.raises(SourceUnavailable):
        client(server).call_tool(target(server), call(), STATELESS, 20.0)
    assert sum(sent) < 50_000_000


def test_the_bytes_of_all_bodies_are_counted(start: Start) -> None:
    server = start(Script(stateless=False))
    answer = client(server).call_tool(target(server), call(a="ü" * 100), HANDSHAKE, SECONDS)
    assert answer.sent_bytes == sum(len(each.body) for each in server.received)
    assert answer.received_bytes > 300
