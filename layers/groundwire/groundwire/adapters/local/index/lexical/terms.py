"""Terms of passages and phrases.

The fields of a passage are weighted as in BM25F (Robertson and Zaragoza, "The Probabilistic Relevance Framework", 2009;
Lucene's and OpenSearch's `combined_fields`): a term's counts and the fields' lengths are multiplied by the weight of
their field and summed before BM25 saturates them.
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from groundwire.adapters.local.index.arrays.dtypes import U16, U64
from groundwire.adapters.local.index.lexical.analyzer import analyzer_for
from groundwire.domain.documents.segment import Segment

TITLE_WEIGHT: Final = 2.0
HEADING_WEIGHT: Final = 1.0
"""Weights of a word in the document's title and in the headings; a word of the text has 1. A change of them changes
stored counts: raise `schema.VERSION` too.
"""

COUNT_UNIT: Final = 8
"""Unit of counts, which are stored in eighths, so that a weight may be a fraction."""

_MAX_COUNT: Final = 0xFFFF


@dataclass(frozen=True, slots=True)
class TermCounts:
    """Terms of one passage, ascending and distinct, with their weighted counts in eighths.

    Attributes:
        language: language of the words; rows of one language are scored among themselves.
    """

    language: str
    terms: U64
    counts: U16


def phrase_terms(text: str, language: str) -> list[int]:
    """Return the terms of a phrase in order, analysed as passages of `language`; repeats included."""
    return analyzer_for(language).terms(text)


def passage_terms(segment: Segment) -> TermCounts:
    """Return the terms of a passage: its text with the enricher's additions, its headings, and the document's title."""
    analyzer = analyzer_for(segment.language)
    counts_by_term: defaultdict[int, int] = defaultdict(int)
    for text, weight in _fields(segment):
        units = round(weight * COUNT_UNIT)
        for term in analyzer.terms(text):
            counts_by_term[term] += units
    terms = sorted(counts_by_term)
    counts = [min(counts_by_term[term], _MAX_COUNT) for term in terms]
    return TermCounts(analyzer.language, np.array(terms, np.uint64), np.array(counts, np.uint16))


def _fields(segment: Segment) -> Sequence[tuple[str, float]]:
    return (
        ("\n".join((segment.text, segment.context, *segment.questions)), 1.0),
        ("\n".join(_path_below_title(segment)), HEADING_WEIGHT),
        (segment.title, TITLE_WEIGHT),
    )


def _path_below_title(segment: Segment) -> tuple[str, ...]:
    """Return the headings; the outermost one is often the title itself, and then counts once."""
    path = segment.heading_path
    return path[1:] if path and path[0].split() == segment.title.split() else path
