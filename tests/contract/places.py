"""Where the registry's stores can live: a place can be sent to another process and opened there.

Free of pytest, as processes that race would load it.
"""

from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

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


@contextmanager
def opened(place: Place) -> Generator[Stores]:
    yield from place.open()
