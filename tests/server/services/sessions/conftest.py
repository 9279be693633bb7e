from collections.abc import Iterator
from pathlib import Path

import pytest

from groundwire import wiring
from tests.server.services.sessions.company import Client, Clock, Company
from tests.server.services.sessions.statements import Statements
from tests.support.worlds.exchange import exchange


@pytest.fixture
def clock() -> Clock:
    return Clock(1_800_000_000.0)


@pytest.fixture
def statements(monkeypatch: pytest.MonkeyPatch) -> Statements:
    """Count the statements on the registry's file; requested before `company`, since it watches connections open."""
    return Statements.watched(monkeypatch)


@pytest.fixture
def company(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, clock: Clock, statements: Statements) -> Iterator[Company]:
    monkeypatch.setenv("GROUNDWIRE_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("POWERTOOLS_METRICS_DISABLED", "true")
    wiring.reset()
    services = wiring.local_services()
    exchange(services, clock=clock)
    yield Company(services)
    wiring.reset()


@pytest.fixture
def ann(company: Company) -> Client:
    return Client(company, company.key(company.acme), "ann")
