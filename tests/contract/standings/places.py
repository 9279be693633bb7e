"""Where standings can live: a place that is shared can be sent to another process and opened there.

Free of pytest, as processes that race would load it.
"""

from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from groundwire.adapters.aws.standings import DynamoStandings
from groundwire.adapters.local.registry.database import Database
from groundwire.adapters.local.registry.standings import SqliteStandings
from groundwire.ports import Standings
from tests.engines.dynamodb import client

TABLE = "DocumentsTable"


class Place(Protocol):
    def open(self) -> "Generator[Standings]": ...


@dataclass(frozen=True)
class SqlitePlace:
    home: Path

    def open(self) -> Generator[Standings]:
        database = Database(self.home)
        yield SqliteStandings(database)
        database.close()


@dataclass(frozen=True)
class DynamoPlace:
    """A table behind an address."""

    url: str | None
    table: str

    def open(self) -> Generator[Standings]:
        connected = client(self.url)
        yield DynamoStandings(connected, self.table)
        connected.close()


@contextmanager
def opened(place: Place) -> Generator[Standings]:
    yield from place.open()
