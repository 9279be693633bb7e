"""Client of MCP servers with prepared exchanges, which records its calls."""

from collections.abc import Callable
from dataclasses import dataclass, field

from groundwire_egress.mcp_client.calls import SourceAnswer, SourceListing, SourceTarget, SourceToolCall

DECLARATION = {"name": "search", "description": "Searches.", "inputSchema": {"type": "object"}}
LISTING = SourceListing([DECLARATION], "2025-11-25")
ANSWER = SourceAnswer([{"type": "text", "text": "Pumps leak."}], {"hits": 1}, False, 120, 340, "2025-11-25")


@dataclass
class ScriptedClient:
    """Implements `ports.sources.SourceClient`.

    Attributes:
        listing, answer: what the server sends. failure: raised instead, if there is one.
        calls: target, call (None: a listing), protocol and seconds of each exchange.
        during: runs while the server answers.
    """

    listing: SourceListing = LISTING
    answer: SourceAnswer = ANSWER
    failure: Exception | None = None
    calls: list[tuple[SourceTarget, SourceToolCall | None, str | None, float]] = field(
        default_factory=list[tuple[SourceTarget, SourceToolCall | None, str | None, float]]
    )
    during: Callable[[], None] = lambda: None

    def list_tools(self, target: SourceTarget, protocol: str | None, seconds: float) -> SourceListing:
        self._exchange(target, None, protocol, seconds)
        return self.listing

    def call_tool(
        self, target: SourceTarget, call: SourceToolCall, protocol: str | None, seconds: float
    ) -> SourceAnswer:
        self._exchange(target, call, protocol, seconds)
        return self.answer

    def tools_called(self) -> list[str]:
        """Names of the tools of all exchanges that were calls."""
        return [call.tool for _, call, _, _ in self.calls if call is not None]

    def _exchange(
        self, target: SourceTarget, call: SourceToolCall | None, protocol: str | None, seconds: float
    ) -> None:
        self.calls.append((target, call, protocol, seconds))
        self.during()
        if self.failure is not None:
            raise self.failure
