"""2026-07-28: every request stands alone, and says in `_meta` whatever its answer depends on."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Final, Generic, cast

from groundwire.protocol.definitions.tool_context import parse_log_level
from groundwire.protocol.definitions.tools import CallerT
from groundwire.protocol.jsonrpc.errors import ProtocolError, ResultCode
from groundwire.protocol.jsonrpc.messages import ClientResponse, JsonRpcNotification, JsonRpcRequest, check_notification
from groundwire.protocol.methods.registry import MethodRegistry
from groundwire.protocol.request_context import HttpContext, MethodResult, RequestContext
from groundwire.protocol.transport.request_metadata import check_request_metadata
from groundwire.protocol.versions import (
    CLIENT_CAPABILITIES_KEY,
    LOG_LEVEL_KEY,
    SERVER_INFO_KEY,
    STATELESS_VERSIONS,
    SUPPORTED_VERSIONS,
    VERSION_HEADER,
)

if TYPE_CHECKING:
    from groundwire.protocol.definitions.server import ServerDefinition
    from groundwire.protocol.jsonrpc.json_codec import JsonObject

_FIVE_MINUTES_MS: Final = 300_000
_CACHE_FIVE_MINUTES: Final = {"ttlMs": _FIVE_MINUTES_MS, "cacheScope": "private"}
"""Depends on the key's toolset and scopes; five minutes is how long a change of theirs may go unnoticed."""
_NO_CACHE: Final = {"ttlMs": 0, "cacheScope": "private"}
"""Depends on documents and on who may read them, which ends from one moment to the next."""
_CACHE_HINTS: Final[Mapping[str, Mapping[str, object]]] = {
    # The same for every caller, and it changes with a deployment only.
    "server/discover": {"ttlMs": 3_600_000, "cacheScope": "public"},
    "tools/list": _CACHE_FIVE_MINUTES,
    "prompts/list": _CACHE_FIVE_MINUTES,
    "resources/templates/list": _CACHE_FIVE_MINUTES,
    "resources/list": _NO_CACHE,
    "resources/read": _NO_CACHE,
}


class StatelessRevisions(Generic[CallerT]):
    """The revisions without a handshake."""

    def __init__(self, definition: "ServerDefinition[CallerT]", registry: MethodRegistry[CallerT]) -> None:
        self._server_metadata = {SERVER_INFO_KEY: definition.server_info.implementation(STATELESS_VERSIONS[0])}
        self._discovery_result = {
            "supportedVersions": SUPPORTED_VERSIONS,
            "capabilities": registry.capabilities,
            "instructions": definition.server_info.instructions,
        }
        self._methods: Mapping[str, Callable[[RequestContext[CallerT]], MethodResult]] = {
            **registry.methods,
            "server/discover": lambda _asked: MethodResult(self._discovery_result),
        }

    def handle(
        self, request: JsonRpcRequest, http: HttpContext[CallerT], notifications: list[Mapping[str, object]]
    ) -> MethodResult:
        """The reply, with what precedes it put into `notifications`; Raises Refusal."""
        check_request_metadata(request, http.headers)
        method = self._methods.get(request.method)
        if method is None:
            raise ProtocolError(ResultCode.REMOVED_METHOD, "Method not found.")
        capabilities = cast("JsonObject", request.meta[CLIENT_CAPABILITIES_KEY])
        level = parse_log_level(request.meta.get(LOG_LEVEL_KEY))
        reply = method(RequestContext(request, http, STATELESS_VERSIONS[0], capabilities, level, notifications))
        return reply._replace(result={**reply.result, **self._result_metadata(request.method, reply)})

    def _result_metadata(self, method: str, method_result: MethodResult) -> dict[str, object]:
        """What every result of this revision carries."""
        is_open = method_result.result_code is ResultCode.INPUT_REQUIRED
        result_type = "input_required" if is_open else "complete"
        own = cast("Mapping[str, object]", method_result.result.get("_meta", {}))
        return {"resultType": result_type, **_CACHE_HINTS.get(method, {}), "_meta": {**own, **self._server_metadata}}

    def accept(self, message: JsonRpcNotification | ClientResponse, http: HttpContext[CallerT]) -> None:
        """Raises Refusal for a response (the server never asks) and for a version that is not served."""
        if isinstance(message, ClientResponse):
            raise ProtocolError(
                ResultCode.INVALID_REQUEST, "Invalid request: this server sends no requests to respond to."
            )
        if http.headers[VERSION_HEADER].strip(" \t") not in STATELESS_VERSIONS:
            raise ProtocolError(
                ResultCode.INVALID_REQUEST, f"Invalid request: {VERSION_HEADER} names no version served here."
            )
        check_notification(message)
