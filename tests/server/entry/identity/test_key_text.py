"""The text of a key: minted once, recognised without a read, never printed."""

import re
import secrets

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from groundwire.domain.keys.forms.key_text import (
    Environment,
    MintedKey,
    Secret,
    key_digest,
    mint_key,
    mint_rotated_key,
    parse_key,
)
from tests.support.plugins.draws import examples

PEPPER = b"p" * 32
BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
SAMPLE = mint_key("live", lambda count: bytes(range(count)))
TEXT = SAMPLE.text.reveal()
ENVIRONMENTS: list[Environment] = ["live", "test", "local"]


@pytest.mark.parametrize("environment", ENVIRONMENTS)
def test_a_minted_key_has_the_published_form(environment: Environment) -> None:
    key = mint_key(environment, secrets.token_bytes)
    assert re.fullmatch(rf"gw_{environment}_{key.kid}_[0-9A-Za-z]{{49}}", key.text.reveal())
    assert re.fullmatch(r"[0-9A-Za-z]{12}", key.kid)


@settings(deadline=None, max_examples=examples(200))
@given(st.binary(min_size=48, max_size=48))
@example(b"\xff" * 48)
@example(b"\x00" * 48)
def test_every_minted_key_is_parsed_back_to_its_kid(entropy: bytes) -> None:
    chunks = [entropy[:16], entropy[16:]]
    key = mint_key("test", lambda _count: chunks.pop(0))
    parsed = parse_key(key.text.reveal())
    assert parsed is not None
    assert (parsed.kid, parsed.text) == (key.kid, key.text)


@settings(deadline=None, max_examples=examples(100))
@given(st.binary(min_size=32, max_size=32), st.binary(min_size=32, max_size=32))
def test_different_entropy_gives_different_secrets(one: bytes, other: bytes) -> None:
    texts = {
        mint_rotated_key("live", "A" * 12, lambda _count, entropy=entropy: entropy).text for entropy in (one, other)
    }
    assert len(texts) == len({one, other})


def test_rotation_keeps_the_kid_and_changes_the_secret() -> None:
    fresh = mint_rotated_key("live", SAMPLE.kid, secrets.token_bytes)
    assert fresh.kid == SAMPLE.kid
    assert fresh.text != SAMPLE.text
    assert parse_key(fresh.text.reveal()) is not None


@settings(deadline=None, max_examples=examples(300))
@given(position=st.integers(0, len(TEXT) - 1), letter=st.sampled_from([*BASE62, "_"]))
def test_any_single_mistyped_character_is_noticed(position: int, letter: str) -> None:
    mistyped = TEXT[:position] + letter + TEXT[position + 1 :]
    assert (parse_key(mistyped) is not None) == (mistyped == TEXT)


@settings(deadline=None, max_examples=examples(200))
@given(position=st.integers(0, len(TEXT) - 2))
def test_two_swapped_characters_are_noticed(position: int) -> None:
    swapped = TEXT[:position] + TEXT[position + 1] + TEXT[position] + TEXT[position + 2 :]
    assert (parse_key(swapped) is not None) == (swapped == TEXT)


@settings(deadline=None, max_examples=examples(400))
@given(st.one_of(st.text(), st.from_regex(r"gw_(live|test|local)_[0-9A-Za-z]{12}_[0-9A-Za-z]{49}", fullmatch=True)))
def test_a_guess_is_no_key_whatever_it_holds(text: str) -> None:
    assert parse_key(text) is None


NEAR_MISSES = [
    TEXT + "\n",
    " " + TEXT,
    TEXT[:-1],
    TEXT + "0",
    TEXT.upper(),
    TEXT.replace("gw_live", "gw_prod"),
    TEXT.replace("_", "\uff3f"),
    TEXT[:-1] + "\u0665",
    TEXT + "," + TEXT,
    "",
    "\ud800",
    "gw_" * 100_000,
]


@pytest.mark.parametrize("text", NEAR_MISSES, ids=range(len(NEAR_MISSES)))
def test_near_misses_are_no_keys(text: str) -> None:
    assert parse_key(text) is None


def test_a_key_of_one_environment_is_not_one_of_another() -> None:
    assert parse_key(TEXT.replace("gw_live", "gw_test")) is None


def test_a_digest_needs_the_pepper_and_the_whole_key() -> None:
    assert len(key_digest(PEPPER, TEXT)) == 32
    assert key_digest(PEPPER, TEXT) == key_digest(PEPPER, TEXT)
    assert len({key_digest(PEPPER, TEXT), key_digest(b"q" * 32, TEXT), key_digest(PEPPER, TEXT[:-1])}) == 3


@pytest.mark.parametrize("pepper", [b"", b"short"])
def test_an_invalid_pepper_is_refused(pepper: bytes) -> None:
    with pytest.raises(ValueError, match="pepper"):
        key_digest(pepper, TEXT)


@pytest.mark.parametrize("holder", [SAMPLE, SAMPLE.text, parse_key(TEXT), [SAMPLE], Secret("x")])
def test_a_key_never_prints(holder: object) -> None:
    printed = f"{holder} {holder!r} {holder!s} {[holder]}"
    assert "****" in printed
    assert TEXT[-49:] not in printed


def test_equal_secrets_are_equal_so_that_tests_may_compare_them() -> None:
    assert MintedKey("k", Secret("a")) == MintedKey("k", Secret("a"))
    assert Secret("a") != Secret("b")
