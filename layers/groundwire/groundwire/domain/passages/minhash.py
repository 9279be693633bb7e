"""Sketches: a text's fingerprint in a few hundred bytes, from which the likeness of two texts is estimated.

The smallest hashes of a text's word triples are a fair sample of them all (Broder, "On the resemblance and
containment of documents", 1997). With k hashes the estimate's standard error is sqrt(J (1 - J) / k).
"""

from collections.abc import Iterable
from hashlib import blake2b
from typing import Final

from groundwire.domain.text.words import words

SEGMENT_HASHES: Final = 32
"""A segment has about 180 triples: near .9 the error is .05, and 128 bytes are little beside its vectors."""
DOCUMENT_HASHES: Final = 64
"""Documents are compared with each other once and reported, so that the error should be smaller: .04 near .9."""
HASH_BYTES: Final = 4
_EMPTY: Final = blake2b(digest_size=HASH_BYTES)


def sketch(text: str, hash_count: int) -> bytes:
    """At most `hash_count` hashes of four bytes, ascending; empty for a text without a word."""
    return b"".join(sorted(_word_triple_hashes(words(text)))[:hash_count])


def merge_sketches(sketches: Iterable[bytes], hash_count: int) -> bytes:
    """The sketch of all their texts together, each made with the same `hash_count`."""
    return b"".join(sorted({each for one in sketches for each in hashes(one)})[:hash_count])


def resemblance(first: bytes, second: bytes) -> float:
    """The share of word triples that two texts have in common, 0 to 1, estimated from sketches of one `k`.

    0 where either is empty: of such a text nothing is known.
    """
    one, other = set(hashes(first)), set(hashes(second))
    if not one or not other:
        return 0.0
    sample = sorted(one | other)[: max(len(one), len(other), SEGMENT_HASHES)]
    both = one & other
    return sum(each in both for each in sample) / len(sample)


def hashes(sketched: bytes) -> list[bytes]:
    """The hashes of a sketch, ascending."""
    return [sketched[start : start + HASH_BYTES] for start in range(0, len(sketched), HASH_BYTES)]


def _word_triple_hashes(found: list[str]) -> set[bytes]:
    """Of each word and the two behind it; of all words together where there are fewer than three."""
    if not found:
        return set()
    triples = zip(found, found[1:], found[2:], strict=False)
    return {_hash(" ".join(triple)) for triple in triples} or {_hash(" ".join(found))}


def _hash(text: str) -> bytes:
    hashing = _EMPTY.copy()  # Twice as fast as making it anew.
    hashing.update(text.encode("utf-8", "surrogatepass"))
    return hashing.digest()
