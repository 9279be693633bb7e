"""Sample MCP calls."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from groundwire_mcp.versions import (
    CLIENT_CAPABILITIES_KEY,
    LATEST_HANDSHAKE_VERSION,
    METHOD_HEADER,
    PROTOCOL_VERSION_KEY,
    STATELESS_VERSIONS,
    VERSION_HEADER,
)

_CLIENT: Final = {"name": "sample", "version": "1.0.0"}


@dataclass(frozen=True, slots=True)
class McpCall:
    """A JSON-RPC message and its headers, without those of identity."""

    message: Mapping[str, object]
    headers: tuple[tuple[str, str], ...] = ()


def mcp_calls(segment_uid: str) -> dict[str, McpCall]:
    """Return the sample calls by file name; `verify` checks `segment_uid`."""
    search = {"search_phrases": ["How much leave do I have?", "annual leave days"]}
    stateless = STATELESS_VERSIONS[0]
    envelope: dict[str, object] = {PROTOCOL_VERSION_KEY: stateless, CLIENT_CAPABILITIES_KEY: {}}
    handshake = {"protocolVersion": LATEST_HANDSHAKE_VERSION, "capabilities": {}, "clientInfo": _CLIENT}
    return {
        "initialize": _call("initialize", handshake),
        "tools_list": _call("tools/list", {}),
        "rag_search": _call("tools/call", {"name": "rag_search", "arguments": search}),
        "verify": _call("tools/call", {"name": "verify_document_access", "arguments": {"segment_uid": segment_uid}}),
        "discover": McpCall(
            _message("server/discover", {"_meta": envelope}),
            ((VERSION_HEADER, stateless), (METHOD_HEADER, "server/discover")),
        ),
    }


def foundry_call() -> McpCall:
    """Return the call of Foundry Local's page."""
    arguments = {"query": "How do I reset my device?", "top_n": 5}
    return _call("tools/call", {"name": "search_hybrid", "arguments": arguments})


def _call(method: str, params: Mapping[str, object]) -> McpCall:
    return McpCall(_message(method, params))


def _message(method: str, params: Mapping[str, object]) -> dict[str, object]:
    return {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
