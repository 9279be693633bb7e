"""Collections that are remembered are those of the store, as it is now or was less than a minute ago."""

import pytest

from groundwire.adapters.aws.dynamodb.administered.collections import CACHE_TTL_SECONDS, CachedCollections
from groundwire.domain.documents.collection import Collection
from groundwire.domain.errors import NotFound


class Store:
    """Store of collections in memory, which counts its reads."""

    def __init__(self) -> None:
        self.held: dict[str, dict[str, Collection]] = {}
        self.requested = 0

    def put(self, tenant: str, collection: Collection) -> None:
        self.held.setdefault(tenant, {})[collection.name] = collection

    def add(self, tenant: str, collection: Collection) -> bool:
        held = self.held.setdefault(tenant, {})
        return held.setdefault(collection.name, collection) is collection

    def all(self, tenant: str) -> list[Collection]:
        self.requested += 1
        return list(self.held.get(tenant, {}).values())

    def delete(self, tenant: str, name: str) -> None:
        if self.held.get(tenant, {}).pop(name, None) is None:
            raise NotFound("gone")


class World:
    def __init__(self) -> None:
        self.now = 0.0
        self.store = Store()
        self.remembered = CachedCollections(self.store, lambda: self.now)

    def names(self, tenant: str = "t_1") -> list[str]:
        return [each.name for each in self.remembered.all(tenant)]


@pytest.fixture
def world() -> World:
    made = World()
    made.store.put("t_1", Collection("handbook", 0.4))
    return made


def test_the_store_is_read_once_a_minute_and_returns_changes_of_others(world: World) -> None:
    assert world.names() == ["handbook"]
    world.store.put("t_1", Collection("news", 0.4))
    world.now = CACHE_TTL_SECONDS - 0.001
    assert (world.names(), world.store.requested) == (["handbook"], 1)

    world.now = CACHE_TTL_SECONDS
    assert (world.names(), world.store.requested) == (["handbook", "news"], 2)


def test_what_is_changed_here_is_known_here_at_once(world: World) -> None:
    assert world.names() == ["handbook"]
    world.remembered.put("t_1", Collection("news", 0.4))
    assert world.names() == ["handbook", "news"]
    world.remembered.delete("t_1", "handbook")
    assert world.names() == ["news"]
    with pytest.raises(NotFound):
        world.remembered.delete("t_1", "handbook")


def test_adding_a_collection_that_exists_returns_false_and_the_one_of_the_store_is_listed(world: World) -> None:
    assert world.names() == ["handbook"]
    world.store.put("t_1", Collection("news", 0.4))
    assert world.remembered.add("t_1", Collection("news", 0.9)) is False
    assert [each.bm25_weight for each in world.remembered.all("t_1")] == [0.4, 0.4]
    assert world.remembered.add("t_1", Collection("old", 0.4)) is True
    assert world.names() == ["handbook", "news", "old"]


def test_a_tenants_first_collection_is_searched_at_once(world: World) -> None:
    assert world.names("t_2") == []
    world.store.put("t_2", Collection("first", 0.4))
    assert world.names("t_2") == ["first"]


def test_tenants_are_remembered_apart(world: World) -> None:
    world.store.put("t_2", Collection("other", 0.4))
    assert (world.names("t_1"), world.names("t_2"), world.names("t_1")) == (["handbook"], ["other"], ["handbook"])


def test_what_a_caller_does_with_the_list_changes_nothing_that_is_remembered(world: World) -> None:
    world.remembered.all("t_1").clear()
    world.remembered.all("t_1").clear()
    assert world.names() == ["handbook"]
