"""Stateless revision 2026-07-28: each request has its own context in `_meta`."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Final, Generic, cast

from groundwire_mcp.definitions.log_levels import parse_log_level
from groundwire_mcp.definitions.tools import CallerT
from groundwire_mcp.jsonrpc.errors import ProtocolError, ResultCode
from groundwire_mcp.jsonrpc.messages import ClientResponse, JsonRpcNotification, JsonRpcRequest, check_notification
from groundwire_mcp.methods.registry import MethodRegistry
from groundwire_mcp.request_context import HttpContext, MethodResult, RequestContext
from groundwire_mcp.transport.request_metadata import check_request_metadata
from groundwire_mcp.versions import (
    CLIENT_CAPABILITIES_KEY,
    LOG_LEVEL_KEY,
    SERVER_INFO_KEY,
    STATELESS_VERSIONS,
    SUPPORTED_VERSIONS,
    VERSION_HEADER,
)

if TYPE_CHECKING:
    from groundwire_mcp.definitions.server import ServerDefinition
    from groundwire_mcp.jsonrpc.json_codec import JsonObject

_DISCOVER: Final = "server/discover"
_FIVE_MINUTES_MS: Final = 300_000
_CACHE_FIVE_MINUTES: Final = {"ttlMs": _FIVE_MINUTES_MS, "cacheScope": "private"}
"""Cache hint for lists that depend on the key's toolset and scopes: a change shows within five minutes."""
_NO_CACHE: Final = {"ttlMs": 0, "cacheScope": "private"}
"""Cache hint for results that depend on documents and on read permission, which may end at any time."""
_CACHE_HINTS: Final[Mapping[str, Mapping[str, object]]] = {
    # The result is the same for every caller and changes only with a deployment.
    _DISCOVER: {"ttlMs": 3_600_000, "cacheScope": "public"},
    # A tool's description may depend on what the caller can read.
    "tools/list": _NO_CACHE,
    "prompts/list": _CACHE_FIVE_MINUTES,
    "resources/templates/list": _CACHE_FIVE_MINUTES,
    "resources/list": _NO_CACHE,
    "resources/read": _NO_CACHE,
}


class StatelessRevisions(Generic[CallerT]):
    """Request handling for the revisions without a handshake."""

    def __init__(self, definition: "ServerDefinition[CallerT]", registry: MethodRegistry[CallerT]) -> None:
        info, version = definition.server_info, STATELESS_VERSIONS[0]
        self._introduction = {SERVER_INFO_KEY: info.implementation(version)}
        # Every result names the server. Its picture and description come once, with `server/discover`.
        self._server_metadata = {SERVER_INFO_KEY: info.implementation(version, is_short=True)}
        self._discovery_result = {
            "supportedVersions": SUPPORTED_VERSIONS,
            "capabilities": registry.capabilities,
            "instructions": definition.server_info.instructions,
        }
        self._methods: Mapping[str, Callable[[RequestContext[CallerT]], MethodResult]] = {
            **registry.methods,
            _DISCOVER: lambda _context: MethodResult(self._discovery_result),
        }

    def handle(
        self, request: JsonRpcRequest, http: HttpContext[CallerT], notifications: list[Mapping[str, object]]
    ) -> MethodResult:
        """Return the method's result; append the messages that precede it to `notifications`.

        Raises:
            ProtocolError: the request's metadata is invalid, the method is unknown, or it rejects the request.
        """
        check_request_metadata(request, http.headers)
        method = self._methods.get(request.method)
        if method is None:
            raise ProtocolError(ResultCode.REMOVED_METHOD, "Method not found.")
        capabilities = cast("JsonObject", request.meta[CLIENT_CAPABILITIES_KEY])
        level = parse_log_level(request.meta.get(LOG_LEVEL_KEY))
        method_result = method(RequestContext(request, http, STATELESS_VERSIONS[0], capabilities, level, notifications))
        return method_result._replace(
            result={**method_result.result, **self._result_metadata(request.method, method_result)}
        )

    def _result_metadata(self, method: str, method_result: MethodResult) -> dict[str, object]:
        """Return the members that every result of this revision has."""
        needs_input = method_result.result_code is ResultCode.INPUT_REQUIRED
        result_type = "input_required" if needs_input else "complete"
        method_metadata = cast("Mapping[str, object]", method_result.result.get("_meta", {}))
        return {
            "resultType": result_type,
            **_CACHE_HINTS.get(method, {}),
            "_meta": {**method_metadata, **(self._introduction if method == _DISCOVER else self._server_metadata)},
        }

    def accept(self, message: JsonRpcNotification | ClientResponse, http: HttpContext[CallerT]) -> None:
        """Check a notification.

        Raises:
            ProtocolError: the message is a response (the server sends no requests), is no MCP notification, or has an
                unsupported version.
        """
        if isinstance(message, ClientResponse):
            raise ProtocolError(
                ResultCode.INVALID_REQUEST, "Invalid request: this server sends no requests to respond to."
            )
        if http.headers[VERSION_HEADER].strip(" \t") not in STATELESS_VERSIONS:
            raise ProtocolError(
                ResultCode.INVALID_REQUEST, f"Invalid request: {VERSION_HEADER} names no supported version."
            )
        check_notification(message)
