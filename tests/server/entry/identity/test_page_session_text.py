"""Text of a page session: what is minted is read, and nothing else is."""

import json
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.domain.access.call_headers import TAGS_HEADER, USER_HEADER
from groundwire.domain.keys.forms.key_text import mint_key, parse_key, with_checksum
from groundwire.domain.keys.forms.page_session import mint_page_session, parse_page_session

KID: Final = "4fGh7Kq2LmNp"
IDENTITIES: Final = st.fixed_dictionaries(
    {},
    optional={
        USER_HEADER: st.text(min_size=1, max_size=40),
        TAGS_HEADER: st.lists(st.text(max_size=20), max_size=8).map(json.dumps),
    },
)


@given(IDENTITIES, st.binary(min_size=32, max_size=32), st.booleans())
def test_a_minted_page_session_is_read_as_it_was_minted(
    identity: dict[str, str],
    secret: bytes,
    is_ticket: bool,  # noqa: FBT001
) -> None:
    minted = mint_page_session(KID, identity, lambda _: secret, is_ticket=is_ticket)
    assert parse_page_session(minted.text.reveal()) == minted


@given(IDENTITIES, st.data())
def test_a_page_session_with_a_changed_character_is_not_read(identity: dict[str, str], data: st.DataObject) -> None:
    text = mint_page_session(KID, identity, bytes, is_ticket=False).text.reveal()
    place = data.draw(st.integers(0, len(text) - 1))
    changed = data.draw(st.characters(codec="utf-8").filter(lambda character: character != text[place]))
    assert parse_page_session(text[:place] + changed + text[place + 1 :]) is None


@given(st.text(max_size=200))
def test_any_other_text_is_no_page_session(text: str) -> None:
    assert parse_page_session(text) is None
    assert parse_page_session(with_checksum(text)) is None


@pytest.mark.parametrize("identity", ["e30", "W10", "eyJ4IjoxfQ", "eyJ4LXRlbmFudCI6ICJ4In0", "_", "____"])
def test_an_identity_of_no_identity_header_is_not_read(identity: str) -> None:
    assert parse_page_session(with_checksum(f"gwp.{KID}.{identity}.{'0' * 43}")) is None


def test_a_key_is_no_page_session_and_a_page_session_is_no_key() -> None:
    assert parse_page_session(mint_key("live", lambda count: b"k" * count).text.reveal()) is None
    assert parse_key(mint_page_session(KID, {}, lambda count: b"k" * count, is_ticket=False).text.reveal()) is None
