"""Implementation of the port of MCP sources by the client of the egress package, with the errors of the domain."""

import time
from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

from groundwire.ports.sources import SignInRequired, SourceDenied, SourceUnavailable
from groundwire_egress.mcp_client.calls import McpDenied, McpSignInRequired, McpUnavailable
from groundwire_egress.mcp_client.client import McpClient

if TYPE_CHECKING:
    from groundwire.domain.errors import Unavailable
    from groundwire_egress.client import EgressClient
    from groundwire_egress.mcp_client.calls import SourceAnswer, SourceListing, SourceTarget, SourceToolCall

ResultT = TypeVar("ResultT")


class McpSourceClient:
    """Implements `ports.sources.SourceClient`; several threads can use it.

    Args:
        egress: calls sources and the token endpoints that tenants name.
        issuer: URL of the configured issuer of users' tokens; None: there is none.
        issuer_egress: calls the issuer, whose host it may allow; None: `egress`.
    """

    def __init__(
        self,
        egress: "EgressClient",
        issuer: str | None,
        issuer_egress: "EgressClient | None" = None,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._client = McpClient(egress, issuer, issuer_egress, monotonic)

    def list_tools(self, target: "SourceTarget", protocol: str | None, seconds: float) -> "SourceListing":
        """Return the declared tools.

        Raises:
            SourceUnavailable: the server does not answer as an MCP server in time.
            SourceDenied: it refuses the credential.
            SignInRequired: the issuer gives the source's client no token.
        """
        return _with_errors_of_the_domain(lambda: self._client.list_tools(target, protocol, seconds))

    def call_tool(
        self, target: "SourceTarget", call: "SourceToolCall", protocol: str | None, seconds: float
    ) -> "SourceAnswer":
        """Return the result of a tool; an error of the protocol is one of the tool.

        Raises:
            SourceUnavailable: the server does not answer as an MCP server in time.
            SourceDenied: it refuses the credential, or the user.
            SignInRequired: the credential needs a user's token, which the target has not.
        """
        return _with_errors_of_the_domain(lambda: self._client.call_tool(target, call, protocol, seconds))


def _with_errors_of_the_domain(request: Callable[[], ResultT]) -> ResultT:
    failure: Unavailable
    try:
        return request()
    except McpSignInRequired as error:
        failure = SignInRequired(str(error))
    except McpDenied as error:
        failure = SourceDenied(str(error))
    except McpUnavailable as error:
        failure = SourceUnavailable(str(error))
    # Outside of the handlers: the error has no trace of the reason, which would tell what is at the address.
    raise failure
