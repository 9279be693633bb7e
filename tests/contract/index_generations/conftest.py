"""The suite runs once per place; the race runs where callers can be many."""

from collections.abc import Generator
from pathlib import Path

import pytest

from groundwire.ports import IndexGenerations
from tests.contract.index_generations.backends import TABLE, DynamoPlace, Place, SqlitePlace, opened
from tests.contract.index_generations.in_process import MotoPlace
from tests.support.aws.template import tables
from tests.support.engines.dynamodb import client

SHARED = ("sqlite", "dynamodb")


@pytest.fixture(params=[*SHARED, "moto"])
def index_generations(request: pytest.FixtureRequest, tmp_path: Path) -> Generator[IndexGenerations]:
    with opened(_place(request, tmp_path)) as index_generations:
        yield index_generations


@pytest.fixture(params=SHARED)
def shared_place(request: pytest.FixtureRequest, tmp_path: Path) -> Place:
    return _place(request, tmp_path)


def _place(request: pytest.FixtureRequest, folder: Path) -> Place:
    if request.param == "sqlite":
        return SqlitePlace(folder / "home")
    if request.param == "moto":
        return MotoPlace()
    # Asked for here, so that the other places need no engine.
    url = str(request.getfixturevalue("dynamodb_url"))
    connected = client(url)
    table = tables.create(connected, [TABLE])[TABLE]
    connected.close()
    return DynamoPlace(url, table)
