"""Codes of blocks: a keyed permutation, in 22 characters of a URL."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.adapters.codecs.block_codes import AesBlockCodes

CODES = AesBlockCodes(b"k" * 32)
OTHER = AesBlockCodes(b"K" * 32)
BLOCKS = st.binary(min_size=16, max_size=16)


@given(BLOCKS)
def test_a_block_has_one_code_of_22_characters_and_is_read_from_it(block: bytes) -> None:
    code = CODES.encode("link", block)
    assert re.fullmatch("[0-9A-Za-z_-]{22}", code)
    assert code == AesBlockCodes(b"k" * 32).encode("link", block)
    assert CODES.decode("link", code) == block


@given(BLOCKS)
def test_another_key_or_purpose_reads_another_block(block: bytes) -> None:
    code = CODES.encode("link", block)
    assert block not in {OTHER.decode("link", code), CODES.decode("another", code), CODES.decode("", code)}


@given(BLOCKS, st.integers(0, 127))
def test_blocks_that_differ_in_one_bit_have_codes_that_differ_in_many(block: bytes, bit: int) -> None:
    other = (int.from_bytes(block) ^ (1 << bit)).to_bytes(16)
    pairs = zip(CODES.encode("link", block), CODES.encode("link", other), strict=True)
    assert sum(one != another for one, another in pairs) >= 10


@pytest.mark.parametrize(
    "text",
    ["", "A", "A" * 21, "A" * 23, "A" * 21 + "B", "A" * 21 + "=", "A" * 21 + "+", "A" * 21 + "é", "A" * 20 + "=="],
)
def test_text_of_another_form_is_no_code(text: str) -> None:
    assert CODES.decode("link", text) is None


def test_a_key_of_another_length_is_refused() -> None:
    with pytest.raises(ValueError, match="32 bytes"):
        AesBlockCodes(b"k" * 16)
