"""Block of a short link, `handle of the grant (6 bytes) | number of the document (8) | zeros and variant (2)`.

The number is that of an id that ingestion made. An id of the owner's choice has no number: its digest takes the place,
and the id itself follows the code. So no link has a state of its own, and none opens another document than its own.

A keyed permutation makes a code of 22 characters of the block. A random code passes the zeros once in 2^13, then names
a live grant, one of `G`, and then a document of its tenant, one of `D`. So it opens something with the probability
`G * D / 2^125`: for a million of each, once in 2^85 attempts. Before an id it needs the digest of that id, so it opens
with `G / 2^125`. What it opens is then decided as for any link.
"""

import hashlib
import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from groundwire.domain.documents.ids import is_doc_id, made_id, made_id_number

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
_CODE_CHARACTERS: Final = 22
_ID_MARK: Final = "."
"""Between the code and an id of the owner's choice; no code has it."""
_TOKEN: Final = re.compile(r"[0-9]{1,3}|[A-Z]*[a-z]+|[A-Z]+|[_-]")
"""Part of a code that a tokenizer never joins with the next: models read the fewer tokens, the fewer parts it has."""


class LinkNumbers(NamedTuple):
    """Numbers in a short link: the handle of its grant (48 bits), and that of the document's id (64 bits).

    Attributes:
        is_digest: the owner chose the id, and `document` is its digest.
    """

    handle: int
    document: int
    is_digest: bool = False

    @classmethod
    def of(cls, handle: int, doc_id: str) -> "LinkNumbers":
        """Return the numbers of a grant and a document."""
        number = made_id_number(doc_id)
        return cls(handle, _digest(doc_id), is_digest=True) if number is None else cls(handle, number)

    def blocks(self) -> Iterator[bytes]:
        """Yield the blocks that mean these numbers."""
        start = self.handle.to_bytes(_HANDLE_BYTES) + self.document.to_bytes(_NUMBER_BYTES)
        first = _VARIANTS if self.is_digest else 0
        for variant in range(first, first + _VARIANTS):
            yield start + variant.to_bytes(_VARIANT_BYTES)

    def doc_id(self, chosen: str | None) -> str | None:
        """Return the id of the document; `chosen` is the id after the code, None without one.

        None where the two do not belong together.
        """
        if not self.is_digest:
            return made_id(self.document) if chosen is None else None
        return chosen if chosen is not None and is_doc_id(chosen) and _digest(chosen) == self.document else None

    @classmethod
    def from_block(cls, block: bytes) -> "LinkNumbers | None":
        """Return the numbers in a block of 16 bytes; None for one that `blocks` does not yield."""
        document_at, variant_at = _HANDLE_BYTES, _BLOCK_BYTES - _VARIANT_BYTES
        variant = int.from_bytes(block[variant_at:])
        if len(block) != _BLOCK_BYTES or variant >= 2 * _VARIANTS:
            return None
        handle, document = int.from_bytes(block[:document_at]), int.from_bytes(block[document_at:variant_at])
        return cls(handle, document, is_digest=variant >= _VARIANTS)


def code_with_id(code: str, doc_id: str) -> str:
    """Return the code of a link to a document, which ends with an id of the owner's choice."""
    return code if made_id_number(doc_id) is not None else f"{code}{_ID_MARK}{doc_id}"


def code_and_id(text: str) -> tuple[str, str | None]:
    """Return the code of a link and the id after it, None without one; `code_with_id` joined them."""
    code, rest = text[:_CODE_CHARACTERS], text[_CODE_CHARACTERS:]
    return (code, rest[1:]) if rest.startswith(_ID_MARK) else (text, None)


def _digest(doc_id: str) -> int:
    return int.from_bytes(hashlib.sha256(doc_id.encode()).digest()[:_NUMBER_BYTES])


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
