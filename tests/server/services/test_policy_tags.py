"""Tags in the policies of a tenant's living documents; an incomplete list is marked as such."""

from collections.abc import Iterator

import pytest

from groundwire.domain.access.policy import Policy
from groundwire.domain.access.policy_input import parse_policy
from groundwire.domain.keys.grants import ALL_COLLECTIONS, CollectionGrant
from groundwire.services.documents.tags import policy_tags
from groundwire.services.documents.tags.policy_tags import PolicyTags
from tests.support.worlds.homes import fresh_home
from tests.support.worlds.world import World, open_world


@pytest.fixture
def world(monkeypatch: pytest.MonkeyPatch) -> Iterator[World]:
    with fresh_home() as home, open_world(home, monkeypatch) as opened:
        yield opened


@pytest.fixture
def tenant(world: World) -> str:
    """A tenant whose three documents have the policies of three tags."""
    tenant = world.tenant("amber")
    for tag in ("a", "b", "c"):
        world.ingest(tenant, f"The pump of {tag}.", policy(tag), path=f"/nowhere/{tag}.md", doc_id=tag, collection=tag)
    return tenant


def policy(*tags: str) -> Policy:
    return parse_policy(public=False, users=["ann"], any_tags=tags[:1], all_tags=tags[1:])


def in_policies(world: World, tenant: str, collections: CollectionGrant) -> PolicyTags:
    return world.services.administration.tags.in_policies(tenant, collections)


def test_tags_of_both_lists_and_all_collections_are_found_and_no_other_tenants(world: World, tenant: str) -> None:
    world.ingest(tenant, "The winch.", policy("b", "d"), path="/nowhere/d.md")
    world.ingest(world.tenant("cobalt"), "The winch.", policy("z"), path="/nowhere/z.md")
    assert in_policies(world, tenant, ALL_COLLECTIONS) == PolicyTags(("a", "b", "c", "d"), is_complete=True)
    assert in_policies(world, tenant, frozenset({"a", "c"})) == PolicyTags(("a", "c"), is_complete=True)
    assert in_policies(world, tenant, frozenset()) == PolicyTags((), is_complete=True)


def test_a_tag_that_no_living_document_has_is_not_found(world: World, tenant: str) -> None:
    world.services.administration.document_admin.delete(tenant, "b")
    world.services.administration.document_admin.override_policy(tenant, "c", policy())
    assert in_policies(world, tenant, ALL_COLLECTIONS) == PolicyTags(("a",), is_complete=True)


@pytest.mark.parametrize(("limit", "complete"), [(2, False), (3, True)])
def test_more_documents_than_are_read_make_the_list_incomplete(
    world: World, tenant: str, monkeypatch: pytest.MonkeyPatch, limit: int, *, complete: bool
) -> None:
    monkeypatch.setattr(policy_tags, "MAX_POLICY_TAG_DOCUMENTS", limit)
    monkeypatch.setattr(policy_tags, "_BATCH", 1)
    found = in_policies(world, tenant, ALL_COLLECTIONS)
    assert found == PolicyTags(("a", "b", "c")[:limit], is_complete=complete)


@pytest.mark.parametrize(("limit", "complete"), [(1, False), (2, False), (3, True)])
def test_more_tags_than_are_returned_make_the_list_incomplete(
    world: World, tenant: str, monkeypatch: pytest.MonkeyPatch, limit: int, *, complete: bool
) -> None:
    monkeypatch.setattr(policy_tags, "MAX_POLICY_TAGS", limit)
    found = in_policies(world, tenant, ALL_COLLECTIONS)
    assert found == PolicyTags(("a", "b", "c")[:limit], is_complete=complete)


def test_documents_of_other_collections_leave_the_tags_of_the_covered_ones_complete(
    world: World, tenant: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(policy_tags, "MAX_POLICY_TAG_DOCUMENTS", 1)
    assert in_policies(world, tenant, frozenset({"c"})) == PolicyTags(("c",), is_complete=True)
    assert in_policies(world, tenant, frozenset({"none"})) == PolicyTags((), is_complete=True)
