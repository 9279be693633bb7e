"""Tags of a tenant with their uses, and tags that nobody has; nothing beyond a view changes either."""

from collections.abc import Iterator
from dataclasses import replace

import pytest

from groundwire.domain.access.policy import Policy
from groundwire.domain.access.policy_input import parse_policy
from groundwire.domain.errors import Conflict
from groundwire.domain.keys.grants import KeyKind
from groundwire.services.documents.tags import directory
from groundwire.services.documents.tags.new_tags import NewTag
from groundwire.services.documents.tags.view import operator_view
from tests.support.registry.in_memory import PERSONAL
from tests.support.worlds.homes import fresh_home
from tests.support.worlds.world import World, open_world


@pytest.fixture
def world(monkeypatch: pytest.MonkeyPatch) -> Iterator[World]:
    with fresh_home() as home, open_world(home, monkeypatch) as opened:
        yield opened


@pytest.fixture
def tenant(world: World) -> str:
    tenant = world.tenant("amber")
    world.ingest(tenant, "The pump.", policy("team:legal", "level:1"), path="/nowhere/a.md", collection="a")
    world.ingest(tenant, "The winch.", policy("team:legal"), path="/nowhere/b.md", collection="b")
    services = world.services
    services.stores.users.set(tenant, "ann", frozenset({"team:legal", "staff"}))
    services.administration.group_admin.set(tenant, "chiefs", ["board"])
    create = services.administration.key_admin.create
    create(replace(PERSONAL, tenant=tenant, tags=frozenset({"team:legal"})))
    acting = replace(PERSONAL, tenant=tenant, kind=KeyKind.ACT_AS, user=None, tags=frozenset())
    create(replace(acting, max_tags=("staff", "department:*")))
    revoked = create(replace(PERSONAL, tenant=tenant, tags=frozenset({"gone"}))).key
    services.administration.key_admin.revoke(tenant, revoked.kid)
    return tenant


def policy(*tags: str) -> Policy:
    return parse_policy(public=False, users=["ann"], any_tags=tags[:1], all_tags=tags[1:])


def test_each_use_of_a_tag_is_counted(world: World, tenant: str) -> None:
    found = world.services.administration.tags.directory(operator_view(tenant))
    assert found.is_complete
    assert sorted(found.uses) == ["board", "level:1", "staff", "team:legal"]
    legal, staff = found.uses["team:legal"], found.uses["staff"]
    assert (legal.documents, legal.collections, legal.users, legal.keys) == (2, {"a", "b"}, 1, 1)
    assert (staff.documents, staff.users, staff.bounds, found.uses["board"].groups) == (0, 1, 1, 1)


@pytest.mark.parametrize(
    ("entries", "new"),
    [
        (["team:legal", "staff", "board", "level:1", "*"], []),
        (["team:legla"], [NewTag("team:legla", "team:legal")]),
        (["customers", "team:legal"], [NewTag("customers", None)]),
        (["team:*", "tema:*"], [NewTag("tema:*", "team:*")]),
        (["gone"], [NewTag("gone", None)]),
    ],
)
def test_a_tag_that_nobody_has_is_new(world: World, tenant: str, entries: list[str], new: list[NewTag]) -> None:
    assert list(world.services.administration.tags.new_tags(operator_view(tenant), entries).tags) == new


def test_in_a_tenant_without_tags_none_is_new(world: World) -> None:
    view = operator_view(world.tenant("cobalt"))
    assert world.services.administration.tags.new_tags(view, ["team:legla"]).tags == ()


def test_a_slip_is_refused_once_and_a_tag_like_no_other_passes(world: World, tenant: str) -> None:
    view, check = operator_view(tenant), world.services.administration.tags.new_tags.check
    check(view, ["customers"], allows_new=False)
    check(view, ["team:legla"], allows_new=True)
    with pytest.raises(Conflict, match="Did you mean 'team:legal'"):
        check(view, ["team:legla"], allows_new=False)


def test_where_a_limit_ended_the_reading_nothing_is_refused(
    world: World, tenant: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(directory, "MAX_POLICY_TAG_DOCUMENTS", 1)
    view = operator_view(tenant)
    assert not world.services.administration.tags.directory(view).is_complete
    world.services.administration.tags.new_tags.check(view, ["team:legla"], allows_new=False)
