"""BM25 in parts that need no statistics of other rows, and the one part that does.

Source: Robertson and Zaragoza, "The Probabilistic Relevance Framework", 2009; inverse document frequency as in Lucene,
which stays positive for a term that most passages contain. Lengths are normalised by a constant of the language instead
of the average length, so a term's saturated count in a row depends on that row alone, whoever searches.

The fields of a passage are weighted as in BM25F (in the same source; `combined_fields` of Lucene and OpenSearch): a
term's counts and the fields' lengths are multiplied by the weight of their field and summed before BM25 saturates them.
"""

import math
import struct
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from groundwire.adapters.lexical.analyzer import STOP_WORDS, UNSTEMMED, analyzer_for, foreign_stop_words
from groundwire.domain.documents.segment import Segment

TITLE_WEIGHT: Final = 2.0
HEADING_WEIGHT: Final = 1.0
FILE_NAME_WEIGHT: Final = 1.0
"""Weights of a word in the document's title, in the headings and in the name of its file alone; a word of the text
has 1. A change of them changes stored counts: raise `VERSION` of the embedded index's schema too, and the digest of
OpenSearch's rows follows.
"""

COUNT_UNIT: Final = 8
"""Unit of counts, which are stored in eighths, so that a weight may be a fraction."""

_MAX_COUNT: Final = 0xFFFF


@dataclass(frozen=True, slots=True)
class TermCounts:
    """Terms of one passage with their weighted counts in eighths.

    Attributes:
        language: language of the words; rows of one language are scored among themselves.
        counts: weighted count by term, ascending by term.
    """

    language: str
    counts: Mapping[int, int]

    @property
    def length(self) -> int:
        """Weighted number of terms, in eighths."""
        return sum(self.counts.values())


def phrase_terms(text: str, language: str) -> list[int]:
    """Return the terms of a phrase in order, analysed as passages of `language`; repeats included.

    Stop words of the phrase's own language are left out where the passages are in another one, unless none would be
    left.
    """
    analyzer = analyzer_for(language)
    return analyzer.terms(text, foreign_stop_words(text, analyzer.language)) or analyzer.terms(text)


def passage_terms(segment: Segment, file_words: str = "") -> TermCounts:
    """Return the terms of a passage: text, enricher's additions and raw values, headings, title of the document.

    `file_words` are words of the file's name that the title has not.
    """
    analyzer = analyzer_for(segment.language)
    counts_by_term: defaultdict[int, int] = defaultdict(int)
    for text, weight in _fields(segment, file_words):
        units = round(weight * COUNT_UNIT)
        for term in analyzer.terms(text):
            counts_by_term[term] += units
    # An index stores a count in two bytes.
    counts = {term: min(counts_by_term[term], _MAX_COUNT) for term in sorted(counts_by_term)}
    return TermCounts(analyzer.language, counts)


def _fields(segment: Segment, file_words: str) -> Sequence[tuple[str, float]]:
    return (
        ("\n".join((segment.text, segment.context, *segment.questions, *segment.raw_values)), 1.0),
        ("\n".join(_path_below_title(segment)), HEADING_WEIGHT),
        (segment.title, TITLE_WEIGHT),
        (file_words, FILE_NAME_WEIGHT),
    )


def _path_below_title(segment: Segment) -> tuple[str, ...]:
    """Return the headings; the outermost one is often the title itself, and then counts once."""
    path = segment.heading_path
    return path[1:] if path and path[0].split() == segment.title.split() else path


K1: Final = 1.2
B: Final = 0.75

MAX_WEIGHT: Final = K1 + 1
"""Limit of a saturated count, which an infinite count would reach."""

_SINGLE: Final = struct.Struct("<f")
_BITS: Final = struct.Struct("<I")

WEIGHT_MASK: Final = 0xFFFF8000
"""Bits of a weight in single precision that count: nine significant ones, as many as Lucene's `FeatureField` stores.

All indexes cut weights alike, so that a score does not depend on which one computed it.
"""

LENGTHLESS_NORM: Final[float] = _SINGLE.unpack(_SINGLE.pack(K1 * (1 - B) * COUNT_UNIT))[0]
"""Part of the denominator of a saturated count that does not depend on the row's length."""

_PIVOT_LENGTH: Final = 150.0
_PIVOT_LENGTHS: Final[Mapping[str, float]] = {**dict.fromkeys(STOP_WORDS, 127.0), UNSTEMMED: 400.0, "zh": 400.0}
"""Pivot lengths in weighted terms: BM25 raises the scores of shorter passages and lowers those of longer ones.

Passages of about 1,100 characters have about 127 terms without stop words, and 150 with them. In languages without a
stemmer, pairs of characters are terms, up to 800 of them. Between 80 and 200, nDCG@10 by words alone differs by .001 on
XQuAD in German, and by .004 in Russian; Chinese has .960 with 120, .966 with 400.
"""


def pivot_length(language: str) -> float:
    """Return the pivot length of a language of `analyzer_for`."""
    return _PIVOT_LENGTHS.get(language, _PIVOT_LENGTH)


def length_factor(language: str) -> float:
    """Return what an eighth of a row's length adds to the denominator of a saturated count."""
    return _single(K1 * B / pivot_length(language))


def saturated_weight(count: int, length: int, language: str) -> float:
    """Return the saturated count of a term in a row, below `MAX_WEIGHT`, cut to nine significant bits.

    Each step is rounded to single precision, in which the embedded index computes whole arrays of weights.

    Args:
        count: weighted occurrences of the term, in eighths.
        length: weighted number of terms of the row, in eighths.
        language: language of `analyzer_for`.
    """
    norm = _single(_single(_single(length) * length_factor(language)) + LENGTHLESS_NORM)
    return cut(_single(_single(count * _single(MAX_WEIGHT)) / _single(count + norm)))


def cut(weight: float) -> float:
    """Cut a positive number to nine significant bits."""
    (bits,) = _BITS.unpack(_SINGLE.pack(weight))
    return _from_single(_BITS.pack(bits & WEIGHT_MASK))


def rarity(rows: int, frequency: int) -> float:
    """Return the inverse document frequency of a term that `frequency` of so many rows have."""
    return math.log1p((rows - frequency + 0.5) / (frequency + 0.5))


def _single(number: float) -> float:
    """Round to single precision."""
    return _from_single(_SINGLE.pack(number))


def _from_single(stored: bytes) -> float:
    (number,) = _SINGLE.unpack(stored)
    return float(number)
