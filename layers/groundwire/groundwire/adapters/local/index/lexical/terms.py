"""The terms of passages and phrases.

The fields of a passage are weighted as in BM25F (Robertson and Zaragoza, "The Probabilistic Relevance Framework",
2009; Lucene's and OpenSearch's `combined_fields`): a term's counts and the fields' lengths are multiplied by the
weight of their field and added up before BM25 saturates them.
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
"""Of a word in the document's title, and in the headings, beside 1 of a word of the text. Changing them changes what
is stored: raise `schema.VERSION` too."""

COUNT_UNIT: Final = 8
"""Counts are stored in eighths, so that a weight may be a fraction."""

_MAX_COUNT: Final = 0xFFFF


@dataclass(frozen=True, slots=True)
class TermCounts:
    """The terms of one passage, ascending and distinct, and how often each stands in it, weighted, in eighths.

    Attributes:
        language: whose words they are; rows of one language are scored among themselves.
    """

    language: str
    terms: U64
    counts: U16


def phrase_terms(text: str, language: str) -> list[int]:
    """The terms of a phrase in order as passages of `language` have them; a repeated stem counts twice."""
    return analyzer_for(language).terms(text)


def passage_terms(segment: Segment) -> TermCounts:
    """The terms of a passage: its text with what an enricher added, its headings, and its document's title."""
    analysed = analyzer_for(segment.language)
    counted: defaultdict[int, int] = defaultdict(int)
    for text, weight in _fields(segment):
        units = round(weight * COUNT_UNIT)
        for term in analysed.terms(text):
            counted[term] += units
    terms = sorted(counted)
    counts = [min(counted[term], _MAX_COUNT) for term in terms]
    return TermCounts(analysed.language, np.array(terms, np.uint64), np.array(counts, np.uint16))


def _fields(segment: Segment) -> Sequence[tuple[str, float]]:
    return (
        ("\n".join((segment.text, segment.context, *segment.questions)), 1.0),
        ("\n".join(_path_below_title(segment)), HEADING_WEIGHT),
        (segment.title, TITLE_WEIGHT),
    )


def _path_below_title(segment: Segment) -> tuple[str, ...]:
    """The outermost heading is often the title itself, and is counted once."""
    path = segment.heading_path
    return path[1:] if path and path[0].split() == segment.title.split() else path
