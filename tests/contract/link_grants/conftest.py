"""The suite runs once per place: SQLite and DynamoDB Local, or moto where that is absent and may be."""

from collections.abc import Generator
from contextlib import ExitStack
from pathlib import Path

import pytest
from moto import mock_aws

from groundwire.adapters.aws.dynamodb.sessions.link_grants import DynamoLinkGrants
from groundwire.adapters.local.registry.database import Database
from groundwire.adapters.local.registry.sessions.link_grants import SqliteLinkGrants
from groundwire.adapters.local.registry.tenants import SqliteTenants
from groundwire.ports import LinkGrants
from tests.support.aws.template import tables
from tests.support.engines.dynamodb import client
from tests.support.registry.records import tenant

TABLE = "SessionsTable"


@pytest.fixture(params=["sqlite", "dynamodb"])
def grants(request: pytest.FixtureRequest, tmp_path: Path) -> Generator[LinkGrants]:
    if request.param == "sqlite":
        database = Database(tmp_path / "home")
        for each in ("t-acme", "t-blue"):
            SqliteTenants(database).add(tenant(each))
        yield SqliteLinkGrants(database)
        database.close()
        return
    # Asked for here, so that the other place needs no engine.
    url = request.getfixturevalue("dynamodb_url_or_moto")
    with ExitStack() as stack:
        if url is None:
            stack.enter_context(mock_aws())
        connected = client(url)
        yield DynamoLinkGrants(connected, tables.create(connected, [TABLE])[TABLE])
        connected.close()
