"""Client of all HTTPS calls out of a server to hosts that settings, definitions or other servers name."""

from importlib import import_module
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from groundwire_egress.bounded_calls import BoundedCalls
    from groundwire_egress.client import EgressClient
    from groundwire_egress.deadline import remaining_seconds, time_limit
    from groundwire_egress.destinations import AllowedHosts
    from groundwire_egress.mcp_client.calls import (
        ApiKeyCredential,
        ClientCredential,
        ExchangeCredential,
        McpDenied,
        McpSignInRequired,
        McpUnavailable,
        SourceAnswer,
        SourceCredential,
        SourceListing,
        SourceTarget,
        SourceToolCall,
    )
    from groundwire_egress.mcp_client.client import McpClient
    from groundwire_egress.messages import (
        EgressError,
        EgressLimits,
        EgressRefused,
        EgressRequest,
        EgressResponse,
        SendRequest,
    )
    from groundwire_egress.secure_urls import is_secure_url
    from groundwire_egress.session import EgressSession

__version__ = "0.1.0"

__all__ = [
    "AllowedHosts",
    "ApiKeyCredential",
    "BoundedCalls",
    "ClientCredential",
    "EgressClient",
    "EgressError",
    "EgressLimits",
    "EgressRefused",
    "EgressRequest",
    "EgressResponse",
    "EgressSession",
    "ExchangeCredential",
    "McpClient",
    "McpDenied",
    "McpSignInRequired",
    "McpUnavailable",
    "SendRequest",
    "SourceAnswer",
    "SourceCredential",
    "SourceListing",
    "SourceTarget",
    "SourceToolCall",
    "is_secure_url",
    "remaining_seconds",
    "time_limit",
]

_MODULES: Final = {
    "AllowedHosts": "destinations",
    "ApiKeyCredential": "mcp_client.calls",
    "BoundedCalls": "bounded_calls",
    "ClientCredential": "mcp_client.calls",
    "EgressClient": "client",
    "EgressError": "messages",
    "EgressLimits": "messages",
    "EgressRefused": "messages",
    "EgressRequest": "messages",
    "EgressResponse": "messages",
    "EgressSession": "session",
    "ExchangeCredential": "mcp_client.calls",
    "McpClient": "mcp_client.client",
    "McpDenied": "mcp_client.calls",
    "McpSignInRequired": "mcp_client.calls",
    "McpUnavailable": "mcp_client.calls",
    "SendRequest": "messages",
    "SourceAnswer": "mcp_client.calls",
    "SourceCredential": "mcp_client.calls",
    "SourceListing": "mcp_client.calls",
    "SourceTarget": "mcp_client.calls",
    "SourceToolCall": "mcp_client.calls",
    "is_secure_url": "secure_urls",
    "remaining_seconds": "deadline",
    "time_limit": "deadline",
}
"""Modules of the public names: each is loaded with the first use of a name, as a cold start waits for every import."""


def __getattr__(name: str) -> object:
    """Return a public name after loading its module.

    Raises:
        AttributeError: the package has no such name.
    """
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value: object = getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)
    globals()[name] = value
    return value
