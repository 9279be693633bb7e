"""Services of each deployed function, built from its backends."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from groundwire.wiring.cloud.backends import CloudBackends
    from groundwire.wiring.cloud.ingestion import CloudIngestion
    from groundwire.wiring.use_cases.access import AccessUseCases
    from groundwire.wiring.use_cases.administration import AdministrationUseCases
    from groundwire.wiring.use_cases.agents import AgentUseCases
    from groundwire.wiring.use_cases.reading import ReadingUseCases
    from groundwire.wiring.use_cases.sources import SourceUseCases


class _Function:
    """Backends of one function, as its entry reads them."""

    def __init__(self, backends: "CloudBackends") -> None:
        self.settings = backends.settings
        self.clock = backends.clock
        self.stores = backends.stores
        self.models = backends.models
        self.installation = backends.installation


class McpFunction(_Function):
    """Services of the mcp function; it is `wiring.services.McpServices`, too."""

    def __init__(self, backends: "CloudBackends", agents: "AgentUseCases") -> None:
        super().__init__(backends)
        self.agents = agents


class ApiFunction(McpFunction):
    """Services of the api function and of the operator function; it is `wiring.services.ApiServices`, too."""

    def __init__(
        self,
        backends: "CloudBackends",
        agents: "AgentUseCases",
        access: "AccessUseCases",
        reading: "ReadingUseCases",
        sources: "SourceUseCases",
        administration: "AdministrationUseCases",
    ) -> None:
        super().__init__(backends, agents)
        self.access = access
        self.reading = reading
        self.sources = sources
        self.administration = administration


class IngestionFunction(_Function):
    """Services of the ingestion function."""

    def __init__(
        self, backends: "CloudBackends", administration: "AdministrationUseCases", ingestion: "CloudIngestion"
    ) -> None:
        super().__init__(backends)
        self.administration = administration
        self.ingestion = ingestion


def build_authorizer(backends: "CloudBackends") -> "AccessUseCases":
    """Return the services of the authorizer function."""
    from groundwire.wiring.use_cases.access import AccessUseCases

    return AccessUseCases(backends)


def build_sources(backends: "CloudBackends") -> "SourceUseCases":
    """Return the services of the sources function."""
    from groundwire.wiring.use_cases.sources import SourceUseCases

    return SourceUseCases(backends)


def build_reading(backends: "CloudBackends", sources: "SourceUseCases") -> "ReadingUseCases":
    """Return the use cases that read."""
    from groundwire.wiring.use_cases.reading import ReadingUseCases

    return ReadingUseCases(backends, sources)


def build_mcp(backends: "CloudBackends", reading: "ReadingUseCases", sources: "SourceUseCases") -> McpFunction:
    """Return the services of the mcp function."""
    from groundwire.wiring.use_cases.agents import AgentUseCases

    return McpFunction(backends, AgentUseCases(backends, reading, sources))


def build_api(
    backends: "CloudBackends", access: "AccessUseCases", reading: "ReadingUseCases", sources: "SourceUseCases"
) -> ApiFunction:
    """Return the services of the api function and of the operator function."""
    from groundwire.wiring.use_cases.administration import AdministrationUseCases
    from groundwire.wiring.use_cases.agents import AgentUseCases

    agents = AgentUseCases(backends, reading, sources)
    return ApiFunction(backends, agents, access, reading, sources, AdministrationUseCases(backends))


def build_ingestion(backends: "CloudBackends") -> IngestionFunction:
    """Return the services of the ingestion function."""
    from groundwire.wiring.cloud.ingestion import CloudIngestion
    from groundwire.wiring.use_cases.administration import AdministrationUseCases

    administration = AdministrationUseCases(backends)
    return IngestionFunction(backends, administration, CloudIngestion(backends, administration))
