"""Where the registry's stores can live: a place can be sent to another process and opened there.

Free of pytest, as processes that race would load it.
"""

from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from moto import mock_aws

from groundwire.adapters.aws.dynamodb.administered.collections import DynamoCollections
from groundwire.adapters.aws.dynamodb.administered.definitions import DynamoDefinitions
from groundwire.adapters.aws.dynamodb.administered.groups import DynamoGroups
from groundwire.adapters.aws.dynamodb.administered.users import DynamoUsers
from groundwire.adapters.aws.dynamodb.documents.store import DynamoDocuments
from groundwire.adapters.aws.dynamodb.keys.store import DynamoKeys
from groundwire.adapters.aws.dynamodb.sessions.provider_sessions import DynamoProviderSessions
from groundwire.adapters.aws.dynamodb.tenants import DynamoTenants, TenantTables
from groundwire.adapters.aws.dynamodb.uploads import DynamoUploads
from groundwire.adapters.local.registry.administered.collections import SqliteCollections
from groundwire.adapters.local.registry.administered.definitions import SqliteDefinitions
from groundwire.adapters.local.registry.administered.groups import SqliteGroups
from groundwire.adapters.local.registry.administered.users import SqliteUsers
from groundwire.adapters.local.registry.database import Database
from groundwire.adapters.local.registry.documents import SqliteDocuments
from groundwire.adapters.local.registry.keys import SqliteKeys
from groundwire.adapters.local.registry.sessions.provider_sessions import SqliteProviderSessions
from groundwire.adapters.local.registry.tenants import SqliteTenants
from groundwire.adapters.local.registry.uploads import SqliteUploads
from groundwire.ports import (
    Collections,
    Definitions,
    Documents,
    Groups,
    Keys,
    ProviderSessions,
    Tenants,
    Uploads,
    Users,
)
from tests.support.aws.template import tables
from tests.support.engines import dynamodb


@dataclass(frozen=True)
class Stores:
    """The ports of one registry."""

    tenants: Tenants
    keys: Keys
    users: Users
    groups: Groups
    collections: Collections
    documents: Documents
    uploads: Uploads
    definitions: Definitions
    provider_sessions: ProviderSessions


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
            SqliteGroups(database),
            SqliteCollections(database),
            SqliteDocuments(database),
            SqliteUploads(database),
            SqliteDefinitions(database),
            SqliteProviderSessions(database),
        )
        database.close()


@dataclass(frozen=True)
class MotoPlace:
    """DynamoDB in this process: one thread, no other process."""

    def open(self) -> Generator[Stores]:
        with mock_aws():
            yield from dynamo_place(None).open()


@dataclass(frozen=True)
class DynamoPlace:
    """The tables of the template behind an address."""

    url: str | None
    tables: TenantTables

    def open(self) -> Generator[Stores]:
        client = dynamodb.client(self.url)
        yield Stores(
            DynamoTenants(client, self.tables),
            DynamoKeys(client, self.tables.keys),
            DynamoUsers(client, self.tables.users),
            DynamoGroups(client, self.tables.users),
            DynamoCollections(client, self.tables.documents),
            DynamoDocuments(client, self.tables.documents),
            DynamoUploads(client, self.tables.documents),
            DynamoDefinitions(client, self.tables.documents),
            DynamoProviderSessions(client, self.tables.sessions),
        )
        client.close()


def dynamo_place(url: str | None) -> DynamoPlace:
    """With tables of its own, empty."""
    client = dynamodb.client(url)
    made = tables.create(client)
    client.close()
    return DynamoPlace(url, TenantTables(*(made[each] for each in _TABLES)))


_TABLES = ("KeysTable", "UsersTable", "DocumentsTable", "SessionsTable")


@contextmanager
def opened(place: Place) -> Generator[Stores]:
    yield from place.open()
