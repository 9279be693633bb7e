"""Composition of the use cases behind calls, the same on one machine and in the cloud; built at first use."""

import time
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from groundwire import __version__
from groundwire.domain.access.scopes import Scope
from groundwire.domain.errors import InvalidInput
from groundwire.wiring import server_info
from groundwire.wiring.lazy_ports import LazySealer, LazySessions
from groundwire.wiring.ports import Ports

if TYPE_CHECKING:
    from groundwire.dialects.dialect import Dialect, DialectServices
    from groundwire.domain.sessions import SessionOwner
    from groundwire.ports import Collections
    from groundwire.ports.tokens import TokenVerifier
    from groundwire.protocol.definitions.server import ServerDependencies, ServerInfo
    from groundwire.services.call_context import CallContext
    from groundwire.services.documents.browse import DocumentCatalog, DocumentReader
    from groundwire.services.documents.citation_verifier import CitationVerifier
    from groundwire.services.documents.link_opener import LinkOpener
    from groundwire.services.documents.source_links import SourceLinks
    from groundwire.services.keys.request_authorizer import RequestAuthorizer
    from groundwire.services.keys.token_authorizer import TokenAuthorizer
    from groundwire.services.search import Search
    from groundwire.wiring.dialects import DialectRouter


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
    def document_reader(self) -> "DocumentReader":
        """Documents, page by page."""
        from groundwire.services.documents.browse import DocumentReader

        return DocumentReader(self.documents, self.indexes)

    @cached_property
    def document_catalog(self) -> "DocumentCatalog":
        """Lists of collections and documents."""
        from groundwire.services.documents.browse import DocumentCatalog

        return DocumentCatalog(self.documents, self.collections)

    @cached_property
    def dialects(self) -> "tuple[Dialect, ...]":
        """Dialects that are switched on.

        Raises:
            InvalidInput: a setting names a dialect that does not exist.
        """
        from groundwire import dialects
        from groundwire.dialects.dialect import select_dialects

        return select_dialects(dialects.DIALECTS, self.settings.dialects)

    @cached_property
    def dialect_services(self) -> "DialectServices":
        """Use cases that dialects translate to."""
        from groundwire.dialects.dialect import DialectServices

        return DialectServices(
            search=lambda: self.search,
            source_links=lambda: self.source_links,
            citation_verifier=lambda: self.citation_verifier,
            document_reader=lambda: self.document_reader,
            document_catalog=lambda: self.document_catalog,
        )

    @cached_property
    def server_info(self) -> "ServerInfo":
        """Introduction of the MCP server."""
        from groundwire.protocol.definitions.server import Icon, ServerInfo

        return ServerInfo(
            name="groundwire",
            title="Groundwire",
            version=__version__,
            description=server_info.DESCRIPTION,
            website_url=self.settings.public_url,
            instructions=server_info.INSTRUCTIONS,
            icons=(Icon(server_info.ICON, server_info.ICON_MEDIA_TYPE, ("any",)),),
        )

    @cached_property
    def mcp_dependencies(self) -> "ServerDependencies[CallContext]":
        """Access rules and stores of the MCP servers; without a dialect no tool is visible and no scope suffices."""
        from groundwire.protocol.definitions.server import ServerDependencies

        return ServerDependencies(
            visible_tools=_no_tools,
            missing_scope=_require_admin,
            session_owner=_session_owner,
            access_rights=_caller_tags,
            allowed_origins=self.settings.allowed_origins,
            seal=LazySealer(lambda: self.seal),
            sessions=LazySessions(lambda: self.sessions),
            clock=self.clock,
            new_session_id=_new_session_id,
        )

    @cached_property
    def mcp_server(self) -> "DialectRouter":
        """MCP servers of the dialects that are switched on."""
        from groundwire.wiring.dialects import DialectRouter, McpParts

        return DialectRouter(self.dialects, McpParts(self.dialect_services, self.server_info, self.mcp_dependencies))


def _no_tools(_call: "CallContext") -> Iterable[str]:
    return ()


def _require_admin(_call: "CallContext", _operation: str) -> str:
    """Return the scope that is missing, whatever the caller holds."""
    return Scope.ADMIN


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
