"""Each suite of the registry's stores runs once per place; another adapter joins as one more place."""

from collections.abc import Callable, Generator
from pathlib import Path

import pytest

from tests.contract.places import LocalPlace, Place, Stores, opened

PLACES: dict[str, Callable[[Path], Place]] = {"local": LocalPlace}


@pytest.fixture(params=PLACES)
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Place:
    return PLACES[str(request.param)](tmp_path / "home")


@pytest.fixture
def stores(place: Place) -> Generator[Stores]:
    with opened(place) as stores:
        yield stores
