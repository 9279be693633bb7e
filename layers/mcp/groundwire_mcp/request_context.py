"""Context of one request and the result of its method."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final, Generic, Literal, NamedTuple, TypeAlias

from groundwire_mcp.definitions.log_levels import LogLevel
from groundwire_mcp.definitions.tools import CallerT
from groundwire_mcp.jsonrpc.errors import ResultCode
from groundwire_mcp.jsonrpc.json_codec import Json, JsonObject
from groundwire_mcp.jsonrpc.messages import JsonRpcRequest
from groundwire_mcp.versions import SESSION_HEADER, STATELESS_VERSIONS, VERSION_HEADER

if TYPE_CHECKING:
    from groundwire_mcp.definitions.sessions import Session
    from groundwire_mcp.definitions.tool_context import ToolContext

SessionEvent: TypeAlias = Literal["begun", "ended"]
NotificationMessages: TypeAlias = Sequence[Mapping[str, object]]
"""JSON-RPC messages that precede a response."""
_NO_HEADERS: Final[Mapping[str, str]] = {}


class HttpContext(NamedTuple, Generic[CallerT]):
    """The HTTP request that a message came in; a batch has one for all of its messages.

    Attributes:
        headers: by lower-case name.
        accepts_notifications: whether the client reads notifications within the response.
        path: of the call, decoded.
        session: the session of a batch, read once for all of its messages.
    """

    headers: Mapping[str, str]
    caller: CallerT
    accepts_notifications: bool
    path: str
    session: "Session | None" = None


class RequestContext(NamedTuple, Generic[CallerT]):
    """One JSON-RPC request with its HTTP request, revision and session.

    Attributes:
        version: the client's protocol revision.
        capabilities: capabilities that the client declares; empty where the revision does not send them with the call.
        log_level: the least severe level that the client wants; None when it wants no log messages.
        notifications: collects the messages that precede the response.
        session: the session of the request.
    """

    request: JsonRpcRequest
    http: HttpContext[CallerT]
    version: str
    capabilities: JsonObject
    log_level: LogLevel | None
    notifications: list[Mapping[str, object]]
    session: "Session | None" = None

    @property
    def caller(self) -> CallerT:
        """The caller of the request."""
        return self.http.caller

    @property
    def params(self) -> JsonObject:
        """The parameters of the request."""
        return self.request.params

    @property
    def is_stateless(self) -> bool:
        """Return whether the revision has neither handshake nor session."""
        return self.version in STATELESS_VERSIONS

    @property
    def has_mcp_marker(self) -> bool:
        """Return whether the request has an MCP client's marker: a version header, a session header or `_meta`."""
        return has_mcp_marker(self.http.headers, self.params)

    @property
    def shows_apps(self) -> bool:
        """Return whether the client shows MCP Apps, by the capabilities of its session or of the request."""
        return shows_apps(self.capabilities) if self.session is None else self.session.shows_apps

    def tool_context(
        self, input_responses: JsonObject | None = None, request_state: bytes | None = None
    ) -> "ToolContext":
        """Return the context for a tool or prompt; the arguments come from an earlier round trip of the call."""
        # Not before: most calls, and a client's first one, ask for no tool.
        from groundwire_mcp.definitions.tool_context import ToolContext

        token = self.request.meta.get("progressToken")
        return ToolContext(
            version=self.version,
            path=self.http.path,
            has_mcp_marker=has_mcp_marker(self.http.headers, self.request.params),
            capabilities=self.capabilities,
            input_responses=input_responses or {},
            request_state=request_state,
            progress_token=token if isinstance(token, str | int) and not isinstance(token, bool) else None,
            log_level=self.log_level,
            shows_apps=self.shows_apps,
            accepts_notifications=self.http.accepts_notifications,
            notifications=self.notifications,
        )


def has_mcp_marker(headers: Mapping[str, str], params: Mapping[str, object]) -> bool:
    """Return whether headers, by lower-case name, or parameters have an MCP client's marker."""
    return VERSION_HEADER in headers or SESSION_HEADER in headers or "_meta" in params


def shows_apps(capabilities: Json) -> bool:
    """Return whether a client's capabilities name MCP Apps."""
    # Most clients name no extension, and a cold start waits for every import.
    if not isinstance(capabilities, dict) or "extensions" not in capabilities:
        return False
    from groundwire_mcp.definitions.apps import declares_apps

    return declares_apps(capabilities)


class MethodResult(NamedTuple):
    """The `result` of a request, and the facts to record about it.

    Attributes:
        headers: HTTP headers of the response.
        tool: the called tool.
        session_event: whether the request began or ended a session.
    """

    result: Mapping[str, object]
    result_code: ResultCode = ResultCode.ANSWERED
    tool: str | None = None
    headers: Mapping[str, str] = _NO_HEADERS
    session_event: SessionEvent | None = None
