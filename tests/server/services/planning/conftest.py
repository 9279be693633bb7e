"""A service of models, and planners of a server with settings for it."""

from collections.abc import Callable, Generator, Sequence

import pytest

from groundwire.domain.search.conversation import Speaker, Turn
from groundwire.ports import ModelDeployment, QueryPlanner
from groundwire.settings.environment import read_settings
from groundwire.wiring.local.services import open_home
from tests.support.models.model_service import ModelService, model_service

MakePlanner = Callable[..., QueryPlanner]
FOLLOW_UP = (
    Turn(Speaker.USER, "How do I oil the wheel pump?"),
    Turn(Speaker.ASSISTANT, "Use the grey can."),
    Turn(Speaker.USER, "And how often?"),
)
"""A conversation that a model plans."""


@pytest.fixture
def service(tmp_path_factory: pytest.TempPathFactory) -> Generator[ModelService]:
    with model_service(tmp_path_factory.mktemp("model")) as running:
        yield running


@pytest.fixture
def make_planner(tmp_path_factory: pytest.TempPathFactory) -> MakePlanner:
    """The planner of a tenant on a server with these settings."""

    def make(
        environment: dict[str, str], tenant: str = "t_amber", models: Sequence[ModelDeployment] = ()
    ) -> QueryPlanner:
        home = {"GROUNDWIRE_HOME": str(tmp_path_factory.mktemp("home"))}
        return open_home(read_settings({**home, **environment})).reading.query_planners.for_tenant(tenant, models)

    return make
