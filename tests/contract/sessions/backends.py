"""Where sessions can live: a place that is shared can be sent to another process and opened there.

Free of pytest, as processes that race would load it.
"""

from collections.abc import Generator
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from groundwire.adapters.aws.dynamodb.sessions.store import DynamoSessions
from groundwire.adapters.local.registry.database import Database
from groundwire.adapters.local.registry.sessions.store import SqliteSessions
from groundwire.adapters.local.registry.tenants import SqliteTenants
from groundwire.domain import errors
from groundwire.ports.system import Sessions
from tests.support.engines.dynamodb import client
from tests.support.registry.records import tenant


@dataclass(frozen=True)
class Opened:
    """A store, and everything that it holds as the bytes in which it is held."""

    sessions: Sessions
    held: "Held"


class Held(Protocol):
    def __call__(self) -> bytes: ...


class Place(Protocol):
    def open(self) -> AbstractContextManager[Opened]: ...


@dataclass(frozen=True)
class SqlitePlace:
    """A registry with two tenants."""

    home: Path

    @contextmanager
    def open(self) -> Generator[Opened]:
        database = Database(self.home)
        for each in ("t-acme", "t-blue"):
            with suppress(errors.Conflict):
                SqliteTenants(database).add(tenant(each))
        yield Opened(SqliteSessions(database), self._held)
        database.close()

    def _held(self) -> bytes:
        return b"".join(file.read_bytes() for file in self.home.glob("registry.db*"))


@dataclass(frozen=True)
class DynamoPlace:
    """A table behind an address."""

    url: str | None
    table: str

    @contextmanager
    def open(self) -> Generator[Opened]:
        connected = client(self.url)
        yield Opened(
            DynamoSessions(connected, self.table),
            lambda: repr(connected.scan(TableName=self.table, ConsistentRead=True)["Items"]).encode(),
        )
