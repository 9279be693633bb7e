"""Port of calls to the MCP servers of other systems."""

from typing import Protocol

from groundwire.domain.sources.calls import SignInRequired, SourceDenied, SourceToolChanged, SourceUnavailable
from groundwire.domain.sources.state import SourceCaller
from groundwire_egress.mcp_client.calls import SourceAnswer, SourceListing, SourceTarget, SourceToolCall

__all__ = [
    "SignInRequired",
    "SourceClient",
    "SourceDenied",
    "SourceGateway",
    "SourceToolChanged",
    "SourceUnavailable",
]


class SourceGateway(Protocol):
    """Calls to sources, with the limits that all processes of a server share."""

    def inspect(self, target: SourceTarget) -> SourceListing:
        """Return the tools of the source's server; nothing is stored, as the source may not be either.

        Raises:
            SourceUnavailable: the server does not answer as an MCP server in time.
            SignInRequired: the credential needs a user's token, which the target has not.
        """
        ...

    def call(self, target: SourceTarget, call: SourceToolCall, caller: SourceCaller) -> SourceAnswer:
        """Return the result of a tool; `caller` decides whose share and whose failures count.

        Raises:
            SourceUnavailable: the server does not answer in time, or did not answer repeatedly before.
            SourceDenied: it refuses the credential, or the user.
            SourceToolChanged: it declares the tool differently than accepted.
            SignInRequired: the credential needs a user's token, which the target has not.
            LimitExceeded: the source was called too often.
        """
        ...


class SourceClient(Protocol):
    """Client of MCP servers: one call is one exchange, and nothing is kept after it."""

    # The version of before spares the requests that find it out.
    def list_tools(self, target: SourceTarget, protocol: str | None, seconds: float) -> SourceListing:
        """Return the declared tools.

        Args:
            target: the server.
            protocol: version of the protocol that its server used before; None: unknown.
            seconds: time for all requests.

        Raises:
            SourceUnavailable: the server does not answer as an MCP server in time.
            SignInRequired: the credential needs a user's token, which the target has not.
        """
        ...

    def call_tool(
        self, target: SourceTarget, call: SourceToolCall, protocol: str | None, seconds: float
    ) -> SourceAnswer:
        """Return the result of a tool; arguments and errors as of `list_tools`."""
        ...
