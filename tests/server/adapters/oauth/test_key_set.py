"""The provider's keys are fetched when they are needed, seldom, and from nobody else."""

import json
import socket
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest

from groundwire.adapters.oidc.key_set import (
    DEFAULT_FRESH_SECONDS,
    MAX_FRESH_SECONDS,
    MIN_FRESH_SECONDS,
    STALE_SECONDS,
    UNKNOWN_KID_SECONDS,
)
from groundwire.adapters.oidc.provider_http import (
    MAX_BYTES,
    RETRY_SECONDS,
)
from groundwire.domain.errors import Unavailable
from groundwire.domain.keys.forms.oauth import IdentityProvider, TokenDenialReason
from tests.support.registry.token_issuer import AUDIENCE, DISCOVERY, JWKS, NOW, Issuer, Reply, verifier_of

LATER = NOW + 90 * 86_400


class Verifier:
    """A server that has verified nothing yet; its tokens do not expire."""

    def __init__(self, issuer: Issuer) -> None:
        self.issuer = issuer
        self.tokens = verifier_of(issuer.provider)

    def counts(self, now: float, kid: str | None = None) -> bool:
        header = {} if kid is None else {"kid": kid}
        return not isinstance(self.tokens.verify(self.issuer.token(exp=LATER, header=header), now), TokenDenialReason)

    @property
    def fetched(self) -> int:
        return self.issuer.requested[JWKS]


@pytest.fixture
def verifier(issuer: Issuer) -> Verifier:
    return Verifier(issuer)


@pytest.mark.parametrize(
    ("cache_control", "fresh_s"),
    [
        ("", DEFAULT_FRESH_SECONDS),
        ("max-age=600", 600),
        ("public, Max-Age=600, immutable", 600),
        ("max-age=1", MIN_FRESH_SECONDS),
        ("max-age=604800", MAX_FRESH_SECONDS),
        ("no-store", MIN_FRESH_SECONDS),
        ("no-cache, max-age=600", MIN_FRESH_SECONDS),
        ("s-maxage=9", DEFAULT_FRESH_SECONDS),
        ("max-age=many", DEFAULT_FRESH_SECONDS),
    ],
)
def test_keys_are_kept_as_long_as_the_provider_states_within_bounds(
    issuer: Issuer, verifier: Verifier, cache_control: str, fresh_s: int
) -> None:
    issuer.cache_control = cache_control
    assert verifier.counts(NOW)
    assert verifier.counts(NOW + fresh_s - 1)
    assert verifier.fetched == 1
    assert verifier.counts(NOW + fresh_s)
    assert verifier.fetched == 2


def test_a_new_key_of_the_provider_counts_at_once_and_the_one_before_no_more(
    issuer: Issuer, verifier: Verifier
) -> None:
    before = issuer.token(exp=LATER)
    assert verifier.counts(NOW)
    issuer.rotate("second")
    assert verifier.counts(NOW + 1)
    assert verifier.tokens.verify(before, NOW + 1) == TokenDenialReason.UNKNOWN_SIGNER
    assert verifier.fetched == 2


def test_strangers_with_kids_of_their_own_have_the_keys_fetched_once_in_a_while(verifier: Verifier) -> None:
    assert verifier.counts(NOW)
    for second in range(1, UNKNOWN_KID_SECONDS + 1):
        assert not verifier.counts(NOW + second, kid=f"unheard of {second}")
    assert verifier.fetched == 2
    assert not verifier.counts(NOW + 1 + UNKNOWN_KID_SECONDS, kid="another")
    assert verifier.fetched == 3


def test_a_strangers_first_token_has_the_keys_fetched_once_not_twice(verifier: Verifier) -> None:
    assert not verifier.counts(NOW, kid="unheard of")
    assert verifier.fetched == 1


def test_keys_that_are_held_count_for_an_hour_when_the_provider_is_away(issuer: Issuer, verifier: Verifier) -> None:
    assert verifier.counts(NOW)
    issuer.replies[JWKS] = Reply(b"", 500)
    assert verifier.counts(NOW + DEFAULT_FRESH_SECONDS + STALE_SECONDS - 1)
    with pytest.raises(Unavailable):
        verifier.counts(NOW + DEFAULT_FRESH_SECONDS + STALE_SECONDS)
    del issuer.replies[JWKS]
    assert verifier.counts(NOW + DEFAULT_FRESH_SECONDS + STALE_SECONDS + RETRY_SECONDS)


def test_a_provider_that_is_away_is_left_alone_for_a_while(issuer: Issuer, verifier: Verifier) -> None:
    issuer.replies[JWKS] = Reply(b"", 503)
    for second in range(RETRY_SECONDS):
        with pytest.raises(Unavailable) as problem:
            verifier.counts(NOW + second)
        assert problem.value.retry_after_s == RETRY_SECONDS
    assert verifier.fetched == 1


def test_a_token_of_an_unknown_signer_does_not_take_the_held_keys_away(issuer: Issuer, verifier: Verifier) -> None:
    assert verifier.counts(NOW)
    issuer.replies[JWKS] = Reply(b"", 500)
    assert not verifier.counts(NOW + 1, kid="unheard of")
    assert verifier.counts(NOW + 1)


def other_place(issuer: Issuer) -> Reply:
    """A redirect to where good keys are."""
    return Reply(b"", 302, {"location": f"{issuer.url}/moved"})


BROKEN: dict[str, Callable[[Issuer], Reply]] = {
    "a redirect": other_place,
    "an error": lambda _: Reply(b"{}", 500),
    "no JSON": lambda _: Reply(b"<html>"),
    "no object": lambda _: Reply(b"[]"),
    "too deep": lambda _: Reply(b"[" * 100_000),
    "too large": lambda _: Reply(json.dumps({"keys": [], "more": "x" * MAX_BYTES}).encode()),
    "cut off": lambda _: Reply(b'{"keys": ['),
}


@pytest.mark.parametrize("path", [DISCOVERY, JWKS])
@pytest.mark.parametrize("broken", BROKEN.values(), ids=BROKEN)
def test_an_invalid_key_set_means_that_the_provider_is_unavailable(
    issuer: Issuer, verifier: Verifier, path: str, broken: Callable[[Issuer], Reply]
) -> None:
    issuer.replies["/moved"] = issuer.reply(path)
    issuer.replies[path] = broken(issuer)
    with pytest.raises(Unavailable):
        verifier.counts(NOW)
    assert issuer.requested["/moved"] == 0


@pytest.mark.parametrize(
    "document",
    [
        {"issuer": "https://other.example"},
        {"issuer": None},
        {"jwks_uri": None},
        {"jwks_uri": "http://keys.example/keys"},
        {"jwks_uri": "file:///etc/keys"},
        {"jwks_uri": "https://somebody@keys.example/keys"},
    ],
    ids=str,
)
def test_a_discovery_document_of_somebody_else_or_with_keys_in_the_open_is_not_believed(
    issuer: Issuer, verifier: Verifier, document: dict[str, object]
) -> None:
    good: dict[str, object] = {"issuer": issuer.url, "jwks_uri": issuer.url + JWKS}
    issuer.replies[DISCOVERY] = Reply(json.dumps(good | document).encode())
    with pytest.raises(Unavailable):
        verifier.counts(NOW)
    assert verifier.fetched == 0


def test_keys_that_are_no_list_are_no_keys(issuer: Issuer, verifier: Verifier) -> None:
    issuer.replies[JWKS] = Reply(b'{"keys": {"kid": "first"}}')
    assert not verifier.counts(NOW)


def test_many_callers_at_once_have_the_keys_fetched_once(verifier: Verifier) -> None:
    with ThreadPoolExecutor(16) as pool:
        assert all(pool.map(verifier.counts, [NOW] * 48))
    assert verifier.fetched == 1


def test_nobody_waits_for_a_renewal_while_the_keys_that_are_held_can_be_used(
    issuer: Issuer, verifier: Verifier
) -> None:
    assert verifier.counts(NOW)
    issuer.holding.clear()
    stale = NOW + DEFAULT_FRESH_SECONDS
    with ThreadPoolExecutor(1) as pool:
        renewing = pool.submit(verifier.counts, stale)
        issuer.arrived.acquire()
        assert verifier.counts(stale)
        assert not renewing.done()
        issuer.holding.set()
        assert renewing.result()


def provider_at(port: int) -> IdentityProvider:
    url = f"http://127.0.0.1:{port}"
    return IdentityProvider(url, AUDIENCE, f"{url}/keys", "t_north", None, "sub", None)


def test_a_provider_that_drips_is_cut_off_in_time(issuer: Issuer) -> None:
    stop = threading.Event()

    def drip(listening: socket.socket) -> None:
        connection, _ = listening.accept()
        with connection:
            connection.sendall(b"HTTP/1.1 200 OK\r\nx: ")
            while not stop.wait(0.05):
                try:
                    connection.sendall(b"x")
                except OSError:
                    return

    with socket.create_server(("127.0.0.1", 0)) as listening:
        thread = threading.Thread(target=drip, args=(listening,))
        thread.start()
        tokens = verifier_of(provider_at(listening.getsockname()[1]))
        with pytest.raises(Unavailable):
            tokens.verify(issuer.token(), NOW)
        stop.set()
        thread.join()


def test_a_refused_connection_means_that_the_provider_is_unavailable(issuer: Issuer) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port = int(listening.getsockname()[1])
    with pytest.raises(Unavailable):
        verifier_of(replace(provider_at(port), jwks_url=None)).verify(issuer.token(), NOW)
