"""Servers that the client of sources calls on this machine, over plain HTTP, and the client that may call them."""

from collections.abc import Callable, Generator
from contextlib import ExitStack

import pytest

from groundwire.adapters.mcp_client import McpSourceClient
from groundwire_egress import AllowedHosts, EgressClient
from groundwire_egress.mcp_client.calls import SourceCredential, SourceTarget, SourceToolCall
from tests.support.entry.https_server import Received
from tests.support.entry.mcp_servers.recording_server import Answer, RecordingServer, recording_server

Start = Callable[[Callable[[Received], Answer]], RecordingServer]
SECONDS = 5.0


@pytest.fixture
def start() -> Generator[Start]:
    with ExitStack() as running:
        yield lambda answer: running.enter_context(recording_server(None, answer))


def client(*servers: RecordingServer, issuer: str | None = None) -> McpSourceClient:
    """A client to which the operator allows these servers."""
    return McpSourceClient(egress(*servers), issuer)


def egress(*servers: RecordingServer) -> EgressClient:
    return EgressClient(AllowedHosts(frozenset(("127.0.0.1", each.port) for each in servers)), None)


def address(server: RecordingServer, path: str = "") -> str:
    return f"http://127.0.0.1:{server.port}{path}"


def target(server: RecordingServer, credential: SourceCredential = None, path: str = "/mcp") -> SourceTarget:
    return SourceTarget("tenant", "source", address(server, path), credential)


def call(tool: str = "tool_1", **arguments: object) -> SourceToolCall:
    return SourceToolCall(tool, arguments, "", {})
