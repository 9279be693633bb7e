"""Composition of the use cases behind calls, the same on one machine and in the cloud; built at first use."""

import time
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from groundwire import __version__
from groundwire.domain.access.scopes import TOOL_SCOPES, Scope, missing_scope
from groundwire.domain.access.toolsets import TOOLSETS
from groundwire.domain.errors import InvalidInput
from groundwire.domain.keys.grants import KeyKind
from groundwire.wiring import server_info
from groundwire.wiring.lazy_ports import LazySealer, LazySessions
from groundwire.wiring.ports import Ports

if TYPE_CHECKING:
    from groundwire.dialects.library.handlers import LibraryHandlers
    from groundwire.dialects.mindset.rag_search import RagSearch
    from groundwire.dialects.mindset.verify_document_access import VerifyDocumentAccess
    from groundwire.dialects.openai.fetch import FetchTool
    from groundwire.dialects.openai.search import SearchTool
    from groundwire.domain.keys.caller import Caller
    from groundwire.domain.search.request import SearchRequest
    from groundwire.domain.sessions import SessionOwner
    from groundwire.ports import Collections
    from groundwire.ports.tokens import TokenVerifier
    from groundwire.protocol.definitions.server import ServerDefinition, ServerDependencies
    from groundwire.protocol.server import McpServer
    from groundwire.services.call_context import CallContext
    from groundwire.services.documents.browse import DocumentReader
    from groundwire.services.documents.citation_verifier import CitationVerifier
    from groundwire.services.documents.link_opener import LinkOpener
    from groundwire.services.documents.source_links import SourceLinks
    from groundwire.services.keys.request_authorizer import RequestAuthorizer
    from groundwire.services.keys.token_authorizer import TokenAuthorizer
    from groundwire.services.search import Search, SearchResult


class RequestServices(Ports):
    """The use cases behind the deployed functions."""

    @property
    def clock(self) -> Callable[[], float]:
        """Epoch seconds."""
        return time.time

    @property
    def warmup_factory(self) -> "Callable[[], Sequence[Callable[[str | None], None]]] | None":
        """Makes what wakes the parts that a search needs, a tenant's or any; None where nothing sleeps."""
        return None

    @cached_property
    def collections_for_search(self) -> "Collections":
        """Names and weights, as searches read them."""
        return self.collections

    @cached_property
    def authorize(self) -> "RequestAuthorizer":
        """Authorization of calls by key."""
        from groundwire.services.keys.request_authorizer import RequestAuthorizer

        return RequestAuthorizer(self.keys, self.users, self.secrets.pepper, self.clock, self.authorize_token)

    @cached_property
    def authorize_token(self) -> "TokenAuthorizer | None":
        """Authorization of calls by access token; None where none is accepted."""
        provider = self.settings.identity_provider
        if provider is None:
            return None
        from groundwire.services.keys.token_authorizer import TokenAuthorizer

        # Late: a call with a key never pays for cryptography.
        return TokenAuthorizer(self.keys, lambda: self.token_verifier, provider, self.secrets.pepper, self.clock)

    @cached_property
    def token_verifier(self) -> "TokenVerifier":
        """Access tokens of the identity provider; Raises Invalid where none is set."""
        from groundwire.adapters.oidc import JwtVerifier

        provider = self.settings.identity_provider
        if provider is None:
            raise InvalidInput("No identity provider is set (docs/oauth.md).")
        return JwtVerifier(provider)

    @cached_property
    def search(self) -> "Search":
        """Ranked passages."""
        from groundwire.services.search import Search

        collections = self.collections_for_search
        return Search(self.indexes, self.embedders, self.documents, collections, self.reranker, self.clock)

    @cached_property
    def source_links(self) -> "SourceLinks":
        """Addresses of source documents."""
        from groundwire.services.documents.source_links import SourceLinks

        return SourceLinks(self.seal, self.settings.public_url, self.settings.link_seconds, self.clock)

    @cached_property
    def citation_verifier(self) -> "CitationVerifier":
        """Citations against the rights of the moment."""
        from groundwire.services.documents.citation_verifier import CitationVerifier

        return CitationVerifier(self.documents, self.source_links)

    @cached_property
    def link_opener(self) -> "LinkOpener":
        """Links to stored originals."""
        from groundwire.services.documents.link_opener import LinkOpener

        return LinkOpener(self.seal, self.keys, self.users, self.documents, self.blobs, self.clock)

    @cached_property
    def rag_search(self) -> "RagSearch":
        """The tool of that name."""
        from groundwire.dialects.mindset.rag_search import RagSearch

        return RagSearch(self.search, self.source_links.url_for)

    @cached_property
    def verify_document_access(self) -> "VerifyDocumentAccess":
        """The tool of that name."""
        from groundwire.dialects.mindset.verify_document_access import VerifyDocumentAccess

        return VerifyDocumentAccess(self.citation_verifier)

    @cached_property
    def document_reader(self) -> "DocumentReader":
        """Documents, page by page."""
        from groundwire.services.documents.browse import DocumentReader

        return DocumentReader(self.documents, self.indexes)

    @cached_property
    def search_tool(self) -> "SearchTool":
        """The tool `search`."""
        from groundwire.dialects.openai.search import SearchTool

        return SearchTool(self.search, self.source_links.url_for)

    @cached_property
    def fetch_tool(self) -> "FetchTool":
        """The tool `fetch`."""
        from groundwire.dialects.openai.fetch import FetchTool

        return FetchTool(self.document_reader, self.source_links.url_for)

    @cached_property
    def library(self) -> "LibraryHandlers":
        """Resources, completions and prompts."""
        from groundwire.dialects.library.handlers import build_library
        from groundwire.services.documents.browse import DocumentCatalog

        # Late: a prompt or a resource that searches nothing needs no search.
        def search(caller: "Caller", request: "SearchRequest", /) -> "SearchResult":
            return self.search(caller, request)

        return build_library(
            DocumentCatalog(self.documents, self.collections), self.document_reader, search, self.source_links.url_for
        )

    @cached_property
    def mcp_definition(self) -> "ServerDefinition[CallContext]":
        """Definition of the MCP server."""
        from groundwire.dialects.library import LazyLibraryResources, library_prompts, library_templates
        from groundwire.dialects.mindset import mindset_tools
        from groundwire.dialects.openai import openai_tools
        from groundwire.protocol.definitions.server import Icon, ServerDefinition, ServerInfo

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

        def library() -> "LibraryHandlers":
            return self.library

        info = ServerInfo(
            name="groundwire",
            title="Groundwire",
            version=__version__,
            description=server_info.DESCRIPTION,
            website_url=self.settings.public_url,
            instructions=server_info.INSTRUCTIONS,
            icons=(Icon(server_info.ICON, server_info.ICON_MEDIA_TYPE, ("any",)),),
        )
        return ServerDefinition(
            info, tools, library_prompts(library), LazyLibraryResources(library), library_templates(library)
        )

    @cached_property
    def mcp_dependencies(self) -> "ServerDependencies[CallContext]":
        """Access rules and stores of the MCP server."""
        from groundwire.protocol.definitions.server import ServerDependencies

        return ServerDependencies(
            visible_tools=_visible_tools,
            missing_scope=_find_missing_scope,
            session_owner=_session_owner,
            access_rights=_caller_tags,
            allowed_origins=self.settings.allowed_origins,
            seal=LazySealer(lambda: self.seal),
            sessions=LazySessions(lambda: self.sessions),
            clock=self.clock,
            new_session_id=_new_session_id,
        )

    @cached_property
    def mcp_server(self) -> "McpServer[CallContext]":
        """MCP server."""
        from groundwire.protocol.server import McpServer

        return McpServer(self.mcp_definition, self.mcp_dependencies)


def _visible_tools(call: "CallContext") -> Iterable[str]:
    """Return the tools of the key's toolset; none for an unknown toolset."""
    return TOOLSETS.get(call.caller.toolset, ())


def _session_owner(call: "CallContext") -> "SessionOwner":
    """Return the owner of a session: the key and the user it acts for."""
    from groundwire.domain.sessions import SessionOwner

    principal = call.caller.principal
    return SessionOwner(principal.tenant, call.caller.kid, principal.user)


def _caller_tags(call: "CallContext") -> Iterable[str]:
    """Return the tags of the call."""
    return call.caller.principal.tags


def _new_session_id() -> str:
    """Return 256 random bits as text."""
    import secrets

    return secrets.token_urlsafe(32)


def _find_missing_scope(call: "CallContext", tool: str) -> str | None:
    """Return the scope that the caller lacks; a tool or method without a row in the scope table is refused."""
    needed = TOOL_SCOPES.get(tool)
    lacking = missing_scope(call.caller.scopes, needed) if needed else Scope.ADMIN
    if lacking is None or call.caller.kind is not KeyKind.OAUTH:
        return lacking
    from groundwire.domain.keys.oauth import SCOPE_CLAIM_NAMES

    return SCOPE_CLAIM_NAMES.get(lacking, lacking)
