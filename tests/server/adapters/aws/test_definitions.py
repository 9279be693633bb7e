"""Definitions in a deployment: requests that the functions' roles may make, and rows that go with their tenant."""

from collections.abc import Iterable

from groundwire.adapters.aws.dynamodb.administered.definitions import DynamoDefinitions
from groundwire.ports.definitions import DefinitionKind, Presence, StoredDefinition
from tests.server.adapters.aws.tables import Cloud
from tests.support.aws.template.role_grants import granted
from tests.support.registry.records import NOW, tenant

KIND = DefinitionKind.KNOWLEDGE_BASE
PLAN = StoredDefinition(KIND, "plan", b"{}", "tag", NOW, NOW)
WITHIN_TRANSACTIONS = ("DeleteItem", "PutItem", "UpdateItem")


def stored(cloud: Cloud) -> DynamoDefinitions:
    cloud.tenants.add(tenant("t-acme"))
    return DynamoDefinitions(cloud.client, cloud.names.documents)


def needed(requests: Iterable[str]) -> set[str]:
    """The actions that a role needs for these requests: a transaction needs those of its writes."""
    made = set(requests)
    writes = set(WITHIN_TRANSACTIONS) if "TransactWriteItems" in made else set[str]()
    return {f"dynamodb:{each}" for each in made - {"TransactWriteItems"} | writes}


def test_the_function_of_the_dialects_routes_may_write_and_that_of_mcp_reads_alone(cloud: Cloud) -> None:
    definitions = stored(cloud)
    cloud.requests.during()
    for expected in (Presence.ABSENT, Presence.ANY, "tag", Presence.PRESENT):
        definitions.put("t-acme", PLAN, expected)
    definitions.delete("t-acme", KIND, "plan", "tag")
    writing = needed(cloud.requests.during())
    assert definitions.find("t-acme", KIND, "plan") is None
    assert definitions.list_all("t-acme", KIND) == []
    reading = needed(cloud.requests.during())
    assert writing == {"dynamodb:DeleteItem", "dynamodb:PutItem", "dynamodb:UpdateItem"}
    assert reading == {"dynamodb:GetItem", "dynamodb:Query"}
    assert writing | reading <= granted("ApiRole")["DocumentsTable"]
    assert reading <= granted("McpRole")["DocumentsTable"]
    assert not writing & granted("McpRole")["DocumentsTable"]


def test_no_row_of_a_definition_outlives_its_tenant(cloud: Cloud) -> None:
    definitions = stored(cloud)
    definitions.put("t-acme", PLAN, Presence.ABSENT)
    definitions.put("t-acme", PLAN._replace(name="other"), Presence.ABSENT)
    definitions.delete("t-acme", KIND, "other", Presence.ANY)
    assert cloud.tenants.delete("t-acme")["definitions"] == 1
    assert cloud.rows() == []


def test_a_definition_that_was_written_after_the_deletion_goes_with_the_second_look(cloud: Cloud) -> None:
    definitions = stored(cloud)
    cloud.tenants.delete("t-acme")
    definitions.put("t-acme", PLAN, Presence.ANY)
    assert cloud.tenants.delete("t-acme")["definitions"] == 1
    assert cloud.rows() == []
