import pytest

from groundwire.domain import errors
from groundwire.domain.documents.collection import Collection
from tests.support.registry.backends import Stores
from tests.support.registry.records import tenant


@pytest.fixture(autouse=True)
def two_tenants(stores: Stores) -> None:
    stores.tenants.add(tenant("t-acme"))
    stores.tenants.add(tenant("t-blue"))


def test_a_collection_keeps_the_settings_put_last(stores: Stores) -> None:
    stores.collections.put("t-acme", Collection("handbook", 0.4))
    stores.collections.put("t-acme", Collection("handbook", 0.75))
    assert stores.collections.all("t-acme") == [Collection("handbook", 0.75)]


def test_adding_a_collection_creates_it_and_leaves_the_settings_of_one_that_is_there(stores: Stores) -> None:
    assert stores.collections.add("t-acme", Collection("handbook", 0.4, no_originals=True))
    assert not stores.collections.add("t-acme", Collection("handbook", 0.75))
    assert stores.collections.all("t-acme") == [Collection("handbook", 0.4, no_originals=True)]
    assert stores.collections.add("t-blue", Collection("handbook", 0.75))
    assert stores.collections.all("t-blue") == [Collection("handbook", 0.75)]


def test_a_description_is_kept_until_it_is_put_without_one(stores: Stores) -> None:
    described = Collection("handbook", 0.4, "de", "Rules on travel, 旅行 too.")
    stores.collections.put("t-acme", described)
    assert stores.collections.all("t-acme") == [described]
    stores.collections.put("t-acme", Collection("handbook", 0.4, "de"))
    assert stores.collections.all("t-acme") == [Collection("handbook", 0.4, "de")]


def test_collections_are_listed_by_name_for_their_tenant_only(stores: Stores) -> None:
    for name in ("prices", "handbook"):
        stores.collections.put("t-acme", Collection(name, 0.4))
    assert [each.name for each in stores.collections.all("t-acme")] == ["handbook", "prices"]
    assert stores.collections.all("t-blue") == []


def test_a_deleted_collection_no_longer_exists_and_cannot_be_deleted_again(stores: Stores) -> None:
    for tenant_id in ("t-acme", "t-blue"):
        stores.collections.put(tenant_id, Collection("handbook", 0.4))
    stores.collections.delete("t-acme", "handbook")
    assert stores.collections.all("t-acme") == []
    assert stores.collections.all("t-blue") == [Collection("handbook", 0.4)]
    with pytest.raises(errors.NotFound):
        stores.collections.delete("t-acme", "handbook")


def test_a_floor_is_kept_until_it_is_taken_back(stores: Stores) -> None:
    stores.collections.put("t-acme", Collection("handbook", 0.4, "de", floor=0.125))
    stores.collections.put("t-acme", Collection("open", 0.4, floor=0.0))
    assert stores.collections.all("t-acme") == [
        Collection("handbook", 0.4, "de", floor=0.125),
        Collection("open", 0.4, floor=0.0),
    ]
    stores.collections.put("t-acme", Collection("handbook", 0.4, "de"))
    assert stores.collections.all("t-acme")[0].floor is None
