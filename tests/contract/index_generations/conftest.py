"""The suite runs once per place: SQLite and DynamoDB Local.

Where DynamoDB Local is absent and may be, moto takes its place but for the race.
"""

from collections.abc import Generator
from pathlib import Path

import pytest

from groundwire.ports import IndexGenerations
from tests.contract.index_generations.backends import TABLE, DynamoPlace, Place, SqlitePlace, opened
from tests.contract.index_generations.in_process import MotoPlace
from tests.support.aws.template import tables
from tests.support.engines.dynamodb import client

SHARED = ("sqlite", "dynamodb")


@pytest.fixture(params=SHARED)
def index_generations(request: pytest.FixtureRequest, tmp_path: Path) -> Generator[IndexGenerations]:
    with opened(_place(request, tmp_path, "dynamodb_url_or_moto")) as index_generations:
        yield index_generations


@pytest.fixture(params=SHARED)
def shared_place(request: pytest.FixtureRequest, tmp_path: Path) -> Place:
    return _place(request, tmp_path, "dynamodb_url")


def _place(request: pytest.FixtureRequest, folder: Path, address: str) -> Place:
    if request.param == "sqlite":
        return SqlitePlace(folder / "home")
    # Asked for here, so that the other place needs no engine.
    url = request.getfixturevalue(address)
    if url is None:
        return MotoPlace()
    connected = client(url)
    table = tables.create(connected, [TABLE])[TABLE]
    connected.close()
    return DynamoPlace(url, table)
