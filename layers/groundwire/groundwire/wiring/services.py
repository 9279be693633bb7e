"""Services that entries of a machine and of a stack share."""

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from groundwire.ports import Clock
    from groundwire.settings.environment import Settings
    from groundwire.wiring.backends import Installation, Models, Stores
    from groundwire.wiring.use_cases.access import AccessUseCases
    from groundwire.wiring.use_cases.administration import AdministrationUseCases
    from groundwire.wiring.use_cases.agents import AgentUseCases
    from groundwire.wiring.use_cases.pictures import PictureUseCases
    from groundwire.wiring.use_cases.reading import ReadingUseCases
    from groundwire.wiring.use_cases.sources import SourceUseCases


class McpServices(Protocol):
    """Services of the MCP route."""

    @property
    def settings(self) -> "Settings":
        """Settings of this process."""
        ...

    @property
    def clock(self) -> "Clock":
        """Epoch seconds."""
        ...

    @property
    def stores(self) -> "Stores":
        """Stores of the installation."""
        ...

    @property
    def installation(self) -> "Installation":
        """Abilities in which a machine and a stack differ."""
        ...

    @property
    def agents(self) -> "AgentUseCases":
        """Use cases that agents call."""
        ...


class ApiServices(McpServices, Protocol):
    """Services of the REST routes and of the operator."""

    @property
    def models(self) -> "Models":
        """Models of the installation."""
        ...

    @property
    def access(self) -> "AccessUseCases":
        """Use cases that decide about a call."""
        ...

    @property
    def reading(self) -> "ReadingUseCases":
        """Use cases that read."""
        ...

    @property
    def pictures(self) -> "PictureUseCases":
        """Use cases that draw pages."""
        ...

    @property
    def sources(self) -> "SourceUseCases":
        """Use cases about MCP sources."""
        ...

    @property
    def administration(self) -> "AdministrationUseCases":
        """Use cases that change tenants, keys and documents."""
        ...
