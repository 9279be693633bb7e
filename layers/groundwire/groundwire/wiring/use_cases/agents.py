"""The MCP servers of the dialects that are switched on: what the mcp function needs."""

from typing import TYPE_CHECKING

from groundwire import __version__
from groundwire.wiring.lazy import Lazy
from groundwire.wiring.use_cases import server_info
from groundwire.wiring.use_cases.access import known_dialects

if TYPE_CHECKING:
    from groundwire.dialects.declaration.dialect import Dialect
    from groundwire.dialects.declaration.services import DialectServices
    from groundwire.dialects.replay import DialectAnswers
    from groundwire.dialects.router import DialectRouter, McpParts
    from groundwire.wiring.backends import Backends
    from groundwire.wiring.use_cases.reading import ReadingUseCases
    from groundwire.wiring.use_cases.sources import SourceUseCases
    from groundwire_mcp.definitions.server import ServerInfo
    from groundwire_mcp.transport.origins import AllowedOrigins


class AgentUseCases:
    """Use cases that agents call."""

    def __init__(self, backends: "Backends", reading: "ReadingUseCases", sources: "SourceUseCases") -> None:
        self._reading, self._sources = reading, sources
        self._settings, self._clock, self._stores = backends.settings, backends.clock, backends.stores

    @Lazy
    def dialects(self) -> "tuple[Dialect, ...]":
        """Dialects that are switched on.

        Raises:
            InvalidInput: a setting names a dialect that does not exist, or one without open discovery for that.
        """
        from groundwire.dialects.declaration.dialect import check_open_discovery, select_dialects

        chosen = select_dialects(known_dialects(self._settings), self._settings.dialects)
        check_open_discovery(chosen, self._settings.open_discovery)
        return chosen

    @Lazy
    def dialect_services(self) -> "DialectServices":
        """Use cases that dialects translate to."""
        from groundwire.dialects.declaration.services import DialectServices

        return DialectServices(self._reading, self._sources)

    @Lazy
    def server_info(self) -> "ServerInfo":
        """Introduction of the MCP servers."""
        from groundwire_mcp.definitions.server import Icon, ServerInfo

        return ServerInfo(
            name="groundwire",
            title="Groundwire",
            version=__version__,
            description=server_info.DESCRIPTION,
            website_url=self._settings.public_url,
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

        settings = self._settings
        return allowed_origins(
            settings.public_url, settings.allowed_origins, is_loopback_server=settings.is_loopback_server
        )

    @Lazy
    def mcp_server(self) -> "DialectRouter":
        """MCP servers of the dialects, by path."""
        from groundwire.dialects.router import DialectRouter

        return DialectRouter(self.dialects, self.mcp_parts)

    @Lazy
    def dialect_answers(self) -> "DialectAnswers":
        """Answers of the dialects to a question, over their own routes."""
        from groundwire.dialects.replay import DialectAnswers

        return DialectAnswers(self.mcp_server, self.dialect_services)

    @Lazy
    def mcp_parts(self) -> "McpParts":
        """Parts that the servers of all dialects share."""
        from groundwire.dialects.router import McpParts

        return McpParts(
            services=self.dialect_services,
            server_info=self.server_info,
            allowed_origins=self.allowed_origins,
            # Read late: to introduce itself a server needs no secret.
            sealer=lambda: self._stores.seal,
            sessions=lambda: self._stores.sessions,
            clock=self._clock,
            open_discovery=self._settings.open_discovery,
        )
