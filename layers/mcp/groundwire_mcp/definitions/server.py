"""Definition of an MCP server: its features, and the dependencies by which callers get them."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Final, Generic, NamedTuple, Protocol

from groundwire_mcp.definitions.prompts import Prompt
from groundwire_mcp.definitions.resources import ResourceSource, ResourceTemplate
from groundwire_mcp.definitions.tools import CallerT, Tool
from groundwire_mcp.jsonrpc.json_codec import JsonObject

if TYPE_CHECKING:
    from groundwire_mcp.continuation import TokenSealer
    from groundwire_mcp.definitions.apps import App
    from groundwire_mcp.definitions.sessions import SessionOwner, SessionStore
    from groundwire_mcp.definitions.skills import Skill

# MCP: `Implementation` got `title` in 2025-06-18, and description, website and icons in 2025-11-25.
_TITLES_SINCE: Final = "2025-06-18"
_DESCRIPTIONS_SINCE: Final = "2025-11-25"


class Icon(NamedTuple):
    """A picture for lists of servers.

    Attributes:
        src: an https address of the server's own, or a `data:` URI.
        sizes: such as `48x48`, or `any` for one that scales.
    """

    src: str
    mime_type: str
    sizes: tuple[str, ...]

    def to_json(self) -> dict[str, object]:
        """MCP's `Icon`."""
        return {"src": self.src, "mimeType": self.mime_type, "sizes": list(self.sizes)}


class ServerInfo(NamedTuple):
    """Identity of the server in `initialize` and `server/discover`.

    Attributes:
        instructions: what a model should know before it picks a tool.
    """

    name: str
    title: str
    version: str
    description: str
    website_url: str
    instructions: str
    icons: tuple[Icon, ...] = ()

    def implementation(self, version: str, *, is_short: bool = False) -> dict[str, object]:
        """MCP's `Implementation`, as far as this revision knows it; the short form has names and version alone."""
        members: dict[str, object] = {"name": self.name, "version": self.version}
        if version >= _TITLES_SINCE:
            members["title"] = self.title
        if version >= _DESCRIPTIONS_SINCE and not is_short:
            members |= {"description": self.description, "websiteUrl": self.website_url}
            members |= {"icons": [icon.to_json() for icon in self.icons]} if self.icons else {}
        return members


class ServerDefinition(NamedTuple, Generic[CallerT]):
    """Everything that a client may ask for.

    Attributes:
        tools, prompts, templates: in the order in which they are listed.
        resources: None: the server has none.
        extra_methods: methods of a build's own for the handshake revisions, by name: params and caller to result.
        apps, skills: behind functions, since few clients ask for them; None: the server has none. Both need resources.
    """

    server_info: ServerInfo
    tools: Sequence[Tool[CallerT]]
    prompts: Sequence[Prompt[CallerT]] = ()
    resources: ResourceSource[CallerT] | None = None
    templates: Sequence[ResourceTemplate[CallerT]] = ()
    extra_methods: Mapping[str, Callable[[JsonObject, CallerT], Mapping[str, object]]] = {}
    apps: "Callable[[], Sequence[App]] | None" = None
    skills: "Callable[[], Sequence[Skill]] | None" = None


class OriginRule(Protocol):
    """The rule for the header `Origin`, such as `groundwire_mcp.transport.origins.AllowedOrigins`."""

    def allows(self, origin: str | None) -> bool:
        """Return whether a request with this origin, or without one, may be answered."""
        ...


class CallerTools(Protocol[CallerT]):
    """Tools that are not the same for all callers, beside those of the server's definition.

    Only tools that the caller may call are returned; the server checks no scope of them.
    """

    def list_all(self, caller: CallerT) -> Sequence[Tool[CallerT]]:
        """Return the tools that are listed for the caller, after those of the definition."""
        ...

    def find(self, caller: CallerT, name: str) -> Tool[CallerT] | None:
        """Return the tool of this name that the caller may call; None if it is missing."""
        ...


class ServerDependencies(NamedTuple, Generic[CallerT]):
    """Access rules of a server, and its stores.

    Attributes:
        visible_tools: names the tools of the caller's toolset; to it all others are unknown.
        missing_scope: the scope that the caller lacks for a tool or a method such as `resources/read`; None if none is
            missing.
        session_owner: to whom sessions, cursors and request states belong.
        access_rights: other properties that decide what the caller may see, such as the tags of the call. A request
            state is bound to them: its content may come from what could be seen before.
        allowed_origins: the pages in browsers that may call.
        sealer, sessions: behind functions, since most calls need neither.
        sessions: None: the server keeps none, and reads no id that a client sends.
        clock: epoch seconds.
        new_session_id: unguessable, visible ASCII.
        lists_tools_without_scopes: `tools/list` names tools for which the caller lacks the scope, too; for callers
            without a credential, who can call none.
        caller_tools: tools that differ by caller; None: there are none.
    """

    visible_tools: Callable[[CallerT], Iterable[str]]
    missing_scope: Callable[[CallerT, str], str | None]
    session_owner: "Callable[[CallerT], SessionOwner]"
    access_rights: Callable[[CallerT], Iterable[str]]
    allowed_origins: OriginRule
    sealer: "Callable[[], TokenSealer]"
    sessions: "Callable[[], SessionStore] | None"
    clock: Callable[[], float]
    new_session_id: Callable[[], str]
    lists_tools_without_scopes: bool = False
    caller_tools: "CallerTools[CallerT] | None" = None
