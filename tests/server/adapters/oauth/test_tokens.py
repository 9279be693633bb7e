"""A token counts when the provider signed it for this server and its time has come; every other one has a reason."""

import base64
import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import jwt
import pytest
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from hypothesis import given, settings
from hypothesis import strategies as st
from jwt import PyJWS
from jwt.algorithms import RSAAlgorithm

from groundwire.domain.keys.forms.oauth import TokenDenialReason
from groundwire.domain.limits import MAX_TOKEN_CHARACTERS
from tests.support.plugins.draws import examples
from tests.support.registry.token_issuer import (
    AUDIENCE,
    MAKERS,
    NOW,
    Issuer,
    encoded,
    public_jwk,
    rsa_key,
    running,
    verifier_of,
)


def decision(issuer: Issuer, token: str, now: float = NOW) -> object:
    """The reason of a refusal, or the user of a token that counts."""
    verified = verifier_of(issuer.provider).verify(token, now)
    return verified if isinstance(verified, TokenDenialReason) else verified["sub"]


@pytest.mark.parametrize("algorithm", MAKERS)
def test_a_token_of_every_accepted_algorithm_counts(issuer: Issuer, algorithm: str) -> None:
    issuer.rotate("another", algorithm)
    assert decision(issuer, issuer.token()) == "ana"


@pytest.mark.parametrize("kind", ["JWT", "jwt", "at+jwt", "application/at+jwt", None])
def test_a_token_counts_under_each_name_of_its_type(issuer: Issuer, kind: str | None) -> None:
    assert decision(issuer, issuer.token(header={"typ": kind})) == "ana"


def test_a_token_for_several_audiences_counts_when_this_server_is_one_of_them(issuer: Issuer) -> None:
    assert decision(issuer, issuer.token(aud=["https://other.example", AUDIENCE])) == "ana"


def test_keys_are_fetched_from_the_address_that_is_set_without_asking_the_issuer(issuer: Issuer) -> None:
    provider = replace(issuer.provider, jwks_url=f"{issuer.url}/keys")
    assert not isinstance(verifier_of(provider).verify(issuer.token(), NOW), TokenDenialReason)
    assert issuer.requested == {"/keys": 1}


def unsigned(issuer: Issuer) -> str:
    return f"{encoded({'alg': 'none', 'kid': issuer.kid})}.{encoded(issuer.claims())}."


def hmac_with_the_public_key(issuer: Issuer) -> str:
    """The oldest trick: what everybody knows, taken for a shared secret."""
    public = issuer.keys[issuer.kid].public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
    header = encoded({"alg": "HS256", "kid": issuer.kid, "typ": "JWT"})
    signed = f"{header}.{encoded(issuer.claims())}"
    signature = jwt.get_algorithm_by_name("HS256").sign(signed.encode(), public)
    return f"{signed}.{base64.urlsafe_b64encode(signature).rstrip(b'=').decode()}"


def with_its_own_key(issuer: Issuer) -> str:
    """Return a token that contains the key with which it asks to be verified."""
    stranger = rsa_key("stranger")
    header: dict[str, object] = {"jwk": public_jwk(stranger, kid=issuer.kid), "jku": "http://127.0.0.1:9/keys"}
    return issuer.token(header=header, key=stranger)


def changed_afterwards(issuer: Issuer) -> str:
    header, _, signature = issuer.token().split(".")
    return f"{header}.{encoded(issuer.claims(sub='boss'))}.{signature}"


BAD: dict[str, tuple[Callable[[Issuer], str], TokenDenialReason]] = {
    "unsigned": (unsigned, TokenDenialReason.ALGORITHM),
    "an algorithm called None": (lambda i: i.token(header={"alg": "None"}), TokenDenialReason.ALGORITHM),
    "no algorithm": (lambda i: i.token(header={"alg": None}), TokenDenialReason.ALGORITHM),
    "a number as algorithm": (lambda i: i.token(header={"alg": 256}), TokenDenialReason.ALGORITHM),
    "an HMAC with the public key": (hmac_with_the_public_key, TokenDenialReason.ALGORITHM),
    "an algorithm of another kind of key": (
        lambda i: i.token(header={"alg": "ES256"}),
        TokenDenialReason.UNKNOWN_SIGNER,
    ),
    "an algorithm that the key was not used with": (
        lambda i: i.token(header={"alg": "PS256"}),
        TokenDenialReason.SIGNATURE,
    ),
    "an unknown kid": (lambda i: i.token(header={"kid": "other"}), TokenDenialReason.UNKNOWN_SIGNER),
    "no kid": (lambda i: i.token(header={"kid": None}), TokenDenialReason.UNKNOWN_SIGNER),
    "a kid that is a list": (lambda i: i.token(header={"kid": ["first"]}), TokenDenialReason.MALFORMED),
    "a stranger's signature": (lambda i: i.token(key=rsa_key("stranger")), TokenDenialReason.SIGNATURE),
    "a key of its own": (with_its_own_key, TokenDenialReason.SIGNATURE),
    "changed afterwards": (changed_afterwards, TokenDenialReason.SIGNATURE),
    "no signature": (lambda i: i.token().rpartition(".")[0] + ".", TokenDenialReason.SIGNATURE),
    "something that must be understood": (
        lambda i: i.token(header={"crit": ["exp"], "exp": 1}),
        TokenDenialReason.MALFORMED,
    ),
    "a body that is not encoded": (lambda i: i.token(header={"b64": False}), TokenDenialReason.MALFORMED),
    "another kind of token": (lambda i: i.token(header={"typ": "logout+jwt"}), TokenDenialReason.MALFORMED),
    "a type that is no text": (lambda i: i.token(header={"typ": 1}), TokenDenialReason.MALFORMED),
    "no token": (lambda _: "a.b.c", TokenDenialReason.MALFORMED),
    "nothing": (lambda _: "..", TokenDenialReason.MALFORMED),
    "oversized": (lambda i: i.token(more="x" * MAX_TOKEN_CHARACTERS), TokenDenialReason.TOO_LARGE),
    "another issuer": (lambda i: i.token(iss="https://other.example"), TokenDenialReason.ISSUER),
    "the issuer with a slash": (lambda i: i.token(iss=f"{i.url}/"), TokenDenialReason.ISSUER),
    "issuers in a list": (lambda i: i.token(iss=[i.url]), TokenDenialReason.ISSUER),
    "no issuer": (lambda i: i.token(iss=None), TokenDenialReason.CLAIMS),
    "another audience": (lambda i: i.token(aud="https://other.example/mcp"), TokenDenialReason.AUDIENCE),
    "the audience with a slash": (lambda i: i.token(aud=f"{AUDIENCE}/"), TokenDenialReason.AUDIENCE),
    "the audience in other letters": (lambda i: i.token(aud=AUDIENCE.upper()), TokenDenialReason.AUDIENCE),
    "only other audiences": (lambda i: i.token(aud=["a", "b"]), TokenDenialReason.AUDIENCE),
    "an audience that is no text": (lambda i: i.token(aud={"a": AUDIENCE}), TokenDenialReason.AUDIENCE),
    "no audience": (lambda i: i.token(aud=None), TokenDenialReason.CLAIMS),
    "expired": (lambda i: i.token(exp=NOW - 61), TokenDenialReason.EXPIRED),
    "no expiry": (lambda i: i.token(exp=None), TokenDenialReason.CLAIMS),
    "an expiry that is no number": (lambda i: i.token(exp="tomorrow"), TokenDenialReason.CLAIMS),
    "an expiry that is a yes": (lambda i: i.token(exp=True), TokenDenialReason.CLAIMS),
    "an expiry that is not a number": (lambda i: i.token(exp=float("nan")), TokenDenialReason.EXPIRED),
    "not yet valid": (lambda i: i.token(nbf=NOW + 61), TokenDenialReason.NOT_YET_VALID),
    "issued tomorrow": (lambda i: i.token(iat=NOW + 86_400), TokenDenialReason.NOT_YET_VALID),
    "a beginning that is not a number": (lambda i: i.token(nbf=float("nan")), TokenDenialReason.NOT_YET_VALID),
    "a beginning that is no number": (lambda i: i.token(nbf=[]), TokenDenialReason.CLAIMS),
    "a subject that is no text": (lambda i: i.token(sub=7), TokenDenialReason.CLAIMS),
}


@pytest.mark.parametrize(("make", "reason"), BAD.values(), ids=BAD)
def test_a_bad_token_is_refused_for_its_reason(
    issuer: Issuer, make: Callable[[Issuer], str], reason: TokenDenialReason
) -> None:
    assert decision(issuer, make(issuer)) == reason


@pytest.mark.parametrize("changes", [{"exp": NOW - 59}, {"nbf": NOW + 59}, {"iat": NOW + 59}, {"exp": 10**400}])
def test_clocks_may_differ_by_a_minute(issuer: Issuer, changes: dict[str, Any]) -> None:
    assert decision(issuer, issuer.token(**changes)) == "ana"


def test_a_token_is_judged_by_the_time_of_its_call(issuer: Issuer) -> None:
    token = issuer.token(exp=NOW + 300)
    assert decision(issuer, token, NOW + 359) == "ana"
    assert decision(issuer, token, NOW + 360) == TokenDenialReason.EXPIRED


@pytest.mark.parametrize(
    "published",
    [
        {"use": "enc"},
        {"alg": "PS256"},
        {"kty": "oct", "k": "c2VjcmV0"},
        {"kid": 1},
        {"n": "not a number"},
    ],
    ids=str,
)
def test_a_key_that_was_not_published_to_verify_these_tokens_verifies_none(
    issuer: Issuer, published: dict[str, object]
) -> None:
    key = public_jwk(issuer.keys["first"], **{"kid": "first", **published})
    issuer.publish(key, "no object")
    assert decision(issuer, issuer.token()) == TokenDenialReason.UNKNOWN_SIGNER


def test_a_key_that_was_published_with_its_private_half_is_everybodys_and_verifies_nothing(issuer: Issuer) -> None:
    everything = RSAAlgorithm.to_jwk(rsa_key("first"), as_dict=True)
    issuer.publish({name: value for name, value in everything.items() if name != "key_ops"} | {"kid": "first"})
    assert decision(issuer, issuer.token()) == TokenDenialReason.UNKNOWN_SIGNER


def test_a_key_that_is_too_short_verifies_nothing(issuer: Issuer) -> None:
    issuer.keys = {"short": rsa_key("short", 1_024)}
    assert decision(issuer, issuer.token()) == TokenDenialReason.UNKNOWN_SIGNER


PARTS = st.one_of(
    st.binary(max_size=60).map(lambda raw: base64.urlsafe_b64encode(raw).rstrip(b"=").decode()),
    st.dictionaries(
        st.sampled_from(["alg", "kid", "typ", "crit", "b64", "iss", "aud", "exp"]),
        st.one_of(st.sampled_from(["RS256", "none", "first", "JWT", AUDIENCE]), st.none(), st.integers(), st.text()),
    ).map(encoded),
    st.just(base64.urlsafe_b64encode(b"[" * 3_000).decode().rstrip("=")),
    st.text(max_size=40),
)


def test_no_text_that_the_provider_did_not_sign_is_a_token_and_none_breaks_anything() -> None:
    with running() as issuer:
        tokens = verifier_of(issuer.provider)
        good = issuer.token()

        @settings(deadline=None, max_examples=examples(300))
        @given(
            st.one_of(
                st.lists(PARTS, min_size=1, max_size=4).map(".".join),
                st.tuples(st.integers(0, len(good) - 1), st.characters()).map(
                    lambda change: good[: change[0]] + change[1] + good[change[0] + 1 :]
                ),
            )
        )
        def refused(text: str) -> None:
            verified = tokens.verify(text, NOW)
            # The last letter of a signature holds bits that decode to nothing: it may change and say the same.
            assert isinstance(verified, TokenDenialReason) or text[:-1] == good[:-1]

        refused()


def test_a_signed_token_that_holds_no_claims_is_refused(issuer: Issuer) -> None:
    signer = PyJWS(algorithms=["RS256"])
    for body in (b"[]", b"null", b"not JSON", b"[" * 5_000, json.dumps(["iss"]).encode(), b"\xff"):
        token = signer.encode(body, issuer.keys["first"], "RS256", headers={"kid": "first"})
        assert decision(issuer, token) == TokenDenialReason.MALFORMED
