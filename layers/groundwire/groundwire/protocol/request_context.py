"""One request with all that its answer may depend on, and the reply to it."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final, Generic, Literal, NamedTuple, TypeAlias

from groundwire.protocol.definitions.tool_context import LogLevel, ToolContext
from groundwire.protocol.definitions.tools import CallerT
from groundwire.protocol.jsonrpc.errors import ResultCode
from groundwire.protocol.jsonrpc.json_codec import JsonObject
from groundwire.protocol.jsonrpc.messages import JsonRpcRequest
from groundwire.protocol.versions import SESSION_HEADER, STATELESS_VERSIONS, VERSION_HEADER

if TYPE_CHECKING:
    from groundwire.domain.sessions import Session

SessionEvent: TypeAlias = Literal["begun", "ended"]
NotificationMessages: TypeAlias = Sequence[Mapping[str, object]]
"""JSON-RPC messages that precede an answer."""
_NO_HEADERS: Final[Mapping[str, str]] = {}


class HttpContext(NamedTuple, Generic[CallerT]):
    """One HTTP request, as far as all of its messages have it in common.

    Attributes:
        headers: by lower-case name.
        accepts_notifications: whether the client reads notifications within the response.
        session: the session of a batch, which is read once for all of its messages.
    """

    headers: Mapping[str, str]
    caller: CallerT
    accepts_notifications: bool
    session: "Session | None" = None


class RequestContext(NamedTuple, Generic[CallerT]):
    """One request.

    Attributes:
        version: the revision that the client speaks.
        capabilities: what the client says of itself; empty where the revision does not say it with the call.
        log_level: the least level that the client is told of; None: none.
        notifications: those that precede the answer are put here.
        session: the one that the request was sent in.
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
        """Who asks."""
        return self.http.caller

    @property
    def params(self) -> JsonObject:
        """The request's."""
        return self.request.params

    @property
    def is_stateless(self) -> bool:
        """Whether the revision has neither handshake nor session."""
        return self.version in STATELESS_VERSIONS

    @property
    def has_mcp_marker(self) -> bool:
        """Tell whether the request has a mark of an MCP client: a version header, a session or `_meta`."""
        headers = self.http.headers
        return VERSION_HEADER in headers or SESSION_HEADER in headers or "_meta" in self.params

    def tool_context(self, input_responses: JsonObject, request_state: bytes | None) -> ToolContext:
        """The request as a tool or prompt sees it; `input_responses` and `request_state` come of an earlier round."""
        token = self.request.meta.get("progressToken")
        return ToolContext(
            version=self.version,
            capabilities=self.capabilities,
            input_responses=input_responses,
            request_state=request_state,
            progress_token=token if isinstance(token, str | int) and not isinstance(token, bool) else None,
            log_level=self.log_level,
            accepts_notifications=self.http.accepts_notifications,
            notifications=self.notifications,
        )


class MethodResult(NamedTuple):
    """The `result` of a request, and what to record of it.

    Attributes:
        headers: HTTP headers that go with it.
        tool: the tool that was called.
        session_event: whether one was begun.
    """

    result: Mapping[str, object]
    result_code: ResultCode = ResultCode.ANSWERED
    tool: str | None = None
    headers: Mapping[str, str] = _NO_HEADERS
    session_event: SessionEvent | None = None
