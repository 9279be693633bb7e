"""Where the registry's stores live: each suite runs once per place, and another adapter joins as one more place.

A place can be sent to another process and opened there, which the races need.
"""

from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import pytest
from groundwire.adapters.local.registry.collections import SqliteCollections
from groundwire.adapters.local.registry.database import Database
from groundwire.adapters.local.registry.documents import SqliteDocuments
from groundwire.adapters.local.registry.keys import SqliteKeys
from groundwire.adapters.local.registry.tenants import SqliteTenants
from groundwire.adapters.local.registry.users import SqliteUsers
from groundwire.ports import Collections, Documents, Keys, Tenants, Users


@dataclass(frozen=True)
class Stores:
    """The five ports of one registry."""

    tenants: Tenants
    keys: Keys
    users: Users
    collections: Collections
    documents: Documents


class Place(Protocol):
    """Can be pickled."""

    def open(self) -> "Generator[Stores]": ...


@dataclass(frozen=True)
class LocalPlace:
    home: Path

    def open(self) -> Generator[Stores]:
        database = Database(self.home)
        yield Stores(
            SqliteTenants(database),
            SqliteKeys(database),
            SqliteUsers(database),
            SqliteCollections(database),
            SqliteDocuments(database),
        )
        database.close()


PLACES: dict[str, Callable[[Path], Place]] = {"local": LocalPlace}


@contextmanager
def opened(place: Place) -> Generator[Stores]:
    yield from place.open()


@pytest.fixture(params=PLACES)
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Place:
    return PLACES[str(request.param)](tmp_path / "home")


@pytest.fixture
def stores(place: Place) -> Generator[Stores]:
    with opened(place) as stores:
        yield stores
