"""Each suite of sessions runs once per place: SQLite and DynamoDB Local.

Where DynamoDB Local is absent and may be, moto takes its place in the suites that one process can run.
"""

from collections.abc import Generator
from pathlib import Path

import pytest

from groundwire.ports.system import Sessions
from tests.contract.sessions.backends import DynamoPlace, Opened, Place, SqlitePlace
from tests.contract.sessions.in_process import TABLE, MotoPlace
from tests.support.aws.template import tables
from tests.support.engines.dynamodb import client

SHARED = ("sqlite", "dynamodb")


@pytest.fixture(params=SHARED)
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Place:
    return _place(request, tmp_path, "dynamodb_url_or_moto")


@pytest.fixture(params=SHARED)
def shared_place(request: pytest.FixtureRequest, tmp_path: Path) -> Place:
    return _place(request, tmp_path, "dynamodb_url")


@pytest.fixture
def opened(place: Place) -> Generator[Opened]:
    with place.open() as opened:
        yield opened


@pytest.fixture
def sessions(opened: Opened) -> Sessions:
    return opened.sessions


@pytest.fixture
def shared(shared_place: Place) -> Generator[Sessions]:
    with shared_place.open() as opened:
        yield opened.sessions


def _place(request: pytest.FixtureRequest, folder: Path, address: str) -> Place:
    if request.param == "sqlite":
        return SqlitePlace(folder / "home")
    # Asked for here, so that the other place needs no engine.
    url = request.getfixturevalue(address)
    if url is None:
        return MotoPlace()
    return DynamoPlace(url, tables.create(client(url), [TABLE])[TABLE])
