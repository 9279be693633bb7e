"""Each suite of the registry's stores runs once per place: SQLite and DynamoDB Local.

Where DynamoDB Local is absent and may be, moto takes its place in the suites that one process can run.
"""

from collections.abc import Generator
from pathlib import Path
from typing import Final

import pytest

from tests.support.registry.backends import LocalPlace, MotoPlace, Place, Stores, dynamo_place, opened

SHARED: Final = ("local", "dynamodb")


@pytest.fixture(params=SHARED)
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Place:
    return _place(request, tmp_path, "dynamodb_url_or_moto")


@pytest.fixture(params=SHARED)
def shared_place(request: pytest.FixtureRequest, tmp_path: Path) -> Place:
    return _place(request, tmp_path, "dynamodb_url")


@pytest.fixture
def stores(place: Place) -> Generator[Stores]:
    with opened(place) as stores:
        yield stores


@pytest.fixture
def shared_stores(shared_place: Place) -> Generator[Stores]:
    with opened(shared_place) as stores:
        yield stores


def _place(request: pytest.FixtureRequest, folder: Path, address: str) -> Place:
    if request.param == "local":
        return LocalPlace(folder / "home")
    # Asked for here, so that the other place needs no engine.
    url = request.getfixturevalue(address)
    return MotoPlace() if url is None else dynamo_place(str(url))
