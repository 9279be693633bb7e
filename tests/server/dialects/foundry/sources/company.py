"""A tenant with sources: its administrator, its users' agents, and servers whose every answer is laid down."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from groundwire.dialects.foundry.sources.models import KnowledgeSourceChange, NewKnowledgeSource
from groundwire.dialects.foundry.sources.specs import changed_spec, new_spec
from groundwire.domain.access.policy import Principal
from groundwire.domain.access.scopes import Scope
from groundwire.domain.errors import DomainError
from groundwire.domain.keys.caller import Caller
from groundwire.domain.keys.grants import KeyKind
from groundwire.domain.keys.options import USUAL_OPTIONS
from groundwire.ports.sources import SourceUnavailable
from groundwire.services.call_context import CallContext
from groundwire.services.keys.admin import KeySpec
from groundwire.services.sources.guarded import GuardedSources
from groundwire_egress.mcp_client.calls import SourceAnswer, SourceListing, SourceTarget, SourceToolCall
from tests.server.dialects.foundry.edge import Edge, edge
from tests.support.worlds.exchange import exchange
from tests.support.worlds.world import Answer, World, caller

PATH: Final = "/edgeai/knowledgesources"
WIKI: Final = "https://wiki.example.com/mcp"
PROTOCOL: Final = "2025-11-25"
JSON: Final = {"content-type": "application/json"}
PUBLIC: Final = {"public": True}


def declared(name: str, description: str = "Searches the wiki.", **members: object) -> dict[str, object]:
    """A tool as a server declares it."""
    schema = {"type": "object", "properties": {"query": {"type": "string"}}, "required": ["query"]}
    return {"name": name, "description": description, "inputSchema": schema, **members}


def text_answer(*texts: str, is_error: bool = False) -> SourceAnswer:
    """A result with text blocks."""
    content = [{"type": "text", "text": text} for text in texts]
    return SourceAnswer(content, None, is_error, 100, 200, PROTOCOL)


@dataclass
class Servers:
    """Implements `ports.sources.SourceClient` by servers with URLs; a URL without one does not answer.

    Attributes:
        declarations: the tools that each server declares. answer: of every tool.
        targets: of all exchanges. calls: of tools. during: runs while a tool answers, and
            on_listing while tools are listed.
    """

    declarations: dict[str, Sequence[Mapping[str, object]]] = field(
        default_factory=dict[str, Sequence[Mapping[str, object]]]
    )
    answer: SourceAnswer = field(default_factory=lambda: text_answer("The pump is in hall 4."))
    targets: list[SourceTarget] = field(default_factory=list[SourceTarget])
    calls: list[SourceToolCall] = field(default_factory=list[SourceToolCall])
    during: Callable[[], object] = lambda: None
    on_listing: Callable[[], object] = lambda: None

    def list_tools(self, target: SourceTarget, protocol: str | None, seconds: float) -> SourceListing:
        self.targets.append(target)
        if target.url not in self.declarations:
            raise SourceUnavailable("no answer")
        self.on_listing()
        return SourceListing(self.declarations[target.url], PROTOCOL)

    def call_tool(
        self,
        target: SourceTarget,
        call: SourceToolCall,
        protocol: str | None,
        seconds: float,
    ) -> SourceAnswer:
        self.targets.append(target)
        if target.url not in self.declarations:
            raise SourceUnavailable("no answer")
        self.calls.append(call)
        self.during()
        return self.answer


@dataclass(frozen=True)
class Company:
    """A tenant.

    Attributes:
        admin: headers of its administrator's calls.
        now: epoch seconds that count beside the clock's.
    """

    world: World
    tenant: str
    admin: Mapping[str, str]
    servers: Servers

    def send(
        self, method: str, path: str = "", body: object = None, headers: Mapping[str, str] | None = None
    ) -> Answer:
        """The answer to a call of the routes."""
        sent = b"" if body is None else body if isinstance(body, bytes) else json.dumps(body).encode()
        return self.world.request(method, PATH + path, {**JSON, **(self.admin if headers is None else headers)}, sent)

    def register(self, name: str = "wiki", **members: object) -> dict[str, Any]:
        """A registered source; `search` of it is open to everybody unless the members differ."""
        answer = self.send("POST", "", {**wiki(name), "policy": PUBLIC, "tools": ["search"], **members})
        assert answer.status == 201, answer.payload
        return answer.payload

    def create_meanwhile(self, body: Mapping[str, object]) -> int:
        """The status that another process would get for a new source at the same time."""
        try:
            self.world.services.sources.admin.create(self._owner(), new_spec(NewKnowledgeSource.model_validate(body)))
        except DomainError as error:
            return error.http_status
        return 201

    def change_meanwhile(self, source_id: str, body: Mapping[str, object]) -> None:
        """Change a source as another process would at the same time."""
        change = KnowledgeSourceChange.model_validate(body)
        self.world.services.sources.admin.change(self._owner(), source_id, lambda stored: changed_spec(change, stored))

    def delete_meanwhile(self, source_id: str) -> None:
        """Delete a source as another process would at the same time."""
        self.world.services.sources.admin.delete(self._owner(), source_id)

    def _owner(self) -> CallContext:
        principal, scopes = Principal(self.tenant, None, frozenset()), frozenset({Scope.ADMIN})
        return CallContext(Caller(principal, "owner", KeyKind.ACT_AS, scopes, "every", USUAL_OPTIONS))

    def agent(self, user: str, tags: frozenset[str] = frozenset()) -> Edge:
        """The agent of a user."""
        return edge(self.world, self.world.personal_key(self.tenant, user, tags))

    def shared_path_key(self, user: str, *, sources: bool) -> Mapping[str, str]:
        """Headers of a key whose agent calls the shared path."""
        spec = KeySpec(
            tenant=self.tenant,
            name="agent",
            kind=KeyKind.PERSONAL,
            user=user,
            tags=frozenset(),
            max_tags=(),
            scopes=frozenset({Scope.SEARCH}),
            collections="every",
            options=replace(USUAL_OPTIONS, sources=sources),
        )
        return caller(self.world.services.administration.key_admin.create(spec))

    def move_on(self, seconds: float) -> None:
        """Let time pass for sources."""
        clock = self.world.services.clock
        services = self.world.services
        for part in (services.sources.states, services.sources.gateway, services.sources.registry):
            vars(part).update(_clock=lambda: clock() + seconds)


def wiki(name: str = "wiki") -> dict[str, object]:
    """The body of a source without credential, policy and tools."""
    parameters = {"server_url": WIKI, "server_label": name}
    return {"name": name, "kind": "remote_mcp", "auth_type": "unauthenticated", "remote_mcp_parameters": parameters}


def listed(agent: Edge) -> dict[str, dict[str, Any]]:
    """The tools that an agent sees, by name."""
    return {tool["name"]: tool for tool in agent.request("tools/list").result["tools"]}


def source_tools(agent: Edge) -> list[str]:
    """The names of the tools of sources that an agent sees."""
    return [name for name in listed(agent) if "__" in name]


def found_company(world: World) -> Company:
    """A tenant whose servers are laid down; that of `WIKI` declares `search` and `edit`."""
    tenant = world.tenant("company")
    servers = Servers({WIKI: [declared("search"), declared("edit", "Edits a page.")]})
    services = world.services
    gateway = GuardedSources(servers, services.sources.states, services.clock)
    exchange(services, gateway=gateway)
    key = world.acting_key(tenant, scopes=frozenset({Scope.ADMIN}))
    return Company(world, tenant, caller(key), servers)
