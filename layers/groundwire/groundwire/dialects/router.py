"""The MCP servers of the dialects: the server that answers a path, the scopes it asks for, who may use it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final, NamedTuple

from groundwire.dialects import DEFAULT
from groundwire.dialects.declaration.dialect import SHARED_MCP_PATH, Dialect, McpEndpoint
from groundwire.dialects.declaration.routes import ErrorReply, covers_path, is_parameter
from groundwire.dialects.declaration.services import DialectServices
from groundwire.domain.access.policy import Principal
from groundwire.domain.access.scopes import Scope, missing_scope
from groundwire.domain.keys.caller import Caller
from groundwire.domain.keys.grants import KeyKind
from groundwire.domain.keys.options import USUAL_OPTIONS
from groundwire.domain.text.json_values import mapping_or_empty
from groundwire.services.call_context import CallContext
from groundwire_mcp.definitions.server import ServerDefinition, ServerDependencies, ServerInfo
from groundwire_mcp.definitions.sessions import SessionOwner
from groundwire_mcp.jsonrpc.errors import CONTRACT_FORBIDDEN_CODE, FORBIDDEN_CODE, ResultCode
from groundwire_mcp.jsonrpc.json_codec import JsonError, decode
from groundwire_mcp.request_context import has_mcp_marker
from groundwire_mcp.transport.exchanges import McpResponse, message_info_from_body
from groundwire_mcp.transport.http import HttpRequest, HttpResponse, error_response, no_route_response

if TYPE_CHECKING:
    from groundwire.dialects.declaration.session_store import McpSessionStore
    from groundwire.ports.system import Clock, Sealer, Sessions
    from groundwire_mcp.definitions.server import CallerTools
    from groundwire_mcp.definitions.tool_context import ToolContext
    from groundwire_mcp.definitions.tools import Tool, ToolResult
    from groundwire_mcp.transport.origins import AllowedOrigins

_NO_TOOLS: Final = replace(DEFAULT, name="", tools=(), library=None)
"""Dialect without tools and library, for keys on the shared path whose toolset no dialect has that is switched on."""
_DISCOVERY_METHODS: Final = frozenset(
    {"initialize", "notifications/initialized", "ping", "server/discover", "tools/list"}
)
"""The methods whose answers are the same for everybody."""
_NOBODY: Final = Caller(
    Principal("", None, frozenset()), "", KeyKind.PERSONAL, frozenset(), frozenset(), replace(USUAL_OPTIONS, toolset="")
)
"""Caller of open discovery: without tenant, scope and collection, so that every other request finds nothing."""
_FORBIDDEN: Final = 403


class McpParts(NamedTuple):
    """Parts that the servers of all dialects share.

    Attributes:
        allowed_origins: the pages in browsers that may call.
        sealer, sessions: behind functions, since discovery needs neither.
        open_discovery: names of the dialects that introduce themselves without a credential.
    """

    services: DialectServices
    server_info: ServerInfo
    allowed_origins: "AllowedOrigins"
    sealer: "Callable[[], Sealer]"
    sessions: "Callable[[], Sessions]"
    clock: "Clock"
    open_discovery: frozenset[str]


class DialectRouter:
    """The MCP servers of the dialects that are switched on, by path; each is made for its first call."""

    def __init__(self, dialects: Sequence[Dialect], parts: McpParts) -> None:
        self._parts = parts
        self._by_toolset = {dialect.toolset: dialect for dialect in dialects if dialect.toolset is not None}
        self._by_path = [(path, dialect) for dialect in dialects for path in dialect.mcp_paths]
        # A fixed path counts before one with parameters.
        self._by_path.sort(key=lambda row: sum(map(is_parameter, row[0].split("/"))))
        self._servers: dict[tuple[Dialect, bool], McpEndpoint] = {}

    def handle(self, request: HttpRequest, call: CallContext) -> McpResponse:
        """Return the answer of the dialect that the path, or on the shared path the key's toolset, chooses."""
        if request.path == SHARED_MCP_PATH:
            dialect = self._by_toolset.get(call.caller.options.toolset, _NO_TOOLS)
        else:
            dialect = self._find(request.path)
        if dialect is None:
            return McpResponse(no_route_response(), ResultCode.UNKNOWN_PATH, None, None, None)
        if not call.caller.options.allows_dialect(dialect.name):
            return self._forbid(request, dialect)
        if self._is_open(dialect):
            from groundwire_mcp.sessions import without_open_session

            request = without_open_session(request)
        return self._server(dialect, is_open=False).handle(request, call)

    def admits_discovery(self, request: HttpRequest) -> bool:
        """Return whether a caller without a credential gets an answer to this request."""
        dialect = self._find(request.path)
        return dialect is not None and self._is_open(dialect) and _is_discovery(request)

    def discover(self, request: HttpRequest) -> McpResponse:
        """Return the answer to a caller without a credential, whose request `admits_discovery` admits."""
        dialect = self._find(request.path)
        if dialect is None:
            raise LookupError(request.path)
        answer = self._server(dialect, is_open=True).handle(request, CallContext(_NOBODY))
        if not dialect.keeps_sessions:
            return answer
        from groundwire_mcp.sessions import with_open_session

        return with_open_session(answer)

    def _is_open(self, dialect: Dialect) -> bool:
        return dialect.name in self._parts.open_discovery

    def find_route(self, path: str) -> str | None:
        """Return the path of the MCP route that has this path, with its parameters in braces; None if none has it."""
        paths = (SHARED_MCP_PATH, *(pattern for pattern, _ in self._by_path))
        return next((pattern for pattern in paths if covers_path(pattern, path)), None)

    def refuse(self, request: HttpRequest, reply: ErrorReply) -> HttpResponse:
        """Return the reply in the form of the path's dialect; the form of MCP where it has none of its own."""
        dialect = self._find(request.path)
        if dialect is None or dialect.error_form is None:
            return mcp_error_response(request, reply)
        return dialect.error_form(request, reply)

    def limited_tool_call(self, request: HttpRequest, toolset: str | None, retry_after_s: int) -> HttpResponse | None:
        """Return the result of an MCP client's tool call beyond the rate of its key; None where it is an HTTP error.

        The toolset is that of the key, None where it is unknown. A repeat after so many seconds is admitted.
        """
        on_shared_path = request.path == SHARED_MCP_PATH
        dialect = self._by_toolset.get(toolset or "") if on_shared_path else self._find(request.path)
        if dialect is None or not dialect.limits_are_results or not _has_marker(request, "tools/call"):
            return None
        server = _build_limited_server(dialect, self._parts, retry_after_s)
        answer = server.handle(request, CallContext(_NOBODY))
        # Whatever else is wrong with the call is told when it is admitted.
        return answer.response if answer.result_code is ResultCode.TOOL_RETRYABLE else None

    def _forbid(self, request: HttpRequest, dialect: Dialect) -> McpResponse:
        message = "Forbidden: this key may not use this dialect."
        if dialect.name:
            message = f"Forbidden: this key may not use the dialect `{dialect.name}`."
        code = FORBIDDEN_CODE if _has_marker(request) else CONTRACT_FORBIDDEN_CODE
        response = self.refuse(request, ErrorReply(_FORBIDDEN, code, message, {}))
        about = message_info_from_body(request.body)
        return McpResponse(response, ResultCode.FORBIDDEN_DIALECT, about.method, None, about.traceparent)

    def _find(self, path: str) -> Dialect | None:
        """Return the dialect whose own MCP route has this path; the shared path belongs to none."""
        if path == SHARED_MCP_PATH:
            return None
        return next((dialect for pattern, dialect in self._by_path if covers_path(pattern, path)), None)

    def _server(self, dialect: Dialect, *, is_open: bool) -> McpEndpoint:
        server = self._servers.get((dialect, is_open))
        if server is None:
            server = self._servers[dialect, is_open] = _build_server(dialect, self._parts, is_open=is_open)
        return server


def mcp_error_response(request: HttpRequest, reply: ErrorReply) -> HttpResponse:
    """Return the reply as a JSON-RPC error."""
    return error_response(request, reply.status, reply.code, reply.message, reply.data, reply.headers)


def _build_server(dialect: Dialect, parts: McpParts, *, is_open: bool) -> McpEndpoint:
    tools = [tool.build(parts.services)._replace(is_listed=tool.is_listed) for tool in dialect.tools]
    definition = ServerDefinition(parts.server_info, tools)
    if dialect.library is not None:
        definition = definition._replace(**dialect.library.build(parts.services)._asdict())
    return dialect.serve_mcp(definition, server_dependencies(dialect, parts, is_open=is_open), parts.services)


def _build_limited_server(dialect: Dialect, parts: McpParts, retry_after_s: int) -> McpEndpoint:
    """Return a server whose tools can only be called later; it reads no store."""
    from groundwire_mcp.definitions.tools import ToolError, ToolErrorKind

    def refuse(_call: CallContext, _arguments: Mapping[str, object], _context: "ToolContext") -> "ToolResult":
        raise ToolError(ToolErrorKind.RETRYABLE, "Too many calls.", retry_after_s)

    tools = [tool.build(parts.services)._replace(call=refuse) for tool in dialect.tools]
    dependencies = server_dependencies(dialect, parts, is_open=True)._replace(missing_scope=_no_missing_scope)
    if dialect.has_source_tools:
        dependencies = dependencies._replace(caller_tools=_LimitedSourceTools(tools[0]))
    return dialect.serve_mcp(ServerDefinition(parts.server_info, tools), dependencies, parts.services)


class _LimitedSourceTools:
    """Tools of any source, that can only be called later: which ones there are is not looked up."""

    def __init__(self, limited: "Tool[CallContext]") -> None:
        self._limited = limited

    def list_all(self, caller: CallContext) -> "Sequence[Tool[CallContext]]":  # noqa: ARG002
        return ()

    def find(self, caller: CallContext, name: str) -> "Tool[CallContext] | None":  # noqa: ARG002
        from groundwire.domain.sources.source import split_tool_name

        return None if split_tool_name(name) is None else self._limited._replace(name=name, contract=None)


def _no_missing_scope(_call: CallContext, _operation: str) -> None:
    """Name no scope: those of a call that was not admitted are unknown."""


def server_dependencies(dialect: Dialect, parts: McpParts, *, is_open: bool) -> ServerDependencies[CallContext]:
    """Return access rules and stores of the dialect's server; open discovery has no sessions."""
    names = dialect.tool_names

    def visible_tools(_call: CallContext) -> tuple[str, ...]:
        return names

    return ServerDependencies(
        visible_tools=visible_tools,
        missing_scope=scope_rule(dialect.scope_rows),
        session_owner=_session_owner,
        access_rights=_access_rights,
        allowed_origins=parts.allowed_origins,
        sealer=parts.sealer,
        sessions=None if is_open or not dialect.keeps_sessions else lambda: _session_store(parts),
        clock=parts.clock,
        new_session_id=_new_session_id,
        lists_tools_without_scopes=is_open,
        caller_tools=None if is_open else _source_tools(dialect, parts),
    )


def _source_tools(dialect: Dialect, parts: McpParts) -> "CallerTools[CallContext] | None":
    """Return the tools of sources on the dialect's routes; None where it lists none to any key."""
    if not dialect.has_source_tools and dialect.toolset is None:
        return None
    from groundwire.dialects.shared.source_tools import SourceToolList

    has_all = dialect.has_source_tools
    sources = parts.services.sources
    return SourceToolList(lambda: sources.tools, lambda call: has_all or call.caller.options.sources)


def _session_store(parts: McpParts) -> "McpSessionStore":
    from groundwire.dialects.declaration.session_store import McpSessionStore

    return McpSessionStore(parts.sessions())


def _session_owner(call: CallContext) -> SessionOwner:
    """Return the owner of the call's sessions and cursors: the key, and the user it acts for."""
    principal = call.caller.principal
    return SessionOwner(principal.tenant, call.caller.kid, principal.user)


def _access_rights(call: CallContext) -> frozenset[str]:
    return call.caller.principal.tags


def _new_session_id() -> str:
    """Return 256 random bits as text."""
    import secrets

    return secrets.token_urlsafe(32)


def scope_rule(rows: Mapping[str, Scope]) -> Callable[[CallContext, str], str | None]:
    """Return the rule that names the scope that a caller lacks; an operation without a row is open to nobody."""

    def find_missing_scope(call: CallContext, operation: str) -> str | None:
        needed = rows.get(operation)
        lacking = missing_scope(call.caller.scopes, needed) if needed else Scope.ADMIN
        if lacking is None or not call.caller.is_named_by_token:
            return lacking
        from groundwire.domain.keys.forms.oauth import SCOPE_CLAIM_NAMES

        return SCOPE_CLAIM_NAMES.get(lacking, lacking)

    return find_missing_scope


def _has_marker(request: HttpRequest, method: str | None = None) -> bool:
    """Return whether the request has an MCP client's marker; with a method, whether it is one message of it, too."""
    message = _message(request)
    if method is not None and message.get("method") != method:
        return False
    return has_mcp_marker(request.headers, mapping_or_empty(message.get("params")))


def _is_discovery(request: HttpRequest) -> bool:
    """Return whether the request is one message of a method whose answer is a constant; a cursor is read with a key."""
    if request.method != "POST":
        return False
    message = _message(request)
    return message.get("method") in _DISCOVERY_METHODS and "cursor" not in mapping_or_empty(message.get("params"))


def _message(request: HttpRequest) -> Mapping[str, object]:
    """Return the members of the message; none where the body is no JSON object."""
    try:
        return mapping_or_empty(decode(request.body))
    except JsonError:
        return {}
