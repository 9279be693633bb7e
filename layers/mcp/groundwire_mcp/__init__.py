"""The Model Context Protocol as a stateless server: handshake and stateless revisions on one URL."""

from importlib import import_module
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from groundwire_mcp.definitions.content import TextContent
    from groundwire_mcp.definitions.prompts import Prompt
    from groundwire_mcp.definitions.resources import ResourceSource, ResourceTemplate
    from groundwire_mcp.definitions.server import Icon, ServerDefinition, ServerDependencies, ServerInfo
    from groundwire_mcp.definitions.sessions import Session, SessionOwner, SessionStore, SessionsUnavailable
    from groundwire_mcp.definitions.tool_context import InputRequest, InputRequired, ToolContext
    from groundwire_mcp.definitions.tools import Tool, ToolError, ToolErrorKind, ToolResult
    from groundwire_mcp.jsonrpc.errors import ProtocolError, ResultCode
    from groundwire_mcp.jsonrpc.json_codec import JsonError
    from groundwire_mcp.server import McpServer
    from groundwire_mcp.transport.exchanges import McpResponse
    from groundwire_mcp.transport.http import HttpRequest, HttpResponse
    from groundwire_mcp.transport.origins import AllowedOrigins, allowed_origins

__version__ = "0.1.0"

__all__ = [
    "AllowedOrigins",
    "HttpRequest",
    "HttpResponse",
    "Icon",
    "InputRequest",
    "InputRequired",
    "JsonError",
    "McpResponse",
    "McpServer",
    "Prompt",
    "ProtocolError",
    "ResourceSource",
    "ResourceTemplate",
    "ResultCode",
    "ServerDefinition",
    "ServerDependencies",
    "ServerInfo",
    "Session",
    "SessionOwner",
    "SessionStore",
    "SessionsUnavailable",
    "TextContent",
    "Tool",
    "ToolContext",
    "ToolError",
    "ToolErrorKind",
    "ToolResult",
    "allowed_origins",
]

_MODULES: Final = {
    "AllowedOrigins": "transport.origins",
    "HttpRequest": "transport.http",
    "HttpResponse": "transport.http",
    "Icon": "definitions.server",
    "InputRequest": "definitions.tool_context",
    "InputRequired": "definitions.tool_context",
    "JsonError": "jsonrpc.json_codec",
    "McpResponse": "transport.exchanges",
    "McpServer": "server",
    "Prompt": "definitions.prompts",
    "ProtocolError": "jsonrpc.errors",
    "ResourceSource": "definitions.resources",
    "ResourceTemplate": "definitions.resources",
    "ResultCode": "jsonrpc.errors",
    "ServerDefinition": "definitions.server",
    "ServerDependencies": "definitions.server",
    "ServerInfo": "definitions.server",
    "Session": "definitions.sessions",
    "SessionOwner": "definitions.sessions",
    "SessionStore": "definitions.sessions",
    "SessionsUnavailable": "definitions.sessions",
    "TextContent": "definitions.content",
    "Tool": "definitions.tools",
    "ToolContext": "definitions.tool_context",
    "ToolError": "definitions.tools",
    "ToolErrorKind": "definitions.tools",
    "ToolResult": "definitions.tools",
    "allowed_origins": "transport.origins",
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
    # The next access finds the name in the module and does not come here (PEP 562).
    globals()[name] = value
    return value
