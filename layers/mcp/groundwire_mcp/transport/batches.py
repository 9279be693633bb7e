"""Batches: several messages in one body, which only 2025-03-26 has."""

from collections.abc import Sequence
from typing import Final

from groundwire_mcp.jsonrpc.errors import ProtocolError, ResultCode
from groundwire_mcp.jsonrpc.json_codec import Json
from groundwire_mcp.limits import MAX_BATCH_MESSAGES
from groundwire_mcp.transport.exchanges import Exchange, McpResponse
from groundwire_mcp.versions import BATCH_VERSION, PROTOCOL_VERSION_KEY

_FORBIDDEN: Final = 403
_COSTLY_METHODS: Final = frozenset(
    {"tools/call", "prompts/get", "resources/list", "resources/read", "completion/complete"}
)
"""Methods that read stores or indexes: a batch counts as one call and may hold one of them."""


def check_batch(values: Sequence[Json], version: str) -> None:
    """Check that the messages of a batch may be handled one by one.

    Raises:
        ProtocolError: the revision has no batches, there is no message or there are too many, one is `initialize`, or
            more than one is a costly method.
    """
    if version != BATCH_VERSION or any(map(_has_version_metadata, values)):
        raise _invalid_request("this protocol version has no batches; send one message per request")
    # JSON-RPC 2.0 §6: an empty array is no valid request.
    if not 0 < len(values) <= MAX_BATCH_MESSAGES:
        raise _invalid_request(f"a batch can have 1 to {MAX_BATCH_MESSAGES} messages")
    methods = [value.get("method") for value in values if isinstance(value, dict)]
    # MCP (2025-03-26, lifecycle): `initialize` must not be part of a batch.
    if "initialize" in methods:
        raise _invalid_request("initialize must be sent alone")
    if sum(isinstance(method, str) and method in _COSTLY_METHODS for method in methods) > 1:
        raise _invalid_request(f"a batch can have only one message of {', '.join(sorted(_COSTLY_METHODS))}")


def merge_exchanges(exchanges: Sequence[Exchange]) -> McpResponse:
    """Return one response with all payloads, in message order; a forbidden costly call sets its status."""
    main = next((each for each in exchanges if each.message.method in _COSTLY_METHODS), exchanges[0])
    payloads = [each.payload for each in exchanges if each.payload is not None]
    if not payloads:
        return main.response_with(None, 202, {})
    # A client learns of a missing scope from the status 403 and its challenge, in a batch as well.
    if main.status == _FORBIDDEN:
        return main.response_with(payloads, main.status, main.headers)
    return main.response_with(payloads, 200, {})


def _has_version_metadata(value: Json) -> bool:
    params = value.get("params") if isinstance(value, dict) else None
    meta = params.get("_meta") if isinstance(params, dict) else None
    return isinstance(meta, dict) and PROTOCOL_VERSION_KEY in meta


def _invalid_request(reason: str) -> ProtocolError:
    return ProtocolError(ResultCode.INVALID_REQUEST, f"Invalid request: {reason}.")
