"""Where index generations can live: a place that is shared can be sent to another process and opened there.

Free of pytest, as processes that race would load it.
"""

from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from groundwire.adapters.aws.dynamodb.index_generations import DynamoIndexGenerations
from groundwire.adapters.local.registry.database import Database
from groundwire.adapters.local.registry.index_generations import SqliteIndexGenerations
from groundwire.ports import IndexGenerations
from groundwire.ports.indexes import IndexKind
from tests.support.engines.dynamodb import client

TABLE = "DocumentsTable"


class Place(Protocol):
    def open(self) -> "Generator[IndexGenerations]": ...


@dataclass(frozen=True)
class SqlitePlace:
    home: Path

    def open(self) -> Generator[IndexGenerations]:
        database = Database(self.home)
        yield SqliteIndexGenerations(database, IndexKind.PASSAGES)
        database.close()


@dataclass(frozen=True)
class DynamoPlace:
    """A table behind an address."""

    url: str | None
    table: str

    def open(self) -> Generator[IndexGenerations]:
        connected = client(self.url)
        yield DynamoIndexGenerations(connected, self.table, IndexKind.PASSAGES)
        connected.close()


@contextmanager
def opened(place: Place) -> Generator[IndexGenerations]:
    yield from place.open()
