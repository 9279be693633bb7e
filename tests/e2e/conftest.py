"""One server with the sample documents for all tests; a test that changes data has its own tenant."""

from collections.abc import Iterator
from itertools import count

import httpx
import pytest

from groundwire.settings import environment
from groundwire.wiring.local.services import LocalServices, open_home
from tests.e2e.company import Company
from tests.support.clients.agent import Agent, agent
from tests.support.entry.demo_server import Server, started

_NUMBERS = count()


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with started(tmp_path_factory.mktemp("e2e") / "home") as server:
        yield server


@pytest.fixture(scope="session")
def http(server: Server) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=server.url, timeout=60) as client:
        yield client


@pytest.fixture(scope="session")
def demo_agent(server: Server, http: httpx.Client) -> Agent:
    """Acts for the users of the sample company, at a rate that no test reaches."""
    return agent(http, server.command.acting_key("demo", "--rate", "100000", "--burst", "10000"))


@pytest.fixture(scope="session")
def owner(server: Server) -> Iterator[LocalServices]:
    """Content owners beside the server: another process over the same home, with its model and parser loaded."""
    services = open_home(environment.read_settings({"GROUNDWIRE_HOME": str(server.home)}))
    yield services
    services.close()


@pytest.fixture
def company(server: Server, http: httpx.Client, owner: LocalServices) -> Company:
    """A tenant of the test's own."""
    tenant = server.command.tenant(f"company-{next(_NUMBERS)}")
    key = server.command.acting_key(tenant, "--rate", "100000", "--burst", "10000")
    return Company(tenant, server, owner, agent(http, key))
