import base64
import re
from collections.abc import Callable

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from groundwire.adapters.codecs.aead import AesGcmSeal
from groundwire.ports import Sealer
from tests.support.plugins.draws import examples

KEY, OTHER_KEY = b"k" * 32, b"K" * 32
SEALS: dict[str, Callable[[bytes], Sealer]] = {"aes-gcm": AesGcmSeal}
"""Another adapter joins as one more entry."""

quick = settings(deadline=None, max_examples=examples(60), suppress_health_check=[HealthCheck.function_scoped_fixture])


@pytest.fixture(params=SEALS)
def make(request: pytest.FixtureRequest) -> Callable[[bytes], Sealer]:
    return SEALS[str(request.param)]


@quick
@given(purpose=st.text(st.characters(codec="utf-8"), max_size=20), payload=st.binary(max_size=2_000))
def test_a_token_opens_to_its_payload_and_fits_into_a_url(
    make: Callable[[bytes], Sealer], purpose: str, payload: bytes
) -> None:
    for token in (make(KEY).seal(purpose, payload), make(KEY).seal_repeatably(purpose, payload)):
        assert re.fullmatch("[0-9A-Za-z_-]+", token)
        assert make(KEY).unseal(purpose, token) == payload


@pytest.mark.parametrize("is_repeatable", [False, True])
def test_a_token_opens_only_for_its_purpose_and_its_key(
    make: Callable[[bytes], Sealer], *, is_repeatable: bool
) -> None:
    seal = make(KEY)
    token = seal.seal_repeatably("open", b"payload") if is_repeatable else seal.seal("open", b"payload")
    assert make(KEY).unseal("cursor", token) is None
    assert make(KEY).unseal("", token) is None
    assert make(OTHER_KEY).unseal("open", token) is None


@pytest.mark.parametrize("is_repeatable", [False, True])
def test_every_flipped_bit_is_noticed(make: Callable[[bytes], Sealer], *, is_repeatable: bool) -> None:
    seal = make(KEY)
    token = seal.seal_repeatably("open", b"some payload") if is_repeatable else seal.seal("open", b"some payload")
    raw = base64.urlsafe_b64decode(token + "=" * (-len(token) % 4))
    for bit in range(len(raw) * 8):
        flipped = bytearray(raw)
        flipped[bit // 8] ^= 1 << bit % 8
        forged = base64.urlsafe_b64encode(bytes(flipped)).rstrip(b"=").decode()
        assert seal.unseal("open", forged) is None


def test_a_token_has_one_spelling_only(make: Callable[[bytes], Sealer]) -> None:
    seal = make(KEY)
    for length in range(4):
        token = seal.seal("open", b"x" * length)
        others = {token[:i] + c + token[i + 1 :] for i in range(len(token)) for c in "AB_-+/=. é"} - {token}
        appended = {token + tail for tail in ("=", "==", "A", "\n", " ", "é")} | {" " + token}
        assert [forged for forged in others | appended if seal.unseal("open", forged) is not None] == []


@quick
@given(token=st.text(max_size=200) | st.binary(max_size=200).map(lambda raw: base64.urlsafe_b64encode(raw).decode()))
def test_anything_else_is_no_token(make: Callable[[bytes], Sealer], token: str) -> None:
    assert make(KEY).unseal("open", token) is None


def test_a_cut_token_is_no_token(make: Callable[[bytes], Sealer]) -> None:
    token = make(KEY).seal("open", b"some payload")
    assert [make(KEY).unseal("open", token[:end]) for end in range(len(token))] == [None] * len(token)


def test_equal_payloads_make_different_tokens(make: Callable[[bytes], Sealer]) -> None:
    seal = make(KEY)
    assert len({seal.seal("open", b"payload") for _ in range(50)}) == 50


@quick
@given(
    first=st.tuples(st.sampled_from([KEY, OTHER_KEY]), st.sampled_from(["open", "cursor"]), st.binary(max_size=2)),
    second=st.tuples(st.sampled_from([KEY, OTHER_KEY]), st.sampled_from(["open", "cursor"]), st.binary(max_size=2)),
)
def test_repeatable_tokens_are_equal_exactly_when_key_purpose_and_payload_are(
    make: Callable[[bytes], Sealer], first: tuple[bytes, str, bytes], second: tuple[bytes, str, bytes]
) -> None:
    tokens = [make(key).seal_repeatably(purpose, payload) for key, purpose, payload in (first, second)]
    assert (tokens[0] == tokens[1]) == (first == second)


def test_repeatable_tokens_of_different_payloads_share_no_nonce(make: Callable[[bytes], Sealer]) -> None:
    tokens = [make(KEY).seal_repeatably("open", number.to_bytes(2, "big")) for number in range(2_000)]
    assert len({token[:17] for token in tokens}) == len(tokens)


@pytest.mark.parametrize("length", [0, 16, 31, 33])
def test_a_key_of_another_length_is_refused(make: Callable[[bytes], Sealer], length: int) -> None:
    with pytest.raises(ValueError, match="32 bytes"):
        make(b"k" * length)
