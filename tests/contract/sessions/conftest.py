"""Each suite of sessions runs once per place; the races run where callers can be many."""

from collections.abc import Generator
from pathlib import Path

import pytest

from groundwire.ports.system import Sessions
from tests.contract.sessions.backends import DynamoPlace, Opened, Place, SqlitePlace
from tests.contract.sessions.in_process import TABLE, MotoPlace
from tests.support.aws.template import tables
from tests.support.engines.dynamodb import client

SHARED = ("sqlite", "dynamodb")


@pytest.fixture(params=[*SHARED, "moto"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Place:
    return _place(request, tmp_path)


@pytest.fixture(params=SHARED)
def shared_place(request: pytest.FixtureRequest, tmp_path: Path) -> Place:
    return _place(request, tmp_path)


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


def _place(request: pytest.FixtureRequest, folder: Path) -> Place:
    if request.param == "sqlite":
        return SqlitePlace(folder / "home")
    if request.param == "moto":
        return MotoPlace()
    # Asked for here, so that the other places need no engine.
    url = str(request.getfixturevalue("dynamodb_url"))
    return DynamoPlace(url, tables.create(client(url), [TABLE])[TABLE])
