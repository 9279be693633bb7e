from collections.abc import Iterator
from pathlib import Path

import pytest

from groundwire import wiring
from groundwire.wiring.local.services import LocalServices
from tests.server.services.sessions.company import Client, Clock, Company
from tests.server.services.sessions.statements import Statements


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock(1_800_000_000.0)
    monkeypatch.setattr(LocalServices, "clock", property(lambda _services: clock))
    return clock


@pytest.fixture
def statements(monkeypatch: pytest.MonkeyPatch) -> Statements:
    """Counts what is asked of the registry's file; asked for before `company`, as it watches connections open."""
    return Statements.watched(monkeypatch)


@pytest.fixture
def company(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, clock: Clock, statements: Statements) -> Iterator[Company]:
    monkeypatch.setenv("GROUNDWIRE_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("POWERTOOLS_METRICS_DISABLED", "true")
    wiring.reset()
    yield Company(wiring.local_services())
    wiring.reset()


@pytest.fixture
def ann(company: Company) -> Client:
    return Client(company, company.key(company.acme), "ann")
