"""Sign-ins by the identity provider: one for each attempt, found by their digest until they end."""

from dataclasses import replace

import pytest

from groundwire.domain.access.scopes import Scope
from groundwire.domain.keys.forms.key_text import Secret
from groundwire.domain.keys.forms.oauth import TokenIdentity
from groundwire.domain.keys.forms.provider_session import OpenedSession, ProviderSession
from tests.support.registry.backends import Stores
from tests.support.registry.races import race
from tests.support.registry.records import NOW, tenant

TENANT, ATTEMPT, DIGEST, OTHER = "t-acme", "attempt00000", b"d" * 32, b"o" * 32
END = NOW + 3_600
SESSION = ProviderSession(TENANT, ATTEMPT, Secret("text"))
ANN = TokenIdentity(TENANT, "Ann Ö", ("/sales", "board", "/sales x"), frozenset({Scope.SEARCH}), END)
OPENED = OpenedSession(ANN, ATTEMPT, DIGEST, END)


@pytest.fixture(autouse=True)
def tenants(stores: Stores) -> None:
    stores.tenants.add(tenant(TENANT))
    stores.tenants.add(tenant("t-blue"))


def finds(stores: Stores, digest: bytes = DIGEST, now: float = NOW) -> TokenIdentity | None:
    return stores.provider_sessions.find(SESSION, digest, now)


@pytest.mark.parametrize("identity", [ANN, replace(ANN, groups=(), scopes=frozenset[Scope]())])
def test_a_session_is_found_whole_until_it_ends(stores: Stores, identity: TokenIdentity) -> None:
    assert finds(stores) is None
    assert stores.provider_sessions.open(replace(OPENED, identity=identity), NOW)
    assert finds(stores) == finds(stores, now=END - 0.001) == identity
    assert finds(stores, now=END) is None


def test_a_session_is_found_by_its_digest_its_attempt_and_its_tenant_together(stores: Stores) -> None:
    stores.provider_sessions.open(OPENED, NOW)
    assert finds(stores, OTHER) is None
    for other in (replace(SESSION, tenant="t-blue"), replace(SESSION, attempt="attempt00001")):
        assert stores.provider_sessions.find(other, DIGEST, NOW) is None


def test_an_attempt_opens_one_session_whatever_became_of_it(stores: Stores) -> None:
    second = replace(OPENED, digest=OTHER, identity=replace(ANN, user="mallory"))
    assert stores.provider_sessions.open(OPENED, NOW)
    assert not stores.provider_sessions.open(second, NOW)
    assert (finds(stores), finds(stores, OTHER)) == (ANN, None)
    stores.provider_sessions.end(SESSION, DIGEST, NOW)
    assert not stores.provider_sessions.open(second, NOW)
    assert (finds(stores), finds(stores, OTHER)) == (None, None)


def test_an_attempt_opens_no_second_session_after_a_short_one(stores: Stores) -> None:
    short = replace(OPENED, identity=replace(ANN, expires_at=NOW + 1))
    assert stores.provider_sessions.open(short, NOW)
    assert not stores.provider_sessions.open(replace(OPENED, digest=OTHER), END - 1)


def test_a_session_ends_once_and_by_its_own_digest(stores: Stores) -> None:
    stores.provider_sessions.open(OPENED, NOW)
    assert not stores.provider_sessions.end(SESSION, OTHER, NOW)
    assert [stores.provider_sessions.end(SESSION, DIGEST, NOW) for _ in range(2)] == [True, False]
    assert finds(stores) is None


def test_a_session_that_has_ended_is_not_ended_again(stores: Stores) -> None:
    stores.provider_sessions.open(OPENED, NOW)
    assert not stores.provider_sessions.end(SESSION, DIGEST, END)


def test_sessions_go_with_their_tenant(stores: Stores) -> None:
    stores.provider_sessions.open(OPENED, NOW)
    counted = stores.tenants.delete(TENANT)
    assert finds(stores) is None
    # Nobody counts them: they are no sessions of MCP.
    assert counted["sessions"] == 0


def test_expired_sessions_do_not_hinder_new_ones(stores: Stores) -> None:
    for number in range(20):
        assert stores.provider_sessions.open(replace(OPENED, attempt=f"attempt{number:05}"), NOW)
    assert stores.provider_sessions.open(replace(OPENED, attempt="later0000000", kept_until=END + 60), END)


def test_of_racing_answers_of_one_attempt_one_alone_opens_a_session(shared_stores: Stores) -> None:
    shared_stores.tenants.add(tenant("t-race"))
    identity = replace(ANN, tenant="t-race")
    opened = race(
        16,
        lambda number: shared_stores.provider_sessions.open(
            OpenedSession(identity, ATTEMPT, bytes([number]) * 32, END), NOW
        ),
    )
    assert opened.count(True) == 1
