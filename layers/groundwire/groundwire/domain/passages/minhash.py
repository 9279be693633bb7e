"""MinHash sketches: fingerprints of a few hundred bytes that estimate the resemblance of two texts.

The smallest hashes of a text's word triples are a fair sample of all of them (Broder, "On the resemblance and
containment of documents", 1997). With k hashes the estimate's standard error is sqrt(J (1 - J) / k).
"""

from collections.abc import Iterable
from hashlib import blake2b
from typing import Final

from groundwire.domain.text.words import words

SEGMENT_HASHES: Final = 32
"""Hashes of a segment, which has about 180 triples: near .9 the error is .05; 128 bytes are few beside its vectors."""
DOCUMENT_HASHES: Final = 64
"""Hashes of a document; documents are compared once and reported, so the error should be smaller: .04 near .9."""
HASH_BYTES: Final = 4
_EMPTY: Final = blake2b(digest_size=HASH_BYTES)


def sketch(text: str, hash_count: int) -> bytes:
    """Return at most `hash_count` hashes of four bytes, ascending; empty for a text without a word."""
    return b"".join(sorted(_word_triple_hashes(words(text)))[:hash_count])


def merge_sketches(sketches: Iterable[bytes], hash_count: int) -> bytes:
    """Return the sketch of the combined texts; each sketch was made with the same `hash_count`."""
    return b"".join(sorted({each for one in sketches for each in hashes(one)})[:hash_count])


def resemblance(first: bytes, second: bytes) -> float:
    """Estimate the share of word triples that two texts have in common, 0 to 1, from sketches with one `hash_count`.

    The result is 0 where either sketch is empty, since nothing is known of such a text.
    """
    one, other = set(hashes(first)), set(hashes(second))
    if not one or not other:
        return 0.0
    # A sketch with room left has every hash of its text, so the longer one gives the size of the sample.
    sample = sorted(one | other)[: max(len(one), len(other), SEGMENT_HASHES)]
    return len((one & other).intersection(sample)) / len(sample)


def hashes(sketched: bytes) -> list[bytes]:
    """Return the hashes of a sketch, ascending."""
    return [sketched[start : start + HASH_BYTES] for start in range(0, len(sketched), HASH_BYTES)]


def _word_triple_hashes(found: list[str]) -> set[bytes]:
    """Hash each run of three words; all words as one run where there are fewer than three."""
    if not found:
        return set()
    triples = zip(found, found[1:], found[2:], strict=False)
    return {_hash(" ".join(triple)) for triple in triples} or {_hash(" ".join(found))}


def _hash(text: str) -> bytes:
    hashing = _EMPTY.copy()  # Twice as fast as a new object.
    hashing.update(text.encode("utf-8", "surrogatepass"))
    return hashing.digest()
