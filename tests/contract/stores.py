"""Each suite of the registry's stores runs once per place; the races run where callers can be many."""

from collections.abc import Generator
from pathlib import Path
from typing import Final

import pytest

from tests.support.registry.backends import LocalPlace, MotoPlace, Place, Stores, dynamo_place, opened

SHARED: Final = ("local", "dynamodb")


@pytest.fixture(params=[*SHARED, "moto"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Place:
    return _place(request, tmp_path)


@pytest.fixture(params=SHARED)
def shared_place(request: pytest.FixtureRequest, tmp_path: Path) -> Place:
    return _place(request, tmp_path)


@pytest.fixture
def stores(place: Place) -> Generator[Stores]:
    with opened(place) as stores:
        yield stores


@pytest.fixture
def shared_stores(shared_place: Place) -> Generator[Stores]:
    with opened(shared_place) as stores:
        yield stores


def _place(request: pytest.FixtureRequest, folder: Path) -> Place:
    if request.param == "local":
        return LocalPlace(folder / "home")
    if request.param == "moto":
        return MotoPlace()
    # Asked for here, so that the other places need no engine.
    return dynamo_place(str(request.getfixturevalue("dynamodb_url")))
