"""Terms of passages and phrases.

The fields of a passage are weighted as in BM25F (Robertson and Zaragoza, "The Probabilistic Relevance Framework", 2009;
Lucene's and OpenSearch's `combined_fields`): a term's counts and the fields' lengths are multiplied by the weight of
their field and summed before BM25 saturates them.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from groundwire.adapters.lexical.analyzer import analyzer_for
from groundwire.adapters.lexical.stop_words import foreign_stop_words
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
