from pathlib import Path

import pytest

from groundwire.adapters.aws.dynamodb.tenants import DynamoTenants, TenantTables
from tests.contract.ingest_lock.backends import DynamoPlace, FilePlace, Place
from tests.support.engines import dynamodb
from tests.support.registry.backends import dynamo_place
from tests.support.registry.records import tenant


@pytest.fixture(scope="session")
def tables(dynamodb_url: str) -> TenantTables:
    return dynamo_place(dynamodb_url).tables


@pytest.fixture
def tenants(dynamodb_url: str, tables: TenantTables) -> DynamoTenants:
    """Two tenants, anew."""
    tenants = DynamoTenants(dynamodb.client(dynamodb_url), tables)
    for name in ("t-acme", "t-blue"):
        tenants.delete(name)
        tenants.add(tenant(name))
    return tenants


@pytest.fixture(params=["local", "dynamodb"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Place:
    if request.param == "local":
        return FilePlace(tmp_path)
    request.getfixturevalue("tenants")
    made: TenantTables = request.getfixturevalue("tables")
    return DynamoPlace(str(request.getfixturevalue("dynamodb_url")), made.keys)
