"""The two ways of speaking MCP: with a handshake (up to 2025-11-25), and with an envelope on every request."""

from collections.abc import Callable, Mapping
from typing import Final, Generic

from groundwire.protocol.envelope import check_envelope, check_mirrored_arguments
from groundwire.protocol.json_edge import JsonObject
from groundwire.protocol.jsonrpc import ClientResponse, Notification, Request
from groundwire.protocol.offer import ServerInfo
from groundwire.protocol.outcomes import Outcome, Refusal
from groundwire.protocol.toolbox import Reply, Toolbox, call_arguments
from groundwire.protocol.tools import CallerT
from groundwire.protocol.turn import Turn
from groundwire.protocol.versions import (
    HANDSHAKE_VERSIONS,
    LATEST_HANDSHAKE_VERSION,
    SERVER_INFO_KEY,
    STATELESS_VERSIONS,
    SUPPORTED_VERSIONS,
    VERSION_HEADER,
)

_CAPABILITIES: Final[Mapping[str, object]] = {"tools": {}}
"""Without `listChanged` and `subscribe`: either makes clients hold a stream open, which a function pays for."""
_DISCOVERY_CACHE: Final = {"ttlMs": 3_600_000, "cacheScope": "public"}
"""The same for every caller, and it changes with a deployment only."""
_TOOLS_CACHE: Final = {"ttlMs": 300_000, "cacheScope": "private"}
"""The list depends on the key's toolset; five minutes is how long a changed one may go unnoticed."""


class HandshakeEra(Generic[CallerT]):
    """2024-11-05 to 2025-11-25; `initialize` is answered but not required, since no state hangs on it."""

    def __init__(self, info: ServerInfo, toolbox: Toolbox[CallerT]) -> None:
        self._info = info
        self._methods: Mapping[str, Callable[[JsonObject, CallerT], Reply]] = {
            "initialize": self._initialize,
            "ping": lambda _params, _caller: Reply({}),
            "tools/list": toolbox.describe,
            "tools/call": lambda params, caller: toolbox.call(params, caller, Turn(LATEST_HANDSHAKE_VERSION)),
        }

    def answer(self, request: Request, _headers: Mapping[str, str], caller: CallerT) -> Reply:
        """Raises Refusal."""
        method = self._methods.get(request.method)
        if method is None:
            raise Refusal(Outcome.UNKNOWN_METHOD, "Method not found.")
        return method(request.params, caller)

    def accept(self, message: Notification | ClientResponse, _headers: Mapping[str, str]) -> None:
        """Raises Refusal when the message cannot be meant as one without an answer."""
        if isinstance(message, Notification):
            _check_notification(message)

    def _initialize(self, params: JsonObject, _caller: CallerT) -> Reply:
        asked = params.get("protocolVersion")
        return Reply(
            {
                "protocolVersion": asked if asked in HANDSHAKE_VERSIONS else LATEST_HANDSHAKE_VERSION,
                "capabilities": _CAPABILITIES,
                "serverInfo": self._info.implementation(),
                "instructions": self._info.instructions,
            }
        )


class StatelessEra(Generic[CallerT]):
    """2026-07-28: every request stands alone."""

    def __init__(self, info: ServerInfo, toolbox: Toolbox[CallerT]) -> None:
        self._info = info
        self._toolbox = toolbox
        self._methods: Mapping[str, Callable[[Request, Mapping[str, str], CallerT], Reply]] = {
            "server/discover": self._discover,
            "tools/list": self._list_tools,
            "tools/call": self._call_tool,
        }

    def answer(self, request: Request, headers: Mapping[str, str], caller: CallerT) -> Reply:
        """Raises Refusal."""
        check_envelope(request, headers)
        method = self._methods.get(request.method)
        if method is None:
            raise Refusal(Outcome.REMOVED_METHOD, "Method not found.")
        reply = method(request, headers, caller)
        signature = {SERVER_INFO_KEY: self._info.implementation()}
        return reply._replace(result={**reply.result, "resultType": "complete", "_meta": signature})

    def accept(self, message: Notification | ClientResponse, headers: Mapping[str, str]) -> None:
        """Raises Refusal for a response (the server never asks) and for a version that is not served."""
        if isinstance(message, ClientResponse):
            raise Refusal(Outcome.INVALID_REQUEST, "Invalid request: this server sends no requests to respond to.")
        if headers[VERSION_HEADER].strip(" \t") not in STATELESS_VERSIONS:
            raise Refusal(Outcome.INVALID_REQUEST, f"Invalid request: {VERSION_HEADER} names no version served here.")
        _check_notification(message)

    def _discover(self, _request: Request, _headers: Mapping[str, str], _caller: CallerT) -> Reply:
        return Reply(
            {
                "supportedVersions": SUPPORTED_VERSIONS,
                "capabilities": _CAPABILITIES,
                "instructions": self._info.instructions,
                **_DISCOVERY_CACHE,
            }
        )

    def _list_tools(self, request: Request, _headers: Mapping[str, str], caller: CallerT) -> Reply:
        reply = self._toolbox.describe(request.params, caller)
        return reply._replace(result={**reply.result, **_TOOLS_CACHE})

    def _call_tool(self, request: Request, headers: Mapping[str, str], caller: CallerT) -> Reply:
        tool = self._toolbox.find(request.params, caller)
        check_mirrored_arguments(tool.input_schema, call_arguments(request.params, tool.name), headers)
        return self._toolbox.call(request.params, caller, Turn(STATELESS_VERSIONS[0]))


def _check_notification(message: Notification) -> None:
    if not message.method.startswith("notifications/"):
        # Most likely a request whose author forgot the id: silence would leave them waiting for an answer.
        raise Refusal(Outcome.INVALID_REQUEST, "Invalid request: a request must have an `id`.")
