import pytest

from groundwire.domain import errors
from tests.support.registry.backends import Stores
from tests.support.registry.records import tenant

MAPPING = {"/department/größe": frozenset({"department:sales", "Q4-2024"}), "sales": frozenset[str]()}


@pytest.fixture(autouse=True)
def two_tenants(stores: Stores) -> None:
    stores.tenants.add(tenant("t-acme"))
    stores.tenants.add(tenant("t-blue"))


def test_a_mapping_is_read_as_it_was_written_and_belongs_to_one_tenant(stores: Stores) -> None:
    assert stores.groups.read("t-acme") == {}
    stores.groups.replace("t-acme", MAPPING, {})
    assert stores.groups.read("t-acme") == MAPPING
    assert stores.groups.read("t-blue") == {}
    assert stores.users.all("t-acme") == []


def test_a_mapping_replaces_only_the_one_that_its_writer_read(stores: Stores) -> None:
    stores.groups.replace("t-acme", MAPPING, {})
    for stale in ({}, {"sales": frozenset({"board"})}):
        with pytest.raises(errors.Conflict):
            stores.groups.replace("t-acme", {"other": frozenset()}, stale)
    assert stores.groups.read("t-acme") == MAPPING
    stores.groups.replace("t-acme", {}, MAPPING)
    stores.groups.replace("t-acme", MAPPING, {})
    assert stores.groups.read("t-acme") == MAPPING


def test_a_mapping_that_is_missing_is_none_that_somebody_read(stores: Stores) -> None:
    with pytest.raises(errors.Conflict):
        stores.groups.replace("t-acme", {}, MAPPING)
    assert stores.groups.read("t-acme") == {}


def test_a_deleted_tenant_has_no_mapping(stores: Stores) -> None:
    stores.groups.replace("t-acme", MAPPING, {})
    stores.tenants.mark_deleting("t-acme")
    stores.tenants.delete("t-acme")
    assert stores.groups.read("t-acme") == {}
