"""Text of a sign-in by the identity provider: what is minted is read, and nothing else is."""

from dataclasses import replace
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.domain.keys.forms.key_text import Secret, mint_key, parse_key, with_checksum
from groundwire.domain.keys.forms.oauth import IdentityProvider
from groundwire.domain.keys.forms.page_session import mint_page_session, parse_page_session
from groundwire.domain.keys.forms.provider_session import (
    ATTEMPT_SECONDS,
    SignInAttempt,
    mint_provider_session,
    parse_provider_session,
    session_digest,
)

TENANT, ATTEMPT = "t_0123456789abcdef", "4fGh7Kq2LmNp"
PEPPER: Final = b"p" * 32
PROVIDER: Final = IdentityProvider("https://id.example", "aud", None, TENANT, None, "sub", "groups", client_id="page")
SECRETS: Final = st.binary(min_size=32, max_size=32)


@given(SECRETS)
def test_a_minted_sign_in_is_read_as_it_was_minted(secret: bytes) -> None:
    minted = mint_provider_session(TENANT, ATTEMPT, lambda _: secret)
    assert parse_provider_session(minted.text.reveal()) == minted


@given(SECRETS, st.data())
def test_a_sign_in_with_a_changed_character_is_not_read(secret: bytes, data: st.DataObject) -> None:
    text = mint_provider_session(TENANT, ATTEMPT, lambda _: secret).text.reveal()
    place = data.draw(st.integers(0, len(text) - 1))
    changed = data.draw(st.characters(codec="utf-8").filter(lambda character: character != text[place]))
    assert parse_provider_session(text[:place] + changed + text[place + 1 :]) is None


@given(st.text(max_size=200))
def test_any_other_text_is_no_sign_in(text: str) -> None:
    assert parse_provider_session(text) is None
    assert parse_provider_session(with_checksum(text)) is None


@pytest.mark.parametrize("tenant", ["", "a b", "a.b", "t" * 65, "ä"])
def test_a_tenant_that_no_cookie_can_name_is_not_read(tenant: str) -> None:
    assert parse_provider_session(mint_provider_session(tenant, ATTEMPT, bytes).text.reveal()) is None


def test_keys_page_sessions_and_sign_ins_are_never_read_as_each_other() -> None:
    sign_in = mint_provider_session(TENANT, ATTEMPT, bytes).text.reveal()
    page = mint_page_session(ATTEMPT, {}, bytes, is_ticket=False).text.reveal()
    key = mint_key("live", bytes).text.reveal()
    assert (parse_key(sign_in), parse_page_session(sign_in)) == (None, None)
    assert [parse_provider_session(text) for text in (page, key)] == [None, None]


@pytest.mark.parametrize(
    "change",
    [
        {"issuer": "https://other.example"},
        {"audience": "other"},
        {"client_id": "other"},
        {"client_id": None},
        {"tenant": "t_other"},
        {"tenant": None, "tenant_claim": TENANT},
        {"user_claim": "email"},
        {"tags_claim": None},
    ],
)
def test_the_digest_is_another_once_a_setting_gives_the_token_another_meaning(change: dict[str, str | None]) -> None:
    text = Secret("gws.x")
    assert session_digest(PEPPER, text, PROVIDER) == session_digest(PEPPER, text, replace(PROVIDER, jwks_url="x"))
    assert session_digest(PEPPER, text, PROVIDER) != session_digest(PEPPER, text, replace(PROVIDER, **change))


@given(st.text(max_size=300), st.floats(0, 2**40), st.lists(SECRETS, min_size=3, max_size=3))
def test_an_attempt_is_read_as_it_was_sealed(screen: str, now: float, secrets: list[bytes]) -> None:
    left = iter(secrets)
    attempt = SignInAttempt.start(screen, now, lambda count: next(left)[:count])
    assert SignInAttempt.from_bytes(attempt.to_bytes()) == attempt
    assert attempt.expires_at == now + ATTEMPT_SECONDS


def test_the_challenge_is_the_one_of_the_specification() -> None:
    # RFC 7636, appendix B.
    verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
    attempt = SignInAttempt(ATTEMPT, "state", verifier, "", 0.0)
    assert attempt.challenge == "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"
