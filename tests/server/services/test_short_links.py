"""Short links: 22 characters, no state per passage, and the rights of the moment at each opening."""

import hashlib
import json
import re
from dataclasses import replace
from urllib.parse import urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.adapters.codecs.block_codes import AesBlockCodes
from groundwire.domain.access.decision import Decision
from groundwire.domain.access.policy import Principal
from groundwire.domain.access.user_blocks import UserBlock
from groundwire.domain.documents.ids import made_id, made_id_number
from groundwire.domain.documents.links import (
    CODE_PURPOSE,
    GRANT_PURPOSE,
    SEAL_PURPOSE,
    LinkGrant,
    LinkNumbers,
    LinkOrigin,
    grant_handles,
)
from groundwire.domain.keys.api_key import ApiKey
from groundwire.domain.keys.grants import TagSource
from tests.support.isolation.policies import for_users
from tests.support.registry.link_grants import SECRET, MemoryLinkGrants, short_links
from tests.support.worlds.world import World, caller

NOW = 1_800_000_000.0
END = 1_800_003_600
LEDGER = "doc_00000000000000aa"
HANDLES, NUMBERS = st.integers(0, 2**48 - 1), st.integers(0, 2**64 - 1)
CODE = re.compile(r"/o/[0-9A-Za-z_-]{22}")
CHOSEN_IDS = st.one_of(
    st.sampled_from(["ledger", "doc_1", f"{LEDGER}0", LEDGER.upper(), "hr.handbook-2025", "a" * 120]),
    st.from_regex(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,119}", fullmatch=True).filter(
        lambda text: made_id_number(text) is None
    ),
)
TOKENS = st.text("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_", min_size=22, max_size=22)


def grant(tenant: str = "t_1", user: str = "ana", doc_id: str = LEDGER, expires_at: int = END) -> LinkGrant:
    principal = Principal(tenant, user, frozenset({"red"}))
    return LinkGrant(principal, doc_id, expires_at, LinkOrigin("4fGh7Kq2LmNp", TagSource.CALL))


@given(handle=HANDLES, number=NUMBERS, is_digest=st.booleans())
def test_the_numbers_of_a_link_are_read_from_each_of_its_blocks(*, handle: int, number: int, is_digest: bool) -> None:
    numbers = LinkNumbers(handle, number, is_digest)
    blocks = list(numbers.blocks())
    assert len(set(blocks)) == 8
    assert {LinkNumbers.from_block(block) for block in blocks} == {numbers}


@given(st.sampled_from(["t_1", "t_2"]), st.sampled_from(["ana", "ben"]), NUMBERS)
def test_a_code_means_its_grant_and_its_document_in_every_process(tenant: str, user: str, number: int) -> None:
    grants, granted = MemoryLinkGrants(), grant(tenant, user, made_id(number))
    first, second = (short_links(grants, lambda: NOW) for _ in range(2))
    code = first.code(granted)
    assert code is not None
    assert len(code) == 22
    assert code == second.code(granted)
    assert second.read(code) == granted
    assert len(grants.rows) == 1


def test_a_known_principal_writes_nothing_whatever_the_documents_and_the_next_hour_writes_once() -> None:
    grants = MemoryLinkGrants()
    links = short_links(grants, lambda: NOW)
    for number in range(2_000):
        links.code(grant(doc_id=made_id(number)))
    assert grants.writes == 1
    links.code(grant(expires_at=END + 3_600))
    links.code(grant(user="ben"))
    assert grants.writes == 3


@given(TOKENS)
def test_a_random_code_opens_nothing(code: str) -> None:
    grants = MemoryLinkGrants()
    links = short_links(grants, lambda: NOW)
    links.code(grant())
    assert links.read(code) is None


def test_no_changed_character_of_a_code_opens_anything() -> None:
    links = short_links(MemoryLinkGrants(), lambda: NOW)
    code = links.code(grant())
    assert code is not None
    for at in range(len(code)):
        for letter in "Az0_":
            changed = code[:at] + letter + code[at + 1 :]
            assert (links.read(changed) is not None) == (changed == code)


def test_a_code_of_another_installation_opens_nothing_even_with_the_same_grants() -> None:
    grants = MemoryLinkGrants()
    code = short_links(grants, lambda: NOW).code(grant())
    assert code is not None
    assert short_links(grants, lambda: NOW, b"K" * 32).read(code) is None


def test_a_grant_that_another_installation_sealed_opens_nothing() -> None:
    grants = MemoryLinkGrants()
    short_links(grants, lambda: NOW, b"K" * 32).code(grant())
    [handle] = grants.rows
    block = next(LinkNumbers(handle, 0xAA).blocks())
    assert short_links(grants, lambda: NOW).read(AesBlockCodes(SECRET).encode(CODE_PURPOSE, block)) is None


@given(st.integers(0, 2**48 - 1))
def test_an_unknown_handle_opens_nothing(handle: int) -> None:
    grants = MemoryLinkGrants()
    block = next(LinkNumbers(handle, 0xAA).blocks())
    assert short_links(grants, lambda: NOW).read(AesBlockCodes(SECRET).encode(CODE_PURPOSE, block)) is None


def test_a_code_ends_with_its_grant() -> None:
    grants = MemoryLinkGrants()
    code = short_links(grants, lambda: NOW).code(grant())
    assert code is not None
    assert short_links(grants, lambda: END - 1.0).read(code) == grant()
    assert short_links(grants, lambda: END).read(code) is None


def test_a_handle_that_another_grant_has_gives_way_to_the_next() -> None:
    grants = MemoryLinkGrants()
    code = short_links(grants, lambda: NOW).code(grant())
    [(handle, (sealed, _))] = grants.rows.items()
    assert handle == next(grant_handles(sealed))
    taken = MemoryLinkGrants({handle: ("another", END)})
    links = short_links(taken, lambda: NOW)
    other = links.code(grant())
    assert other is not None
    assert other != code
    assert links.read(other) == grant()
    full = MemoryLinkGrants(dict.fromkeys(grant_handles(sealed), ("another", END)))
    assert short_links(full, lambda: NOW).code(grant()) is None


def test_a_store_that_takes_no_grant_gets_none_for_a_minute() -> None:
    moments = [NOW]
    grants = MemoryLinkGrants(fails=True)
    links = short_links(grants, lambda: moments[0])
    assert [links.code(grant(user=user)) for user in ("ana", "ben", "cem")] == [None] * 3
    assert grants.writes == 1
    grants.fails = False
    assert links.code(grant()) is None
    moments[0] += 60
    assert links.code(grant()) is not None


@given(CHOSEN_IDS)
def test_an_id_of_the_owners_choice_follows_its_code_and_is_read_again(doc_id: str) -> None:
    grants = MemoryLinkGrants()
    links = short_links(grants, lambda: NOW)
    code = links.code(grant(doc_id=doc_id))
    assert code is not None
    assert re.fullmatch(r"[0-9A-Za-z_-]{22}", code[:22])
    assert code[22:] == f".{doc_id}"
    assert links.read(code) == grant(doc_id=doc_id)
    links.code(grant())
    assert grants.writes == 1


@given(CHOSEN_IDS, CHOSEN_IDS)
def test_a_code_opens_no_other_document_than_its_own(own: str, other: str) -> None:
    links = short_links(MemoryLinkGrants(), lambda: NOW)
    code, made = links.code(grant(doc_id=own)), links.code(grant())
    assert code is not None
    assert made is not None
    wrong = [code[:22], f"{code}.", f"{code[:22]}.{LEDGER}", f"{made}.{other}", f"{made}.{LEDGER}", f"{made}."]
    assert [links.read(each) for each in wrong] == [None] * len(wrong)
    assert (links.read(f"{code[:22]}.{other}") is not None) == (other == own)


@pytest.fixture
def tenant(world: World) -> str:
    made = world.tenant("amber")
    world.ingest(made, "The ledger grants thirty days.", for_users("ana"), path="/nowhere/ledger.txt", doc_id=LEDGER)
    return made


@pytest.fixture
def key(world: World, tenant: str) -> ApiKey:
    return world.acting_key(tenant).key


def short(world: World, tenant: str, user: str = "ana", doc_id: str = LEDGER, kid: str = "") -> str:
    """The path of a link as `SourceLinks` makes it, for rights that a search might not have."""
    origin = LinkOrigin(kid, TagSource.CALL)
    granted = LinkGrant(Principal(tenant, user, frozenset()), doc_id, 4_000_000_000, origin)
    code = world.services.reading.short_links.code(granted)
    assert code is not None
    return f"/o/{code}"


def test_a_search_answers_with_a_short_link_that_opens_at_its_passage(world: World, tenant: str) -> None:
    [segment] = world.search(caller(world.acting_key(tenant), "ana"), "ledger").segments
    link = segment["source_url"]
    assert CODE.fullmatch(urlsplit(link).path)
    assert link.partition("?")[2] == f"p={segment['segment_uid'][-16:-10]}"
    assert world.open(link).response.body == b"The ledger grants thirty days."
    shown = world.request("GET", link.removeprefix(world.services.settings.public_url), {"accept": "text/html"}, b"")
    assert shown.status == 200


def test_short_links_without_the_right_are_answered_alike(world: World, tenant: str, key: ApiKey) -> None:
    revoked, narrow = world.acting_key(tenant).key, world.acting_key(tenant, collections=frozenset({"shelf"})).key
    world.services.administration.key_admin.revoke(tenant, revoked.kid)
    world.ingest(tenant, "Gone.", for_users("ana"), path="/nowhere/gone.txt", doc_id=made_id(1))
    world.services.administration.document_admin.delete(tenant, made_id(1))
    stranger = world.tenant("birch")
    foreign = world.acting_key(stranger).key
    expired = LinkGrant(Principal(tenant, "ana", frozenset()), LEDGER, 1, LinkOrigin(key.kid, TagSource.CALL))
    refused = {
        "malformed": "/o/x",
        "of another form": "/o/" + "=" * 22,
        "random": "/o/" + "A" * 22,
        "of a long link": "/o/" + world.services.stores.seal.seal("open", replace(expired, expires_at=END).to_bytes()),
        "expired": f"/o/{world.services.reading.short_links.code(expired)}",
        "forbidden": short(world, tenant, "ben", kid=key.kid),
        "unknown": short(world, tenant, doc_id=made_id(2), kid=key.kid),
        "deleted": short(world, tenant, doc_id=made_id(1), kid=key.kid),
        "of another tenant": short(world, stranger, kid=foreign.kid),
        "of a key of another tenant": short(world, tenant, kid=foreign.kid),
        "of a revoked key": short(world, tenant, kid=revoked.kid),
        "of a key that does not reach the collection": short(world, tenant, kid=narrow.kid),
    }
    answers = {name: world.open(path) for name, path in refused.items()}
    assert {answer.status for answer in answers.values()} == {404}
    assert {answer.bytes for answer in answers.values()} == {world.open("/open/forged").bytes}
    assert world.open(short(world, tenant, kid=key.kid)).status == 200


def test_a_short_link_follows_policy_block_and_revocation_of_the_moment(world: World, tenant: str, key: ApiKey) -> None:
    link, administration, users = (
        short(world, tenant, kid=key.kid),
        world.services.administration,
        world.services.stores.users,
    )
    statuses = [world.open(link).status]
    administration.document_admin.override_policy(tenant, LEDGER, for_users("ben"))
    statuses.append(world.open(link).status)
    administration.document_admin.override_policy(tenant, LEDGER, for_users("ana"))
    statuses.append(world.open(link).status)
    users.block(tenant, UserBlock("ANA", Decision("olga", 0.0, "", "")))
    statuses.append(world.open(link).status)
    users.unblock(tenant, "ana")
    statuses.append(world.open(link).status)
    administration.key_admin.revoke(tenant, key.kid)
    statuses.append(world.open(link).status)
    assert statuses == [200, 404, 200, 404, 200, 404]


def test_the_grants_of_a_deleted_tenant_are_deleted_with_it(world: World, tenant: str, key: ApiKey) -> None:
    link = short(world, tenant, kid=key.kid)
    world.services.administration.tenant_admin.delete(tenant)
    with world.services.stores.database.read() as connection:
        assert connection.execute("SELECT count(*) FROM link_grants").fetchone()[0] == 0
    assert world.open(link).status == 404


def test_a_search_answers_with_a_long_link_while_no_grant_can_be_written(
    world: World, tenant: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(world.services.stores.__dict__, "link_grants", MemoryLinkGrants(fails=True))
    [segment] = world.search(caller(world.acting_key(tenant), "ana"), "ledger").segments
    assert urlsplit(segment["source_url"]).path.startswith("/open/")
    assert world.open(segment["source_url"]).status == 200


def test_the_registry_keeps_a_grant_sealed_and_for_no_other_purpose(world: World, tenant: str) -> None:
    world.search(caller(world.acting_key(tenant), "ana"), "ledger")
    with world.services.stores.database.read() as connection:
        [row] = connection.execute("SELECT sealed FROM link_grants").fetchall()
    payload = world.services.stores.seal.unseal(GRANT_PURPOSE, row["sealed"])
    assert payload is not None
    assert LinkGrant.from_bytes(payload).principal == Principal(tenant, "ana", frozenset())
    assert world.services.stores.seal.unseal(SEAL_PURPOSE, row["sealed"]) is None


def test_an_opening_is_recorded_with_its_person_and_without_the_code(world: World, tenant: str, key: ApiKey) -> None:
    link = short(world, tenant, kid=key.kid)
    world.open(link)
    [log] = world.services.settings.home.rglob("audit*.jsonl")
    lines = [json.loads(line) for line in log.read_text(encoding="utf-8").splitlines()]
    [line] = [each for each in lines if each.get("route") == "/o"]
    assert (line["tenant"], line["kid"], line["outcome"]) == (tenant, key.kid, "opened")
    assert link.removeprefix("/o/") not in json.dumps(line)


def test_a_grant_with_many_tags_has_a_long_link_and_leaves_the_short_ones_of_others() -> None:
    grants = MemoryLinkGrants()
    links = short_links(grants, lambda: NOW)
    many = replace(
        grant(),
        principal=Principal(
            "t_1", "ana", frozenset(hashlib.sha256(bytes([number])).hexdigest() for number in range(64))
        ),
    )
    assert links.code(many) is None
    assert links.code(grant()) is not None
    assert grants.writes == 1


def test_a_key_with_too_many_new_principals_has_long_links_for_the_rest_of_the_hour(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("groundwire.services.documents.links.source_links._MAX_GRANTS_PER_HOUR", 2)
    grants, now = MemoryLinkGrants(), [NOW]
    links = short_links(grants, lambda: now[0])
    codes = [links.code(grant(user=f"user-{number}")) for number in range(4)]
    assert [code is not None for code in codes] == [True, True, False, False]
    other = replace(grant(user="user-3"), origin=LinkOrigin("9bCd3Xy8ZtRs", TagSource.CALL))
    assert links.code(other) is not None
    assert links.code(grant(user="user-0")) == codes[0]
    now[0] += 3_600
    assert links.code(grant(user="user-3")) is not None
