from typing import TYPE_CHECKING, Any, cast

import pytest

from groundwire.domain import errors
from groundwire.domain.access.user_blocks import UserState
from groundwire.services.keys.users import UserAdmin
from tests.support.registry.backends import Stores
from tests.support.registry.records import tenant

if TYPE_CHECKING:
    from groundwire.ports import Users

TAGS = frozenset({"department:sales", "größe", "Q4-2024"})


@pytest.fixture(autouse=True)
def two_tenants(stores: Stores) -> None:
    stores.tenants.add(tenant("t-acme"))
    stores.tenants.add(tenant("t-blue"))


def test_a_users_tags_are_exactly_those_set_last(stores: Stores) -> None:
    stores.users.set("t-acme", "ann", frozenset({"old"}))
    stores.users.set("t-acme", "ann", TAGS)
    assert stores.users.state("t-acme", "ann").tags == TAGS


def test_an_entry_without_tags_is_not_the_same_as_no_entry(stores: Stores) -> None:
    stores.users.set("t-acme", "ann", frozenset())
    assert stores.users.state("t-acme", "ann").tags == frozenset()
    assert stores.users.state("t-acme", "bob").tags is None


def test_a_user_of_one_tenant_is_nobody_in_another(stores: Stores) -> None:
    stores.users.set("t-acme", "ann", TAGS)
    assert stores.users.state("t-blue", "ann").tags is None
    assert stores.users.all("t-blue") == []


def test_users_are_compared_exactly(stores: Stores) -> None:
    stores.users.set("t-acme", "ann", TAGS)
    assert [stores.users.state("t-acme", name).tags for name in ("Ann", "ann ", "an_", "%")] == [None] * 4


def test_users_are_listed_by_name(stores: Stores) -> None:
    for user in ("bob", "ann"):
        stores.users.set("t-acme", user, TAGS)
    assert stores.users.all("t-acme") == [("ann", TAGS), ("bob", TAGS)]


def test_a_deleted_entry_no_longer_exists_and_cannot_be_deleted_again(stores: Stores) -> None:
    stores.users.set("t-acme", "ann", TAGS)
    stores.users.set("t-blue", "ann", TAGS)
    stores.users.delete("t-acme", "ann")
    assert stores.users.state("t-acme", "ann").tags is None
    assert stores.users.state("t-blue", "ann").tags == TAGS
    with pytest.raises(errors.NotFound):
        stores.users.delete("t-acme", "ann")


def test_an_entry_is_replaced_only_while_it_is_as_expected(stores: Stores) -> None:
    stores.users.set("t-acme", "ann", TAGS)
    with pytest.raises(errors.Conflict):
        stores.users.replace("t-acme", "ann", frozenset({"new"}), TAGS | {"new"})
    with pytest.raises(errors.Conflict):
        stores.users.replace("t-acme", "ann", frozenset({"new"}), None)
    stores.users.replace("t-acme", "ann", frozenset({"new"}), TAGS)
    assert stores.users.all("t-acme") == [("ann", frozenset({"new"}))]
    stores.users.delete("t-acme", "ann")
    with pytest.raises(errors.Conflict):
        stores.users.replace("t-acme", "ann", TAGS, frozenset({"new"}))
    assert stores.users.all("t-acme") == []
    stores.users.replace("t-acme", "ann", frozenset(), None)
    assert stores.users.all("t-acme") == [("ann", frozenset())]


def test_two_administrators_who_change_the_tags_of_a_user_at_once_undo_nothing(stores: Stores) -> None:
    admin = UserAdmin(cast("Users", _ChangedBetween(stores)), stores.keys, stores.documents, lambda: 0.0)
    for before in (None, TAGS):
        if before is not None:
            stores.users.set("t-acme", "ann", before)
        user, tags = admin.change_tags("t-acme", "ann", frozenset({"mine"}), frozenset({"Q4-2024"}))
        stored = (before or frozenset[str]()) - {"Q4-2024"} | {"mine", "theirs"}
        assert (user, tags) == ("ann", stored)
        assert stores.users.state("t-acme", "ann").tags == stored


class _ChangedBetween:
    """Users of whom somebody else changes one after the first read."""

    def __init__(self, stores: Stores) -> None:
        self._stores = stores

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stores.users, name)

    def state(self, tenant: str, user: str) -> UserState:
        state = self._stores.users.state(tenant, user)
        if "theirs" not in (state.tags or ()):
            self._stores.users.set(tenant, user, (state.tags or frozenset()) | {"theirs"})
        return state
