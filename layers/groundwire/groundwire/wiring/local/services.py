"""Services of one machine: the use cases of its server and of its command line."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from groundwire.wiring.lazy import ResourceStack
from groundwire.wiring.local.backends import Home, LocalBackends, local_backends
from groundwire.wiring.local.evaluation import Evaluation
from groundwire.wiring.local.ingestion import LocalIngestion
from groundwire.wiring.local.model_folder import ModelFolder
from groundwire.wiring.local.models import LocalModels
from groundwire.wiring.local.source_files import SourceFiles
from groundwire.wiring.local.stores import LocalStores
from groundwire.wiring.local.upkeep import Upkeep
from groundwire.wiring.use_cases.access import AccessUseCases
from groundwire.wiring.use_cases.administration import AdministrationUseCases
from groundwire.wiring.use_cases.agents import AgentUseCases
from groundwire.wiring.use_cases.pictures import PictureUseCases
from groundwire.wiring.use_cases.reading import ReadingUseCases
from groundwire.wiring.use_cases.sources import SourceUseCases

if TYPE_CHECKING:
    from groundwire.ports import Clock, Parsers
    from groundwire.settings.environment import Settings


@dataclass(frozen=True, eq=False)
class LocalServices:
    """Services of one machine; it is `wiring.services.ApiServices`, too.

    Attributes:
        model_folder: installation of models. files: source files of the command line.
        resources: files, connections and processes that the others opened.
    """

    settings: "Settings"
    clock: "Clock"
    stores: LocalStores
    models: LocalModels
    installation: Home
    access: AccessUseCases
    reading: ReadingUseCases
    pictures: PictureUseCases
    sources: SourceUseCases
    agents: AgentUseCases
    administration: AdministrationUseCases
    ingestion: LocalIngestion
    evaluation: Evaluation
    model_folder: ModelFolder
    upkeep: Upkeep
    files: SourceFiles
    resources: ResourceStack

    def close(self) -> None:
        """Close files and processes, and release the models' memory."""
        self.resources.close()


def open_home(settings: "Settings") -> LocalServices:
    """Return the services of the settings' home; nothing of it is read or created yet."""
    resources = ResourceStack()
    return build_local(local_backends(settings, resources), resources)


def build_local(backends: LocalBackends, resources: ResourceStack, parser: "Parsers | None" = None) -> LocalServices:
    """Return the services of one machine over these backends.

    Args:
        backends: of its home.
        resources: closes what services and backends open.
        parser: reads documents; None: the sandboxed parser of the settings.
    """
    files = SourceFiles()
    sources = SourceUseCases(backends)
    reading = ReadingUseCases(backends, sources)
    agents = AgentUseCases(backends, reading, sources)
    administration = AdministrationUseCases(backends)
    ingestion = LocalIngestion(backends, administration, files, resources, parser)
    return LocalServices(
        backends.settings,
        backends.clock,
        backends.stores,
        backends.models,
        backends.installation,
        AccessUseCases(backends),
        reading,
        PictureUseCases(backends, lambda: ingestion.page_drawers),
        sources,
        agents,
        administration,
        ingestion,
        Evaluation(reading),
        ModelFolder(backends.settings, backends.models, backends.stores),
        Upkeep(backends, agents, ingestion),
        files,
        resources,
    )
