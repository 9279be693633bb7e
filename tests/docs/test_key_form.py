"""A secret scanner that follows SECURITY.md recognises our keys and no others."""

import re
import secrets
from binascii import crc32
from typing import Final

import pytest

from groundwire.domain.keys.forms.key_text import Environment, mint_key
from tests.support.documentation.pages import ROOT, blocks

PAGE: Final = ROOT / "SECURITY.md"
DIGITS: Final = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"


def published() -> re.Pattern[str]:
    [block] = [block for block in blocks(PAGE) if block.language == "text"]
    return re.compile(block.text.strip())


def checksum(body: str) -> str:
    """Return the checksum of a key's body, computed as the page describes."""
    rest, digits = crc32(body.encode()), ""
    for _ in range(6):
        rest, digit = divmod(rest, 62)
        digits = DIGITS[digit] + digits
    return digits


@pytest.mark.parametrize("environment", ["live", "test", "local"])
def test_the_published_form_and_checksum_are_those_of_new_keys(environment: Environment) -> None:
    for _ in range(50):
        key = mint_key(environment, secrets.token_bytes).text.reveal()
        assert published().fullmatch(key)
        assert key[-6:] == checksum(key[:-6])


def test_a_key_inside_other_text_is_found_whole() -> None:
    key = mint_key("live", secrets.token_bytes).text.reveal()
    [found] = published().finditer(f'token = "{key}" # deploy')
    assert found[0] == key
