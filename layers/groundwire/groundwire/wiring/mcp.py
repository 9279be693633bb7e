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
    from groundwire.protocol.definitions.server import ServerInfo
    from groundwire.protocol.transport.origins import AllowedOrigins


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
        from groundwire import dialects
        from groundwire.dialects.declaration.dialect import check_open_discovery, select_dialects

        chosen = select_dialects(dialects.DIALECTS, self.settings.dialects)
        check_open_discovery(chosen, self.settings.open_discovery)
        return chosen

    @Lazy
    def dialect_services(self) -> "DialectServices":
        """Use cases that dialects translate to."""
        from groundwire.dialects.declaration.services import DialectServices

        return DialectServices(
            search=lambda: self.search,
            split_search=lambda: self.split_search,
            source_links=lambda: self.source_links,
            citation_verifier=lambda: self.citation_verifier,
            document_reader=lambda: self.document_reader,
            document_catalog=lambda: self.document_catalog,
            readable_collections=lambda: self.readable_collections,
            readable_fields=lambda: self.readable_fields,
            sealer=lambda: self.seal,
            has_reranker=lambda: self.reranker is not None,
            per_collection_search=lambda: self.per_collection_search,
            image_search=lambda: self.image_search,
            image_reader=lambda: self.image_reader,
            subquery_search=lambda: self.subquery_search,
            query_planners=lambda: self.query_planners,
            passage_listing=lambda: self.passage_listing,
            clock=lambda: self.clock,
            definition_admin=lambda: self.definition_admin,
        )

    @Lazy
    def server_info(self) -> "ServerInfo":
        """Introduction of the MCP servers."""
        from groundwire.protocol.definitions.server import Icon, ServerInfo

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
        from groundwire.protocol.transport.origins import allowed_origins

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
