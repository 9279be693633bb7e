"""The declaration of a dialect: routes, tools, scopes, toolset and discovery are derived from this one value.

A declaration is made of constants and of functions that are called on first use. Reading it loads no schema, no use
case and no store, since the cold start of every function reads the declarations of all dialects.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Final, NamedTuple, Protocol, TypeAlias

from groundwire.dialects.declaration.routes import ErrorForm, RestRoute, covers_path
from groundwire.dialects.declaration.services import DialectServices
from groundwire.domain.access.scopes import Scope
from groundwire.domain.errors import InvalidInput

if TYPE_CHECKING:
    from collections.abc import Sequence

    from groundwire.dialects.declaration.replay import Replay, RestReplay
    from groundwire.services.call_context import CallContext
    from groundwire_mcp.definitions.apps import App
    from groundwire_mcp.definitions.prompts import Prompt
    from groundwire_mcp.definitions.resources import ResourceSource, ResourceTemplate
    from groundwire_mcp.definitions.server import ServerDefinition, ServerDependencies
    from groundwire_mcp.definitions.skills import Skill
    from groundwire_mcp.definitions.tool_context import ToolContext
    from groundwire_mcp.definitions.tools import Tool, ToolResult
    from groundwire_mcp.transport.exchanges import McpResponse
    from groundwire_mcp.transport.http import HttpRequest

ToolHandler: TypeAlias = "Callable[[CallContext, Mapping[str, object], ToolContext], ToolResult]"
"""Function that carries out a tool for an admitted call, with the arguments of the call."""

SHARED_MCP_PATH: Final = "/mcp"
"""The path of every dialect with a toolset: there the toolset of the key chooses the dialect."""


class McpEndpoint(Protocol):
    """The server behind an MCP route, such as `groundwire_mcp.server.McpServer`."""

    def handle(self, request: "HttpRequest", caller: "CallContext") -> "McpResponse":
        """Return the answer to the request of an admitted caller."""
        ...


class DialectTool(NamedTuple):
    """A tool: the scope that a key needs for it, and the function that describes and carries it out.

    Attributes:
        is_listed: whether `tools/list` shows it; a tool that is not listed can be called.
    """

    name: str
    scope: Scope
    build: "Callable[[DialectServices], Tool[CallContext]]"
    is_listed: bool = True


class LibraryParts(NamedTuple):
    """Prompts, resources and templates, in the order in which they are listed.

    Attributes:
        apps, skills: behind functions, since few clients ask for them; None: there are none.
    """

    prompts: "Sequence[Prompt[CallContext]]"
    resources: "ResourceSource[CallContext]"
    templates: "Sequence[ResourceTemplate[CallContext]]"
    apps: "Callable[[], Sequence[App]] | None" = None
    skills: "Callable[[], Sequence[Skill]] | None" = None


class DialectLibrary(NamedTuple):
    """The prompts, resources, apps and skills that a dialect offers beside its tools.

    Attributes:
        prompts: their names.
        scopes: the scope that a key needs, by method: `prompts/get`, `resources/read`.
    """

    prompts: tuple[str, ...]
    scopes: Mapping[str, Scope]
    build: Callable[[DialectServices], LibraryParts]


ServeMcp: TypeAlias = Callable[
    ["ServerDefinition[CallContext]", "ServerDependencies[CallContext]", DialectServices], McpEndpoint
]


def _mcp_server(
    definition: "ServerDefinition[CallContext]",
    dependencies: "ServerDependencies[CallContext]",
    _services: DialectServices,
) -> McpEndpoint:
    from groundwire_mcp.server import McpServer

    return McpServer(definition, dependencies)


# By identity: a declaration has functions, and routers use it as a key.
@dataclass(frozen=True, slots=True, eq=False)
class Dialect:
    """Interface for the clients of one system: tools, routes, scopes and the form of errors.

    Attributes:
        name: as settings, keys and the documentation have it.
        tools: in the order in which they are listed.
        toolset: the name by which a key chooses the dialect on the shared path; None: it is not served there.
        mcp_paths: MCP routes of its own, beside the shared path; a part in braces stands for any one segment.
        rest_routes: its REST routes.
        library: its prompts and resources; None: it has none.
        serve_mcp: makes the server of definition and dependencies, for a system whose transport is another one.
        credential_header: header whose key counts on the dialect's own routes where a call has two credentials; None:
            such a call is refused.
        user_token_header: header of the end user's access token, which counts on the dialect's own REST routes beside a
            key that acts for others; None: such a header is not read there.
        error_form: None: a JSON-RPC error on MCP routes, the form of the REST API on others.
        keeps_sessions: `initialize` begins a session; without sessions an id that a client sends is not read.
        allows_open_discovery: a setting may open discovery on its own MCP routes: whoever sends no credential may ask
            what the server and its tools are. The answers are constants: no store is read or written.
        limits_are_results: a call of a tool beyond the key's rate is a result with `isError` to MCP clients, as other
            faults of tools are: on HTTP status 429 their libraries end the run of an agent.
        has_source_tools: every key lists the tools of MCP sources on its own MCP routes; on the shared path, keys that
            were made for that do.
        is_on_by_default: served where GROUNDWIRE_DIALECTS is not set.
        replay: returns how a question is asked and its answer read, to compare dialects; None: it is not compared.
    """

    name: str
    tools: tuple[DialectTool, ...]
    toolset: str | None = None
    mcp_paths: tuple[str, ...] = ()
    rest_routes: tuple[RestRoute, ...] = ()
    library: DialectLibrary | None = None
    serve_mcp: ServeMcp = _mcp_server
    credential_header: str | None = None
    user_token_header: str | None = None
    error_form: ErrorForm | None = None
    keeps_sessions: bool = True
    allows_open_discovery: bool = False
    limits_are_results: bool = False
    has_source_tools: bool = False
    is_on_by_default: bool = False
    replay: "Callable[[], Replay | RestReplay] | None" = None

    @property
    def tool_names(self) -> tuple[str, ...]:
        """The tools that can be called, listed or not."""
        return tuple(tool.name for tool in self.tools)

    @property
    def listed_tool_names(self) -> tuple[str, ...]:
        """The tools that `tools/list` shows, in its order."""
        return tuple(tool.name for tool in self.tools if tool.is_listed)

    @property
    def scope_rows(self) -> dict[str, Scope]:
        """The scope that each tool and each method of the library needs; an operation without a scope is denied."""
        rows = {tool.name: tool.scope for tool in self.tools}
        return rows if self.library is None else {**rows, **self.library.scopes}

    def has_rest_path(self, path: str) -> bool:
        """Return whether a REST route of the dialect has this path, whatever its method."""
        return any(covers_path(route.path, path) and route.serves(path) for route in self.rest_routes)

    @property
    def mcp_patterns(self) -> tuple[str, ...]:
        """The paths of its MCP routes: the shared one, if it is served there, and its own."""
        return self.mcp_paths if self.toolset is None else (SHARED_MCP_PATH, *self.mcp_paths)

    def has_mcp_path(self, path: str) -> bool:
        """Return whether an MCP route of the dialect has this path."""
        return any(covers_path(pattern, path) for pattern in self.mcp_patterns)

    def takes_basic(self, path: str) -> bool:
        """Return whether the key may come by HTTP Basic on a route with exactly this path."""
        return any(route.takes_basic and route.path == path for route in self.rest_routes)

    @property
    def basic_gateway_keys(self) -> frozenset[str]:
        """The routes of template.yaml on which the key may come by HTTP Basic."""
        return frozenset(
            key for route in self.rest_routes if route.takes_basic for key in route.gateway_keys or (route.key,)
        )

    @property
    def gateway_keys(self) -> frozenset[str]:
        """The routes that template.yaml must have for this dialect."""
        # All methods, so that a wrong one is answered in the form of MCP and not by the gateway.
        mcp = (f"ANY {path}" for path in self.mcp_patterns)
        rest = (key for route in self.rest_routes for key in route.gateway_keys or (route.key,))
        return frozenset((*mcp, *rest))


def toolsets(dialects: Iterable[Dialect]) -> dict[str, tuple[str, ...]]:
    """Return the tools of each toolset."""
    return {dialect.toolset: dialect.tool_names for dialect in dialects if dialect.toolset is not None}


def select_dialects(known: "Sequence[Dialect]", names: Iterable[str] | None) -> tuple[Dialect, ...]:
    """Return the dialects that are switched on; without names those that are on by default.

    Raises:
        InvalidInput: none of the known dialects has a name.
    """
    if names is None:
        return tuple(dialect for dialect in known if dialect.is_on_by_default)
    chosen = frozenset(names)
    if unknown := sorted(chosen - {dialect.name for dialect in known}):
        there_are = ", ".join(sorted(dialect.name for dialect in known))
        raise InvalidInput(f"There is no dialect {unknown[0]!r}. Dialects: {there_are}.")
    # In the order of the table: settings that name the same dialects behave alike.
    return tuple(dialect for dialect in known if dialect.name in chosen)


def check_open_discovery(dialects: Iterable[Dialect], names: Iterable[str]) -> None:
    """Check the names of the dialects whose discovery is open.

    Raises:
        InvalidInput: a dialect is not switched on, or does not allow it.
    """
    # A name without effect would leave an operator in a false belief.
    allowed = {dialect.name for dialect in dialects if dialect.allows_open_discovery}
    if refused := sorted(set(names) - allowed):
        there_are = ", ".join(sorted(allowed)) or "none"
        raise InvalidInput(
            f"The dialect {refused[0]!r} has no open discovery, or is not switched on. Possible: {there_are}."
        )


def lazy_handler(build: "Callable[[], ToolHandler]") -> "ToolHandler":
    """Return a tool's handler that is built for its first call: to list a tool needs neither index nor model."""
    built = cache(build)

    def handle(call: "CallContext", arguments: Mapping[str, object], context: "ToolContext") -> "ToolResult":
        return built()(call, arguments, context)

    return handle
