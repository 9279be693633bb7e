"""States of sources in a deployment: the one function that may change them, and rows that go with their tenant."""

from itertools import count

import pytest

from groundwire.adapters.aws.dynamodb.administered.definitions import DynamoDefinitions
from groundwire.adapters.aws.dynamodb.client.attributes import read_text
from groundwire.ports.definitions import DefinitionKind, Presence, StoredDefinition
from groundwire.services.sources.states import SourceStates
from groundwire_egress.mcp_client.calls import SourceListing
from tests.server.adapters.aws.tables import Cloud, Crash
from tests.support.aws.template.role_grants import granted
from tests.support.registry.records import NOW, tenant

PARTITION = "source-state#t-acme"
LISTING = SourceListing([{"name": "search", "inputSchema": {"type": "object"}}], "2025-11-25")
STATE_KINDS = (DefinitionKind.SOURCE_STATE, DefinitionKind.SOURCE_LISTING)
WITHIN_TRANSACTIONS = ("PutItem", "UpdateItem")


def states(cloud: Cloud) -> SourceStates:
    cloud.tenants.add(tenant("t-acme"))
    numbers = count()
    definitions = DynamoDefinitions(cloud.client, cloud.names.documents)
    return SourceStates(definitions, lambda: f"tag{next(numbers)}", lambda: NOW)


def partitions(cloud: Cloud) -> set[str]:
    """Leading keys of everything that is stored of the documents' table."""
    return {read_text(row, "tenant") for row in cloud.client.scan(TableName=cloud.names.documents)["Items"]}


def test_states_listings_and_their_counts_are_in_a_partition_of_their_own(cloud: Cloud) -> None:
    states(cloud).store_listing("t-acme", "s1", LISTING)
    assert partitions(cloud) == {PARTITION}


@pytest.mark.parametrize("kind", DefinitionKind)
def test_every_other_definition_is_in_the_tenants_own_partition(cloud: Cloud, kind: DefinitionKind) -> None:
    definitions = DynamoDefinitions(cloud.client, cloud.names.documents)
    definitions.put("t-acme", StoredDefinition(kind, "n", b"{}", "tag", NOW, NOW), Presence.ABSENT)
    assert partitions(cloud) == {PARTITION if kind in STATE_KINDS else "t-acme"}
    assert [each.name for each in definitions.list_all("t-acme", kind)] == ["n"]
    definitions.delete("t-acme", kind, "n", Presence.ANY)
    assert definitions.list_all("t-acme", kind) == []


def test_the_sources_function_may_make_its_requests_and_no_others(cloud: Cloud) -> None:
    stored = states(cloud)
    cloud.requests.during()
    for _ in range(2):
        stored.change("t-acme", "s1", lambda state: state._replace(failures=1), creates=True)
        stored.store_listing("t-acme", "s1", LISTING)
    made = set(cloud.requests.during())
    needed = {f"dynamodb:{each}" for each in made - {"TransactWriteItems"} | set(WITHIN_TRANSACTIONS)}
    assert "TransactWriteItems" in made
    assert needed == granted("SourcesRole")["DocumentsTable"]


def test_the_mcp_function_may_read_a_listing_and_that_of_rest_delete_it(cloud: Cloud) -> None:
    stored = states(cloud)
    stored.store_listing("t-acme", "s1", LISTING)
    cloud.requests.during()
    assert set(stored.listing("t-acme", "s1")) == {"search"}
    assert {f"dynamodb:{each}" for each in cloud.requests.during()} <= granted("McpRole")["DocumentsTable"]
    stored.delete("t-acme", "s1")
    assert set(cloud.requests.during()) == {"TransactWriteItems"}
    assert {"dynamodb:DeleteItem", "dynamodb:UpdateItem"} <= granted("ApiRole")["DocumentsTable"]
    assert stored.listing("t-acme", "s1") == {}


def test_no_state_outlives_its_tenant_and_none_of_another_tenant_goes(cloud: Cloud) -> None:
    stored = states(cloud)
    stored.store_listing("t-acme", "s1", LISTING)
    stored.store_listing("t-blue", "s1", LISTING)
    cloud.tenants.delete("t-acme")
    assert partitions(cloud) == {"source-state#t-blue"}


def test_a_state_that_was_written_after_the_deletion_goes_with_the_second_look(cloud: Cloud) -> None:
    stored = states(cloud)
    cloud.tenants.delete("t-acme")
    stored.store_listing("t-acme", "s1", LISTING)
    cloud.tenants.delete("t-acme")
    assert cloud.rows() == []


@pytest.mark.parametrize("requests", range(1, 9))
def test_a_deletion_that_was_cut_off_can_be_repeated(cloud: Cloud, requests: int) -> None:
    states(cloud).store_listing("t-acme", "s1", LISTING)
    cloud.requests.left = requests
    with pytest.raises(Crash):
        cloud.tenants.delete("t-acme")
    cloud.requests.left = None
    cloud.tenants.delete("t-acme")
    assert cloud.rows() == []
