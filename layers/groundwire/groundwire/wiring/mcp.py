"""The MCP servers of the dialects that are switched on: what the mcp function needs."""

from typing import TYPE_CHECKING

from groundwire import __version__
from groundwire.wiring import server_info
from groundwire.wiring.lazy import Lazy
from groundwire.wiring.search import SearchServices

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from groundwire.dialects.declaration.dialect import Dialect
    from groundwire.dialects.declaration.services import DialectServices
    from groundwire.dialects.router import DialectRouter, McpParts
    from groundwire.services.sources.admin import SourceAdmin
    from groundwire.services.sources.inspection import SourceInspection
    from groundwire.services.sources.joins.joined_search import JoinedPerCollectionSearch, JoinedSearch, SourceJoins
    from groundwire.services.sources.joins.passage_scores import PassageScores
    from groundwire.services.sources.registry import SourceRegistry
    from groundwire.services.sources.tools import SourceTools
    from groundwire_mcp.definitions.server import ServerInfo
    from groundwire_mcp.transport.origins import AllowedOrigins


class McpServices(SearchServices):
    """Use cases that agents call."""

    @property
    def warmup_factory(self) -> "Callable[[], Sequence[Callable[[str | None], None]]] | None":
        """Function that returns the warmers of idle services; None where every service runs."""
        return None

    @Lazy
    def dialects(self) -> "tuple[Dialect, ...]":
        """Dialects that are switched on.

        Raises:
            InvalidInput: a setting names a dialect that does not exist, or one without open discovery for that.
        """
        from groundwire.dialects.declaration.dialect import check_open_discovery, select_dialects

        chosen = select_dialects(self.known_dialects, self.settings.dialects)
        check_open_discovery(chosen, self.settings.open_discovery)
        return chosen

    @Lazy
    def dialect_services(self) -> "DialectServices":
        """Use cases that dialects translate to."""
        from groundwire.dialects.declaration.services import DialectServices

        return DialectServices(
            search=lambda: self.joined_search,
            own_search=lambda: self.search,
            split_search=lambda: self.joined_split_search,
            source_links=lambda: self.source_links,
            citation_verifier=lambda: self.citation_verifier,
            document_reader=lambda: self.document_reader,
            document_catalog=lambda: self.document_catalog,
            readable_collections=lambda: self.readable_collections,
            readable_fields=lambda: self.readable_fields,
            sealer=lambda: self.seal,
            has_reranker=lambda: self.reranker is not None,
            per_collection_search=lambda: self.joined_per_collection_search,
            image_search=lambda: self.image_search,
            image_reader=lambda: self.image_reader,
            subquery_search=lambda: self.subquery_search,
            query_planners=lambda: self.query_planners,
            passage_listing=lambda: self.passage_listing,
            clock=lambda: self.clock,
            definition_admin=lambda: self.definition_admin,
            source_admin=lambda: self.source_admin,
            source_tools=lambda: self.source_tools,
        )

    @Lazy
    def source_registry(self) -> "SourceRegistry":
        """MCP sources as stored."""
        from groundwire.services.sources.registry import SourceRegistry

        return SourceRegistry(self.definition_admin, self.clock)

    @Lazy
    def source_admin(self) -> "SourceAdmin":
        """Administration of MCP sources."""
        from groundwire.services.sources.admin import SourceAdmin
        from groundwire.services.sources.validation import OwnAddress

        return SourceAdmin(
            self.source_registry,
            self.definition_admin,
            self.source_states,
            self.source_gateway,
            self.collections,
            OwnAddress(self.settings.public_url),
            self.clock,
            has_issuer=self.settings.identity_provider is not None,
        )

    @Lazy
    def source_inspection(self) -> "SourceInspection":
        """Inspection of the servers of MCP sources."""
        from groundwire.services.sources.inspection import SourceInspection
        from groundwire.services.sources.validation import OwnAddress

        own_address = OwnAddress(self.settings.public_url)
        return SourceInspection(self.source_registry, self.source_states, self.source_gateway, own_address)

    @Lazy
    def source_tools(self) -> "SourceTools":
        """Tools of MCP sources, by the rights of a caller."""
        from groundwire.services.sources.tools import SourceTools

        return SourceTools(self.source_registry, self.source_states, self.source_gateway)

    @Lazy
    def passage_scores(self) -> "PassageScores":
        """Scores of texts that are in no index."""
        from groundwire.services.sources.joins.passage_scores import PassageScores

        return PassageScores(self.indexes, self.embedders, self.settings.relevance_fits)

    @Lazy
    def source_joins(self) -> "SourceJoins":
        """Passages of MCP sources in answers."""
        from groundwire.services.sources.joins.joined_search import SourceJoins
        from groundwire.services.sources.validation import OwnAddress

        return SourceJoins(lambda: self.source_tools, self.passage_scores, OwnAddress(self.settings.public_url))

    @Lazy
    def joined_search(self) -> "JoinedSearch":
        """Ranked passages, joined by those of MCP sources."""
        from groundwire.services.sources.joins.joined_search import JoinedSearch

        return JoinedSearch(self.search, self.source_joins)

    @Lazy
    def joined_split_search(self) -> "JoinedSearch":
        """Ranked passages of the phrases and of each question of the first one, joined by those of MCP sources."""
        from groundwire.services.sources.joins.joined_search import JoinedSearch

        return JoinedSearch(self.split_search, self.source_joins)

    @Lazy
    def joined_per_collection_search(self) -> "JoinedPerCollectionSearch":
        """Ranked passages of several collections, each joined by those of MCP sources."""
        from groundwire.services.sources.joins.joined_search import JoinedPerCollectionSearch

        return JoinedPerCollectionSearch(self.per_collection_search, self.source_joins)

    @Lazy
    def server_info(self) -> "ServerInfo":
        """Introduction of the MCP servers."""
        from groundwire_mcp.definitions.server import Icon, ServerInfo

        return ServerInfo(
            name="groundwire",
            title="Groundwire",
            version=__version__,
            description=server_info.DESCRIPTION,
            website_url=self.settings.public_url,
            instructions=server_info.INSTRUCTIONS,
            icons=(
                Icon(server_info.ICON, server_info.ICON_MEDIA_TYPE, ("any",)),
                Icon(server_info.ICON_PNG, server_info.ICON_PNG_MEDIA_TYPE, (server_info.ICON_PNG_SIZE,)),
            ),
        )

    @Lazy
    def allowed_origins(self) -> "AllowedOrigins":
        """Pages in browsers that may call, by every interface of this server."""
        from groundwire_mcp.transport.origins import allowed_origins

        settings = self.settings
        return allowed_origins(
            settings.public_url, settings.allowed_origins, is_loopback_server=settings.is_loopback_server
        )

    @Lazy
    def mcp_parts(self) -> "McpParts":
        """Parts that the servers of all dialects share."""
        from groundwire.dialects.router import McpParts

        return McpParts(
            services=self.dialect_services,
            server_info=self.server_info,
            allowed_origins=self.allowed_origins,
            sealer=lambda: self.seal,
            sessions=lambda: self.sessions,
            clock=self.clock,
            open_discovery=self.settings.open_discovery,
        )

    @Lazy
    def mcp_server(self) -> "DialectRouter":
        """MCP servers of the dialects, by path."""
        from groundwire.dialects.router import DialectRouter

        return DialectRouter(self.dialects, self.mcp_parts)
