"""Words to the terms that BM25 counts: stop words out, stems in, each as a number that every process agrees on."""

import threading
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b
from typing import Final, Protocol, cast

import numpy as np
import Stemmer

from groundwire.adapters.local.index.arrays import U16, U64
from groundwire.adapters.local.index.words import words

TERM_BITS: Final = 40
"""Of a term's digest, its number in the index: a vocabulary of 100,000 stems has no collision in 99.5 % of
cases, and no table of words that would outlive the documents they came from."""

STOP_WORDS: Final = frozenset(
    (
        *("a", "an", "and", "are", "as", "at", "be", "but", "by", "for", "if", "in", "into", "is", "it", "no", "not"),
        *("of", "on", "or", "such", "that", "the", "their", "then", "there", "these", "they", "this", "to", "was"),
        *("will", "with"),
    )
)
"""The list of Lucene's english analyzer."""

_MAX_COUNT: Final = 0xFFFF


class _Stemmer(Protocol):
    def stemWord(self, word: str) -> str: ...  # noqa: N802 - the library's name


class _Library(Protocol):
    """What is used of PyStemmer, which ships no types."""

    Stemmer: Callable[[str, int], _Stemmer]


_stemmer: Final = cast("_Library", Stemmer).Stemmer("english", 0)
_stemming: Final = threading.Lock()


@dataclass(frozen=True, slots=True)
class TermCounts:
    """The terms of one passage, ascending and distinct, and how often each stands in it."""

    terms: U64
    counts: U16


def stems(text: str) -> list[str]:
    """The stems of `text` in order, repeats included."""
    return [_stem(word) for word in words(text) if word not in STOP_WORDS]


def phrase_terms(text: str) -> list[int]:
    """The terms of a phrase in order; a repeated stem counts twice."""
    return [_term(word) for word in words(text) if word not in STOP_WORDS]


def passage_terms(heading_path: Sequence[str], text: str) -> TermCounts:
    """The terms of a passage; its headings are words of it."""
    counted = Counter(phrase_terms("\n".join((*heading_path, text))))
    terms = sorted(counted)
    counts = [min(counted[term], _MAX_COUNT) for term in terms]
    return TermCounts(np.array(terms, np.uint64), np.array(counts, np.uint16))


@lru_cache(maxsize=65_536)
def _term(word: str) -> int:
    digest = blake2b(_stem(word).encode(), digest_size=TERM_BITS // 8).digest()
    return int.from_bytes(digest, "little")


def _stem(word: str) -> str:
    # A stemmer works in a buffer of its own, so it serves one thread at a time.
    with _stemming:
        return _stemmer.stemWord(word)
