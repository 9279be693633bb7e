"""Servers of other projects' libraries, listed, called and cancelled by the client of sources."""

from collections.abc import Generator

import pytest

from groundwire.adapters.mcp_client import McpSourceClient
from groundwire.domain.sources.pinned_tool import pin
from groundwire.ports.sources import SourceUnavailable
from groundwire_egress import AllowedHosts, EgressClient
from groundwire_egress.mcp_client.calls import SourceTarget, SourceToolCall
from tests.e2e.clients.sources.catalogue import KINDS, LATEST, STATELESS, WATCHES_NO_CONNECTION, ServerKind
from tests.e2e.clients.sources.server_runs import RealServer, real_server
from tests.support.engines.missing import Absent, answer

SECONDS = 10.0
TOOLS = ["echo", "fails", "slow", "spare_1", "spare_2"]


class Caller:
    """Calls to a server."""

    def __init__(self, server: RealServer) -> None:
        allowed = AllowedHosts(frozenset({("127.0.0.1", server.port)}))
        self.client = McpSourceClient(EgressClient(allowed, None), None)
        self.target = SourceTarget("tenant", "source", f"http://127.0.0.1:{server.port}/mcp", None)

    def call(self, protocol: str | None, tool: str, text: str = "", seconds: float = SECONDS) -> tuple[bool, str]:
        """Return whether it failed, and its text."""
        made = self.client.call_tool(self.target, SourceToolCall(tool, {"text": text}, "", {}), protocol, seconds)
        return made.is_error, "".join(str(block["text"]) for block in made.content)


@pytest.fixture(params=KINDS, ids=lambda kind: kind.name, scope="module")
def running(request: pytest.FixtureRequest) -> Generator[tuple[ServerKind, RealServer]]:
    kind: ServerKind = request.param
    try:
        with real_server(kind) as server:
            yield kind, server
    except Absent as absent:
        answer(absent)


def test_its_tools_are_listed_over_all_pages_and_called(running: tuple[ServerKind, RealServer]) -> None:
    kind, server = running
    caller = Caller(server)
    for known in (None, *kind.protocols):
        listing = caller.client.list_tools(caller.target, known, SECONDS)
        assert [each["name"] for each in listing.declarations] == TOOLS
        assert listing.protocol == (known or kind.protocols[0])
        assert caller.call(known, "echo", "ünï\u2028\n") == (False, "Grüße, 日本 🎉: ünï\u2028\n")
        is_error, text = caller.call(known, "fails")
        assert is_error
        assert "fails failed: ü" in text


def test_an_unknown_tool_is_an_error_of_the_tool(running: tuple[ServerKind, RealServer]) -> None:
    kind, server = running
    for known in kind.protocols:
        is_error, text = Caller(server).call(known, "spare_3")
        assert is_error
        assert text


def test_a_version_that_it_does_not_serve_is_found_out(running: tuple[ServerKind, RealServer]) -> None:
    kind, server = running
    caller = Caller(server)
    for wrong in {STATELESS, LATEST} - set(kind.protocols):
        assert caller.client.list_tools(caller.target, wrong, SECONDS).protocol == kind.protocols[0]


def test_a_slow_tool_is_cancelled_when_its_time_ends(running: tuple[ServerKind, RealServer]) -> None:
    kind, server = running
    for known in kind.protocols:
        with pytest.raises(SourceUnavailable):
            Caller(server).call(known, "slow", seconds=1.5)
        server.wait_for("slow started", 5)
        if (kind.name, known) not in WATCHES_NO_CONNECTION:
            server.wait_for("slow cancelled", 5)


@pytest.mark.parametrize("running", [kind for kind in KINDS if kind.environment == "mcp-2.3"], indirect=True)
def test_an_argument_that_it_wants_in_a_header_is_sent_there(running: tuple[ServerKind, RealServer]) -> None:
    caller = Caller(running[1])
    listing = caller.client.list_tools(caller.target, STATELESS, SECONDS)
    pinned = pin(listing.declarations[0], None)
    assert pinned is not None
    call = SourceToolCall("echo", {"text": "x", "region": "Zürich "}, "", pinned.mirrored_arguments)
    assert not caller.client.call_tool(caller.target, call, STATELESS, SECONDS).is_error
    # The server does compare them.
    without = call._replace(mirrored_arguments={})
    assert caller.client.call_tool(caller.target, without, STATELESS, SECONDS).is_error
