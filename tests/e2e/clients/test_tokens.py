"""Tokens are counted as the models count them."""

import gzip
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path
from typing import Final

import pytest

from tests.support.clients.tokens import count_tokens

PUBLISHED_TABLE: Final = "446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d"
"""The SHA-256 that tiktoken demands of `o200k_base.tiktoken` (tiktoken_ext/openai_public.py)."""


@pytest.mark.parametrize(
    ("text", "tokens"),
    [("", 0), ("antidisestablishmentarianism", 6), ("2 + 2 = 4", 7), ("お誕生日おめでとう", 8), ("<|endoftext|>", 7)],
)
def test_a_text_has_as_many_tokens_as_its_publisher_counts(text: str, tokens: int) -> None:
    assert count_tokens(text) == tokens


def test_the_table_is_the_published_one() -> None:
    package = find_spec("bpe_openai")
    assert package is not None
    assert package.origin is not None
    packed = (Path(package.origin).parent / "data" / "o200k_base.tiktoken.gz").read_bytes()
    assert sha256(gzip.decompress(packed)).hexdigest() == PUBLISHED_TABLE
