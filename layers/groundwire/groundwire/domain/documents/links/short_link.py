"""Block of a short link, `handle of the grant (6 bytes) | number of the document (8) | zeros and variant (2)`.

A keyed permutation makes a code of 22 characters of it. A random code passes the zeros once in 2^13, then names a live
grant, one of `G`, and then a document of its tenant, one of `D`. So it opens something with the probability
`G * D / 2^125`: for a million of each, once in 2^85 attempts. What it opens is then decided as for any link.
"""

import hashlib
import re
from collections.abc import Iterator
from typing import Final, NamedTuple

CODE_PURPOSE: Final = "short link"
"""Purpose of the codes; the grants have one of their own."""
GRANT_PURPOSE: Final = "link grant"
MAX_HANDLES: Final = 3
"""Handles that a grant may have: with a million live grants, all are taken once in 2^84 grants."""

_HANDLE_BYTES: Final = 6
_NUMBER_BYTES: Final = 8
_VARIANT_BYTES: Final = 2
_VARIANTS: Final = 8
_BLOCK_BYTES: Final = _HANDLE_BYTES + _NUMBER_BYTES + _VARIANT_BYTES
_TOKEN: Final = re.compile(r"[0-9]{1,3}|[A-Z]*[a-z]+|[A-Z]+|[_-]")
"""Part of a code that a tokenizer never joins with the next: models read the fewer tokens, the fewer parts it has."""


class LinkNumbers(NamedTuple):
    """Numbers in a short link: the handle of its grant (48 bits), and that of the document's id (64 bits)."""

    handle: int
    document: int

    def blocks(self) -> Iterator[bytes]:
        """Yield the blocks that mean these numbers."""
        start = self.handle.to_bytes(_HANDLE_BYTES) + self.document.to_bytes(_NUMBER_BYTES)
        for variant in range(_VARIANTS):
            yield start + variant.to_bytes(_VARIANT_BYTES)

    @classmethod
    def from_block(cls, block: bytes) -> "LinkNumbers | None":
        """Return the numbers in a block of 16 bytes; None for one that `blocks` does not yield."""
        document_at, variant_at = _HANDLE_BYTES, _BLOCK_BYTES - _VARIANT_BYTES
        if len(block) != _BLOCK_BYTES or int.from_bytes(block[variant_at:]) >= _VARIANTS:
            return None
        return cls(int.from_bytes(block[:document_at]), int.from_bytes(block[document_at:variant_at]))


def grant_handles(sealed: str) -> Iterator[int]:
    """Yield the handles that a sealed grant may have, the first one first; another grant may have one already.

    They are digests of the sealed text. So the handle of an ended grant, which old links name, is another grant's once
    in 2^48 pairs.
    """
    for attempt in range(MAX_HANDLES):
        digest = hashlib.sha256(f"{attempt} {sealed}".encode()).digest()
        yield int.from_bytes(digest[:_HANDLE_BYTES])


def count_code_parts(code: str) -> int:
    """Return how many parts a tokenizer splits the code into at least."""
    return len(_TOKEN.findall(code))
