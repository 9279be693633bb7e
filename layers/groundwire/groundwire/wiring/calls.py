"""What answers calls, made of ports when it is first used: the same on one machine and in the cloud."""

import time
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from groundwire import __version__
from groundwire.domain.errors import Invalid
from groundwire.domain.grants import KeyKind
from groundwire.domain.scopes import TOOL_SCOPES, Scope, missing_scope
from groundwire.domain.toolsets import TOOLSETS
from groundwire.wiring import introduction
from groundwire.wiring.late import LateSeal, LateSessions
from groundwire.wiring.ports import Ports

if TYPE_CHECKING:
    from groundwire.dialects.library.work import LibraryWork
    from groundwire.dialects.mindset.rag_search import RagSearch
    from groundwire.dialects.mindset.verify_document_access import VerifyDocumentAccess
    from groundwire.dialects.openai.fetch import FetchTool
    from groundwire.dialects.openai.search import SearchTool
    from groundwire.domain.caller import Caller
    from groundwire.domain.sessions import SessionOwner
    from groundwire.ports import Collections
    from groundwire.ports.tokens import Tokens
    from groundwire.protocol.offer import Offer, Rules
    from groundwire.protocol.server import McpServer
    from groundwire.services.authorize import Authorize
    from groundwire.services.authorize_token import AuthorizeToken
    from groundwire.services.browse import Reading
    from groundwire.services.call import Call
    from groundwire.services.links import SourceLinks
    from groundwire.services.open_document import OpenDocument
    from groundwire.services.search import Found, Search
    from groundwire.services.verify import Verify


class CallServices(Ports):
    """The use cases behind the deployed functions."""

    @property
    def clock(self) -> Callable[[], float]:
        """Epoch seconds."""
        return time.time

    @property
    def warmers(self) -> "Callable[[], Sequence[Callable[[str | None], None]]] | None":
        """Makes what wakes the parts that a search needs, a tenant's or any; None where nothing sleeps."""
        return None

    @cached_property
    def searched_collections(self) -> "Collections":
        """Names and weights, as searches read them."""
        return self.collections

    @cached_property
    def authorize(self) -> "Authorize":
        """Who calls, for whom."""
        from groundwire.services.authorize import Authorize

        return Authorize(self.keys, self.users, self.secrets.pepper, self.clock, self.authorize_token)

    @cached_property
    def authorize_token(self) -> "AuthorizeToken | None":
        """Who calls with an access token; None where none is accepted."""
        provider = self.settings.identity_provider
        if provider is None:
            return None
        from groundwire.services.authorize_token import AuthorizeToken

        # Late: a call with a key never pays for cryptography.
        return AuthorizeToken(self.keys, lambda: self.tokens, provider, self.secrets.pepper, self.clock)

    @cached_property
    def tokens(self) -> "Tokens":
        """Access tokens of the identity provider; Raises Invalid where none is set."""
        from groundwire.adapters.oidc import JwtTokens

        provider = self.settings.identity_provider
        if provider is None:
            raise Invalid("No identity provider is set (docs/oauth.md).")
        return JwtTokens(provider)

    @cached_property
    def search(self) -> "Search":
        """Ranked passages."""
        from groundwire.services.search import Search

        collections = self.searched_collections
        return Search(self.indexes, self.embedders, self.documents, collections, self.reranker, self.clock)

    @cached_property
    def links(self) -> "SourceLinks":
        """Addresses of source documents."""
        from groundwire.services.links import SourceLinks

        return SourceLinks(self.seal, self.settings.public_url, self.settings.link_seconds, self.clock)

    @cached_property
    def verify(self) -> "Verify":
        """Citations against the rights of the moment."""
        from groundwire.services.verify import Verify

        return Verify(self.documents, self.links)

    @cached_property
    def open_document(self) -> "OpenDocument":
        """Links to stored originals."""
        from groundwire.services.open_document import OpenDocument

        return OpenDocument(self.seal, self.keys, self.users, self.documents, self.blobs, self.clock)

    @cached_property
    def rag_search(self) -> "RagSearch":
        """The tool of that name."""
        from groundwire.dialects.mindset.rag_search import RagSearch

        return RagSearch(self.search, self.links.to)

    @cached_property
    def verify_document_access(self) -> "VerifyDocumentAccess":
        """The tool of that name."""
        from groundwire.dialects.mindset.verify_document_access import VerifyDocumentAccess

        return VerifyDocumentAccess(self.verify)

    @cached_property
    def reading(self) -> "Reading":
        """Documents, page by page."""
        from groundwire.services.browse import Reading

        return Reading(self.documents, self.indexes)

    @cached_property
    def search_tool(self) -> "SearchTool":
        """The tool `search`."""
        from groundwire.dialects.openai.search import SearchTool

        return SearchTool(self.search, self.links.to)

    @cached_property
    def fetch_tool(self) -> "FetchTool":
        """The tool `fetch`."""
        from groundwire.dialects.openai.fetch import FetchTool

        return FetchTool(self.reading, self.links.to)

    @cached_property
    def library(self) -> "LibraryWork":
        """Resources, completions and prompts."""
        from groundwire.dialects.library.work import library_work
        from groundwire.services.browse import Shelves

        def search(caller: "Caller", phrases: Sequence[str], top_n: int, /) -> "Found":
            return self.search(caller, phrases, top_n)

        return library_work(Shelves(self.documents, self.collections), self.reading, search, self.links.to)

    @cached_property
    def mcp_offer(self) -> "Offer[Call]":
        """What MCP clients may ask for."""
        from groundwire.dialects.library import LateLibrary, library_prompts, library_templates
        from groundwire.dialects.mindset import mindset_tools
        from groundwire.dialects.openai import openai_tools
        from groundwire.protocol.offer import Icon, Offer, ServerInfo

        # Late, all: to introduce itself the server needs neither index nor model, nor what works with them.
        tools = [
            *mindset_tools(
                lambda call, arguments, turn: self.rag_search(call, arguments, turn),  # noqa: PLW0108
                lambda call, arguments, turn: self.verify_document_access(call, arguments, turn),  # noqa: PLW0108
            ),
            *openai_tools(
                lambda call, arguments, turn: self.search_tool(call, arguments, turn),  # noqa: PLW0108
                lambda call, arguments, turn: self.fetch_tool(call, arguments, turn),  # noqa: PLW0108
            ),
        ]

        def library() -> "LibraryWork":
            return self.library

        info = ServerInfo(
            name="groundwire",
            title="Groundwire",
            version=__version__,
            description=introduction.DESCRIPTION,
            website_url=self.settings.public_url,
            instructions=introduction.INSTRUCTIONS,
            icons=(Icon(introduction.ICON, introduction.ICON_TYPE, ("any",)),),
        )
        return Offer(info, tools, library_prompts(library), LateLibrary(library), library_templates(library))

    @cached_property
    def mcp_rules(self) -> "Rules[Call]":
        """Which callers get it, and what is kept between their calls."""
        from groundwire.protocol.offer import Rules

        return Rules(
            visible=_visible_tools,
            authorize=_missing_scope,
            owner=_session_owner,
            rights=_rights,
            allowed_origins=self.settings.allowed_origins,
            seal=LateSeal(lambda: self.seal),
            sessions=LateSessions(lambda: self.sessions),
            clock=self.clock,
            new_session_id=_new_session_id,
        )

    @cached_property
    def mcp_server(self) -> "McpServer[Call]":
        """The protocol over both."""
        from groundwire.protocol.server import McpServer

        return McpServer(self.mcp_offer, self.mcp_rules)


def _visible_tools(call: "Call") -> Iterable[str]:
    """The tools of the key's toolset; a name that is no toolset shows nothing."""
    return TOOLSETS.get(call.caller.toolset, ())


def _session_owner(call: "Call") -> "SessionOwner":
    """The key and whoever it speaks for: a session goes on with both only."""
    from groundwire.domain.sessions import SessionOwner

    principal = call.caller.principal
    return SessionOwner(principal.tenant, call.caller.kid, principal.user)


def _rights(call: "Call") -> Iterable[str]:
    """The tags: they come with each call of a key that acts for others, and with each token."""
    return call.caller.principal.tags


def _new_session_id() -> str:
    """256 random bits."""
    import secrets

    return secrets.token_urlsafe(32)


def _missing_scope(call: "Call", tool: str) -> str | None:
    """What the caller lacks; a tool or method without a row in the scope table is open to nobody at all."""
    needed = TOOL_SCOPES.get(tool)
    lacking = missing_scope(call.caller.scopes, needed) if needed else Scope.ADMIN
    if lacking is None or call.caller.kind is not KeyKind.OAUTH:
        return lacking
    from groundwire.domain.oauth import WIRE_SCOPES

    return WIRE_SCOPES.get(lacking, lacking)
