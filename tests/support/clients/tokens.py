"""Tokens of o200k, the encoding of the models that most agents run on; its table lies in the package bpe-openai."""

import warnings
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bpe_openai import Encoding


def count_tokens(text: str) -> int:
    """Return how many o200k tokens a text is; names of special tokens in it count as the plain text they are."""
    return len(_encoding().encode_ordinary(text))


@cache
def _encoding() -> "Encoding":
    """Load the table, which takes about a second: only where tokens are counted."""
    with warnings.catch_warnings():
        # The package opens its table with a function that Python 3.11 and 3.12 call deprecated.
        warnings.simplefilter("ignore", DeprecationWarning)
        from bpe_openai import get_encoding

        return get_encoding("o200k_base")
