import base64
import itertools
from dataclasses import replace
from urllib.parse import urlsplit

import pytest

from groundwire.domain.access.policy import Principal
from groundwire.domain.documents.links import SEAL_PURPOSE, LinkGrant, LinkOrigin
from groundwire.domain.keys.api_key import ApiKey
from groundwire.domain.keys.caller import Caller
from groundwire.domain.keys.grants import TagSource
from groundwire.services.documents.links.link_opener import LinkOpener
from groundwire.services.documents.links.source_links import SourceLinks
from tests.support.isolation.policies import PUBLIC, for_users
from tests.support.registry.link_grants import MemoryLinkGrants, short_links
from tests.support.worlds.world import World, caller

LEAVE = "The ledger grants thirty days."
SECONDS = 900


@pytest.fixture
def tenant(world: World) -> str:
    made = world.tenant("amber")
    world.ingest(made, LEAVE, for_users("ana"), path="/nowhere/leave.txt", doc_id="leave")
    return made


@pytest.fixture
def key(world: World, tenant: str) -> ApiKey:
    return world.acting_key(tenant).key


def ana(key: ApiKey) -> Caller:
    return Caller.from_key(key, Principal(key.tenant, "ana", frozenset()), key.scopes, TagSource.CALL, now=0.0)


def link(world: World, key: ApiKey) -> str:
    record = world.services.stores.documents.read(key.tenant, ["leave"])["leave"]
    return world.services.reading.source_links.url_for(record, ana(key))


def opened_at(world: World, token: str, now: float) -> bool:
    stores = world.services.stores
    opener = LinkOpener(
        stores.seal, stores.keys, stores.users, stores.documents, stores.collections, stores.blobs, lambda: now
    )
    return opener.admit(opener.read_grant(token)) is not None


def test_a_link_opens_the_file_as_it_is_now(world: World, tenant: str, key: ApiKey) -> None:
    made = link(world, key)
    world.ingest(tenant, "The ledger is closed.", for_users("ana"), path="/nowhere/leave.txt", doc_id="leave")
    answer = world.open(made)
    assert (answer.status, answer.response.body) == (200, b"The ledger is closed.")
    disposition = "inline; filename=\"leave.txt\"; filename*=UTF-8''leave.txt"
    assert ("content-disposition", disposition) in answer.response.headers


def test_a_link_is_made_from_the_setting_and_never_from_the_request(world: World, tenant: str) -> None:
    headers = caller(world.acting_key(tenant), "ana") | {"x-forwarded-host": "evil.example", "forwarded": "host=evil"}
    [segment] = world.search(headers, "ledger").segments
    assert segment["source_url"].startswith(f"{world.services.settings.public_url}/o/")


def test_a_link_is_good_until_its_expiry_and_not_a_second_longer(world: World, tenant: str, key: ApiKey) -> None:
    now = key.created_at
    record = world.services.stores.documents.read(tenant, ["leave"])["leave"]
    short = short_links(MemoryLinkGrants(fails=True), lambda: now)
    links = SourceLinks(world.services.stores.seal, short, "https://kb.example", SECONDS, lambda: now)
    token = links.url_for(record, ana(key)).rpartition("/")[2]
    grant = world.services.reading.link_opener.read_grant(token)
    assert grant is not None
    assert opened_at(world, token, now + SECONDS)
    assert opened_at(world, token, grant.expires_at - 1)
    assert not opened_at(world, token, grant.expires_at)


def test_a_repoliced_document_is_not_opened_by_a_link_that_has_not_expired(
    world: World, tenant: str, key: ApiKey
) -> None:
    made = link(world, key)
    world.services.administration.document_admin.override_policy(tenant, "leave", for_users("ben"))
    assert world.open(made).status == 404
    world.services.administration.document_admin.override_policy(tenant, "leave", for_users("ana"))
    assert world.open(made).status == 200


def test_forged_expired_forbidden_deleted_unknown_and_removed_links_are_answered_alike(
    world: World, tenant: str, key: ApiKey
) -> None:
    seal, later = world.services.stores.seal, 4_000_000_000

    def sealed(user: str, doc_id: str, expires_at: int, of: str = tenant, kid: str = key.kid) -> str:
        grant = LinkGrant(Principal(of, user, frozenset()), doc_id, expires_at, LinkOrigin(kid, TagSource.CALL))
        return f"/open/{seal.seal(SEAL_PURPOSE, grant.to_bytes())}"

    narrow = world.acting_key(tenant, collections=frozenset({"shelf"})).key
    revoked = world.acting_key(tenant).key
    world.services.administration.key_admin.revoke(tenant, revoked.kid)
    world.ingest(tenant, "Gone.", PUBLIC, path="/nowhere/gone.txt", doc_id="gone")
    world.services.administration.document_admin.delete(tenant, "gone")
    stranger = world.tenant("birch")
    refused = {
        "forged": "/open/" + base64.urlsafe_b64encode(bytes(range(80))).decode(),
        "short": "/open/x",
        "of another purpose": f"/open/{seal.seal('session', b'[]')}",
        "expired": sealed("ana", "leave", 1),
        "forbidden": sealed("ben", "leave", later),
        "deleted": sealed("ana", "gone", later),
        "unknown": sealed("ana", "never", later),
        "of another tenant": sealed("ana", "leave", later, stranger),
        "of another tenant, with a key of its own": sealed(
            "ana", "leave", later, stranger, world.acting_key(stranger).key.kid
        ),
        "of a key of another tenant": sealed("ana", "leave", later, kid=world.acting_key(stranger).key.kid),
        "of no key": sealed("ana", "leave", later, kid="000000000000"),
        "of a revoked key": sealed("ana", "leave", later, kid=revoked.kid),
        "of a key that does not reach the collection": sealed("ana", "leave", later, kid=narrow.kid),
    }
    answers = {name: world.open(path) for name, path in refused.items()}
    assert {answer.status for answer in answers.values()} == {404}
    assert len({answer.bytes for answer in answers.values()}) == 1
    assert world.open(sealed("ana", "leave", later)).status == 200


def test_no_changed_character_of_a_link_opens_anything(world: World, key: ApiKey) -> None:
    path = urlsplit(link(world, key)).path
    start = len("/o/")
    for at, letter in itertools.product(range(start, len(path), 2), "Az_"):
        if path[at] != letter:
            assert world.open(path[:at] + letter + path[at + 1 :]).status == 404


def test_a_document_with_an_address_of_its_own_is_linked_there(world: World, tenant: str, key: ApiKey) -> None:
    record = replace(
        world.services.stores.documents.read(tenant, ["leave"])["leave"], source_url="https://wiki.example/leave"
    )
    assert world.services.reading.source_links.url_for(record, ana(key)) == "https://wiki.example/leave"


@pytest.mark.parametrize(
    ("stored", "leads"),
    [
        ("https://ok.example/a)![p](https://evil.example/p.png)", "https://ok.example/a%29!%5Bp%5D%28https://evil"),
        ("https://ok.example/\u202e<img/src=https://evil.example/x>", "http://127.0.0.1:8080/o/"),
        ("notes:leave", "http://127.0.0.1:8080/o/"),
    ],
)
def test_a_stored_address_leaves_cleaned_and_one_that_cannot_be_gives_way_to_the_original(
    world: World, tenant: str, key: ApiKey, stored: str, leads: str
) -> None:
    record = replace(world.services.stores.documents.read(tenant, ["leave"])["leave"], source_url=stored)
    assert world.services.reading.source_links.url_for(record, ana(key)).startswith(leads)
