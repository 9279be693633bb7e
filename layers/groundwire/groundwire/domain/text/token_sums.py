"""Token sums of a passage: made once at ingestion and stored with its row, so that answers add them up.

An answer has a passage as plain text or as a JSON string, whose escapes are other pieces. A text with neighbours around
it has other sums.
"""

import json
from functools import lru_cache
from typing import Final, NamedTuple

from groundwire.domain.text.token_estimate import estimate_tokens, piece_sums

_REVISION: Final = b"\x01"
"""Revision of the pieces and their costs. Raise it with every change of them: sums of another one do not count."""
_BYTES: Final = 21
"""Bytes of one integer of `piece_sums`."""
_CACHED_TEXTS: Final = 1_024

repeated_tokens: Final = lru_cache(_CACHED_TEXTS)(estimate_tokens)
"""Estimate of a short text that answers repeat, such as the title of a document."""
repeated_sums: Final = lru_cache(_CACHED_TEXTS)(piece_sums)
"""Sums of a short text that answers repeat, such as the members of a document with its link."""


class PassageSums(NamedTuple):
    """Sums of a text in both forms.

    Attributes:
        plain: `piece_sums` of the text.
        quoted: those of the JSON string with the comma after it, as a member of an object before another one.
    """

    plain: int
    quoted: int


def quoted_sums(text: str) -> int:
    """Return the sums of a text as a JSON string with the comma after it."""
    return piece_sums(f"{json.dumps(text, ensure_ascii=False)},")


EMPTY_QUOTED: Final = quoted_sums("")


def to_bytes(text: str) -> bytes:
    """Write the sums of a text, with their revision."""
    return _REVISION + b"".join(each.to_bytes(_BYTES, "big") for each in (piece_sums(text), quoted_sums(text)))


def from_bytes(stored: bytes) -> PassageSums | None:
    """Read the sums; None where none are stored, or those of another revision."""
    if len(stored) != 1 + 2 * _BYTES or stored[:1] != _REVISION:
        return None
    return PassageSums(int.from_bytes(stored[1 : 1 + _BYTES], "big"), int.from_bytes(stored[1 + _BYTES :], "big"))
