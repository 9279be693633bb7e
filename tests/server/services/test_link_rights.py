"""A link opens while its key is in force and its person may read, by the tags of that moment where they can be read."""

from dataclasses import dataclass, replace
from urllib.parse import urlsplit

import pytest

from groundwire.domain.access.decision import Decision
from groundwire.domain.access.policy import NO_READERS, Policy, Principal
from groundwire.domain.access.scopes import Scope
from groundwire.domain.access.user_blocks import UserBlock, UserState
from groundwire.domain.documents.links import SEAL_PURPOSE, LinkGrant
from groundwire.domain.keys.caller import Caller
from groundwire.domain.keys.grants import KeyKind, TagSource
from groundwire.domain.keys.options import USUAL_OPTIONS
from groundwire.domain.limits import LINK_STEP_SECONDS, TOKEN_LINK_SECONDS
from groundwire.services.documents.links.link_opener import LinkOpener
from groundwire.services.documents.links.source_links import SourceLinks
from groundwire.services.keys.admin import KeyWithSecret
from groundwire.services.keys.key_spec import KeyChange
from tests.support.isolation.policies import for_users
from tests.support.registry.records import DOCUMENT
from tests.support.worlds.world import World, caller

DAY_S = 86_400
RED = frozenset({"red"})
FOR_RED = replace(NO_READERS, any_tags=RED)


@pytest.fixture
def tenant(world: World) -> str:
    return world.tenant("amber")


def put(world: World, tenant: str, policy: Policy, collection: str = "default") -> None:
    world.ingest(tenant, "The ledger.", policy, path="/nowhere/ledger.txt", doc_id="ledger", collection=collection)


def given(world: World, headers: dict[str, str]) -> str:
    """The link of the passage that a search finds."""
    [segment] = world.search(headers, "ledger").segments
    return segment["source_url"]


def keys(world: World, tenant: str) -> dict[str, tuple[KeyWithSecret, dict[str, str]]]:
    acting, personal = world.acting_key(tenant), world.personal_key(tenant, "ana", RED)
    world.services.stores.users.set(tenant, "ana", RED)
    return {
        "asserted tags": (acting, caller(acting, "ana", RED)),
        "tags of the entry": (acting, caller(acting, "ana")),
        "personal": (personal, caller(personal)),
    }


KINDS = ("asserted tags", "tags of the entry", "personal")


@pytest.mark.parametrize("kind", KINDS)
def test_a_link_ends_with_its_key_and_not_when_the_key_is_rotated(world: World, tenant: str, kind: str) -> None:
    put(world, tenant, FOR_RED)
    key, headers = keys(world, tenant)[kind]
    link = given(world, headers)
    world.services.administration.key_admin.rotate(tenant, key.key.kid, overlap_hours=0)
    assert world.open(link).status == 200
    world.services.administration.key_admin.revoke(tenant, key.key.kid)
    assert world.open(link).status == 404


@pytest.mark.parametrize("kind", KINDS)
def test_a_link_ends_when_its_key_expires(world: World, tenant: str, kind: str) -> None:
    put(world, tenant, FOR_RED)
    key, headers = keys(world, tenant)[kind]
    token = urlsplit(given(world, headers)).path.rpartition("/")[2]
    expires_at = key.key.expires_at
    assert expires_at is not None
    grant = world.services.reading.short_links.read(token)
    assert grant is not None
    longer = replace(grant, expires_at=int(expires_at) + DAY_S)
    token = world.services.stores.seal.seal(SEAL_PURPOSE, longer.to_bytes())
    assert opened_at(world, token, expires_at - 1)
    assert not opened_at(world, token, expires_at)


def opened_at(world: World, token: str, now: float) -> bool:
    stores = world.services.stores
    opener = LinkOpener(
        stores.seal, stores.keys, stores.users, stores.documents, stores.collections, stores.blobs, lambda: now
    )
    return opener.admit(opener.read_grant(token)) is not None


def test_a_link_ends_when_its_document_moves_out_of_the_keys_collections(world: World, tenant: str) -> None:
    put(world, tenant, for_users("ana"), "shelf")
    key = world.acting_key(tenant, collections=frozenset({"shelf"}))
    link = given(world, caller(key, "ana"))
    assert world.open(link).status == 200
    put(world, tenant, for_users("ana"), "attic")
    assert world.open(link).status == 404


def test_a_link_by_a_users_entry_opens_by_the_entry_of_that_moment(world: World, tenant: str) -> None:
    put(world, tenant, FOR_RED)
    users = world.services.stores.users
    users.set(tenant, "ana", RED)
    link = given(world, caller(world.acting_key(tenant), "ana"))
    statuses = [world.open(link).status]
    for tags in (frozenset({"blue"}), RED | {"blue"}, frozenset[str]()):
        users.set(tenant, "ana", tags)
        statuses.append(world.open(link).status)
    users.set(tenant, "ana", RED)
    users.delete(tenant, "ana")
    statuses.append(world.open(link).status)
    assert statuses == [200, 404, 200, 404, 404]


def test_an_entry_lifts_no_link_above_the_tags_of_its_key(world: World, tenant: str) -> None:
    put(world, tenant, FOR_RED)
    users = world.services.stores.users
    users.set(tenant, "ana", RED)
    link = given(world, caller(world.acting_key(tenant, max_tags=("red",)), "ana"))
    users.set(tenant, "ana", RED | {"blue"})
    assert world.open(link).status == 200
    world.services.administration.document_admin.override_policy(
        tenant, "ledger", replace(NO_READERS, any_tags=frozenset({"blue"}))
    )
    assert world.open(link).status == 404


def test_tags_that_a_call_asserted_open_its_link_whatever_the_users_entry_is(world: World, tenant: str) -> None:
    put(world, tenant, FOR_RED)
    link = given(world, caller(world.acting_key(tenant), "ana", RED))
    world.services.stores.users.set(tenant, "ana", frozenset())
    assert world.open(link).status == 200


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    ("less", "more"),
    [
        (KeyChange(scopes=frozenset({Scope.INGEST})), KeyChange(scopes=frozenset({Scope.VERIFY}))),
        (KeyChange(collections=frozenset({"attic"})), KeyChange(collections="every")),
    ],
)
def test_a_link_has_no_right_that_its_key_has_lost(
    world: World, tenant: str, kind: str, less: KeyChange, more: KeyChange
) -> None:
    put(world, tenant, FOR_RED)
    key, headers = keys(world, tenant)[kind]
    link, change = given(world, headers), world.services.administration.key_admin.change
    change(tenant, key.key.kid, less)
    assert world.open(link).status == 404
    change(tenant, key.key.kid, more)
    assert world.open(link).status == 200


@pytest.mark.parametrize("kind", KINDS)
def test_a_link_ends_with_the_tag_that_its_key_has_lost(world: World, tenant: str, kind: str) -> None:
    put(world, tenant, FOR_RED)
    key, headers = keys(world, tenant)[kind]
    link, change = given(world, headers), world.services.administration.key_admin.change

    def bound(*tags: str) -> KeyChange:
        return KeyChange(tags=frozenset(tags)) if kind == "personal" else KeyChange(max_tags=tags)

    change(tenant, key.key.kid, bound("blue"))
    assert world.open(link).status == 404
    change(tenant, key.key.kid, bound("blue", "red"))
    assert world.open(link).status == 200


def test_a_link_of_a_strict_key_ends_with_any_of_its_tags(world: World, tenant: str) -> None:
    put(world, tenant, FOR_RED)
    key = world.acting_key(tenant, max_tags=("red", "blue"), strict_tags=True)
    link, change = given(world, caller(key, "ana", RED | {"blue"})), world.services.administration.key_admin.change
    assert world.open(link).status == 200
    # A call with a tag outside the bound of such a key is refused.
    change(tenant, key.key.kid, KeyChange(max_tags=("red",)))
    assert world.open(link).status == 404


def test_a_fresh_link_of_a_citation_is_checked_like_one_of_a_search(world: World, tenant: str) -> None:
    put(world, tenant, FOR_RED)
    world.services.stores.users.set(tenant, "ana", RED)
    headers = caller(world.acting_key(tenant), "ana")
    [segment] = world.search(headers, "ledger").segments
    link = world.verify(headers, segment["segment_uid"]).result["refreshed_url"]
    assert world.open(link).status == 200
    world.services.stores.users.set(tenant, "ana", frozenset())
    assert world.open(link).status == 404


@dataclass
class CountedUsers:
    """The entries of a tenant's users, counting."""

    world: World
    reads: int = 0

    def set(self, tenant: str, user: str, tags: frozenset[str]) -> None:
        raise NotImplementedError

    def state(self, tenant: str, user: str) -> UserState:
        self.reads += 1
        return self.world.services.stores.users.state(tenant, user)

    def all(self, tenant: str) -> list[tuple[str, frozenset[str]]]:
        raise NotImplementedError

    def replace(self, tenant: str, user: str, tags: frozenset[str], expected: frozenset[str] | None) -> None:
        raise NotImplementedError

    def delete(self, tenant: str, user: str) -> None:
        raise NotImplementedError

    def block(self, tenant: str, block: UserBlock) -> None:
        raise NotImplementedError

    def unblock(self, tenant: str, user: str) -> None:
        raise NotImplementedError

    def blocked(self, tenant: str) -> list[UserBlock]:
        raise NotImplementedError


@pytest.mark.parametrize("kind", KINDS)
def test_an_opening_reads_entry_and_block_of_the_user_once(world: World, tenant: str, kind: str) -> None:
    put(world, tenant, FOR_RED)
    _, headers = keys(world, tenant)[kind]
    token = urlsplit(given(world, headers)).path.rpartition("/")[2]
    at, users = world.services, CountedUsers(world)
    stores = at.stores
    opener = LinkOpener(stores.seal, stores.keys, users, stores.documents, stores.collections, stores.blobs, at.clock)
    assert opener.admit(at.reading.short_links.read(token)) is not None
    assert users.reads == 1


@pytest.mark.parametrize("kind", KINDS)
def test_the_links_of_a_blocked_user_end_at_once_and_open_again_after_the_block(
    world: World, tenant: str, kind: str
) -> None:
    put(world, tenant, FOR_RED)
    link = given(world, keys(world, tenant)[kind][1])
    assert world.open(link).status == 200
    unknown = world.open(f"{link.rpartition('/')[0]}/forged")
    world.services.stores.users.block(tenant, UserBlock("ANA", Decision("olga", 0.0, "", "")))
    assert (world.open(link).status, world.open(link).response.body) == (404, unknown.response.body)
    world.services.stores.users.unblock(tenant, "ana")
    assert world.open(link).status == 200


def test_a_link_of_the_release_before_ends_with_the_block_too(world: World, tenant: str) -> None:
    put(world, tenant, FOR_RED)
    grant = LinkGrant(Principal(tenant, "ana", RED), "ledger", int(world.services.clock()) + 60, None)
    link = f"/open/{world.services.stores.seal.seal(SEAL_PURPOSE, grant.to_bytes())}"
    assert world.open(link).status == 200
    world.services.stores.users.block(tenant, UserBlock("Ana", Decision("olga", 0.0, "", "")))
    assert world.open(link).status == 404


TOKEN_LIFETIMES = range(TOKEN_LINK_SECONDS * 2 // 3, TOKEN_LINK_SECONDS + 1)
LIFETIMES = [
    (KeyKind.ACT_AS, TagSource.CALL, DAY_S, range(DAY_S, DAY_S + LINK_STEP_SECONDS)),
    (KeyKind.ACT_AS, TagSource.ENTRY, DAY_S, range(DAY_S, DAY_S + LINK_STEP_SECONDS)),
    (KeyKind.PERSONAL, TagSource.KEY, 60, range(60, 60 + LINK_STEP_SECONDS)),
    (KeyKind.OAUTH, TagSource.TOKEN, DAY_S, TOKEN_LIFETIMES),
    (KeyKind.OAUTH, TagSource.TOKEN, 60, range(40, 61)),
    # An authorizer of the release before does not tell where the tags came from.
    (KeyKind.ACT_AS, None, DAY_S, TOKEN_LIFETIMES),
]


@pytest.mark.parametrize(("kind", "tag_source", "setting", "seconds"), LIFETIMES)
@pytest.mark.parametrize("now", [1_800_000_000.0, 1_800_000_000.5, 1_800_000_299.9, 1_800_001_234.0, 1_800_003_599.9])
def test_a_link_lives_as_long_as_the_setting_states_and_that_of_a_token_a_quarter_of_an_hour_at_most(
    world: World, now: float, kind: KeyKind, tag_source: TagSource | None, setting: int, seconds: range
) -> None:
    stores, short = world.services.stores, world.services.reading.short_links
    links = SourceLinks(stores.seal, short, "https://kb.example", setting, lambda: now)
    principal = Principal("t_1", "ana", RED)
    speaking = Caller(principal, "kid", kind, frozenset(), "every", USUAL_OPTIONS, tag_source=tag_source)
    token = links.url_for(replace(DOCUMENT, source_url=None), speaking).rpartition("/")[2]
    payload = world.services.stores.seal.unseal(SEAL_PURPOSE, token)
    assert payload is not None
    assert int(LinkGrant.from_bytes(payload).expires_at - now) in seconds
