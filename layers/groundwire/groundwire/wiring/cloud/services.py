"""Services of each deployed function, built from its backends."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from groundwire.ports import Clock
    from groundwire.settings.environment import Settings
    from groundwire.wiring.cloud.backends import CloudBackends, Stack
    from groundwire.wiring.cloud.ingestion import CloudIngestion
    from groundwire.wiring.cloud.models import CloudModels
    from groundwire.wiring.cloud.stores import CloudStores
    from groundwire.wiring.use_cases.access import AccessUseCases
    from groundwire.wiring.use_cases.administration import AdministrationUseCases
    from groundwire.wiring.use_cases.agents import AgentUseCases
    from groundwire.wiring.use_cases.pictures import PictureUseCases
    from groundwire.wiring.use_cases.reading import ReadingUseCases
    from groundwire.wiring.use_cases.sources import SourceUseCases


@dataclass(frozen=True, eq=False)
class McpFunction:
    """Services of the mcp function; it is `wiring.services.McpServices`, too."""

    settings: "Settings"
    clock: "Clock"
    stores: "CloudStores"
    models: "CloudModels"
    installation: "Stack"
    agents: "AgentUseCases"


@dataclass(frozen=True, eq=False)
class ApiFunction:
    """Services of the api function and of the operator function; it is `wiring.services.ApiServices`, too."""

    settings: "Settings"
    clock: "Clock"
    stores: "CloudStores"
    models: "CloudModels"
    installation: "Stack"
    access: "AccessUseCases"
    reading: "ReadingUseCases"
    pictures: "PictureUseCases"
    sources: "SourceUseCases"
    agents: "AgentUseCases"
    administration: "AdministrationUseCases"


@dataclass(frozen=True, eq=False)
class IngestionFunction:
    """Services of the ingestion function."""

    settings: "Settings"
    clock: "Clock"
    stores: "CloudStores"
    models: "CloudModels"
    installation: "Stack"
    administration: "AdministrationUseCases"
    ingestion: "CloudIngestion"


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

    return McpFunction(
        backends.settings,
        backends.clock,
        backends.stores,
        backends.models,
        backends.installation,
        AgentUseCases(backends, reading, sources),
    )


def build_api(
    backends: "CloudBackends", access: "AccessUseCases", reading: "ReadingUseCases", sources: "SourceUseCases"
) -> ApiFunction:
    """Return the services of the api function and of the operator function."""
    from groundwire.wiring.use_cases.administration import AdministrationUseCases
    from groundwire.wiring.use_cases.agents import AgentUseCases
    from groundwire.wiring.use_cases.pictures import PictureUseCases

    return ApiFunction(
        backends.settings,
        backends.clock,
        backends.stores,
        backends.models,
        backends.installation,
        access,
        reading,
        PictureUseCases(backends, lambda: backends.installation.page_drawers),
        sources,
        AgentUseCases(backends, reading, sources),
        AdministrationUseCases(backends),
    )


def build_ingestion(backends: "CloudBackends") -> IngestionFunction:
    """Return the services of the ingestion function."""
    from groundwire.wiring.cloud.ingestion import CloudIngestion
    from groundwire.wiring.use_cases.administration import AdministrationUseCases

    administration = AdministrationUseCases(backends)
    return IngestionFunction(
        backends.settings,
        backends.clock,
        backends.stores,
        backends.models,
        backends.installation,
        administration,
        CloudIngestion(backends, administration),
    )
