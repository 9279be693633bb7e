"""Statistics of the passages that one caller may read, counted by the engine for the terms of one search.

The filters are the caller's rights: policy and key. Collections, documents and metadata that a search names change no
count. A passage that is hidden from the caller counts in no number.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, Final

from groundwire.adapters.lexical.weighting import MAX_WEIGHT, TermCounts, phrase_terms, rarity
from groundwire.adapters.opensearch.query.row_reader import PASSAGES
from groundwire.adapters.opensearch.schema.access_filter import Clause
from groundwire.adapters.opensearch.schema.terms import has_term, term_scores

_TERMS_A_SEARCH: Final = 256
"""Terms that one search of a request counts; several searches run at the same time."""

_LANGUAGES: Final = 64
"""Limit of the languages that are counted: more than there are analyzers."""

EARLIER_ROWS: Final[Clause] = {"bool": {"must_not": [{"exists": {"field": "analyzer"}}]}}
"""Filter for passages that an earlier release wrote, without terms."""

_PER_LANGUAGE: Final = {"languages": {"terms": {"field": "analyzer", "size": _LANGUAGES}}}


def language_search(rights: Sequence[Clause], collections: Sequence[str]) -> dict[str, Any]:
    """Return the search that counts passages by language, in all and in the searched collections."""
    searched = {"terms": {"collection": sorted(set(collections))}}
    return {
        **_counting(rights),
        "aggs": {
            **_PER_LANGUAGE,
            "searched": {"filter": searched, "aggs": _PER_LANGUAGE},
            "earlier": {"filter": EARLIER_ROWS},
        },
    }


def term_searches(rights: Sequence[Clause], terms: Iterable[int]) -> Iterator[dict[str, Any]]:
    """Yield the searches that count the passages with each of these terms."""
    remaining = iter(sorted(set(terms)))
    while some := list(islice(remaining, _TERMS_A_SEARCH)):
        filters = {str(term): has_term(term) for term in some}
        yield {**_counting(rights), "aggs": {"terms": {"filters": {"filters": filters}}}}


def _counting(rights: Sequence[Clause]) -> dict[str, Any]:
    return {"size": 0, "track_total_hits": False, "query": {"bool": {"filter": [PASSAGES, *rights]}}}


class SeenLanguages:
    """Languages of the rows of one index, as far as this process has met them.

    A phrase is counted in these beside the nearest passages. One that is met for the first time costs that search a
    request.
    """

    def __init__(self) -> None:
        self._codes: frozenset[str] = frozenset()

    @property
    def codes(self) -> frozenset[str]:
        """Languages of `analyzer_for`; English where no row was met yet."""
        return self._codes or frozenset(("en",))

    def add(self, codes: Iterable[str]) -> None:
        """Add languages of rows."""
        self._codes = self._codes.union(codes)


@dataclass(slots=True)
class AccessCounts:
    """Counts of the passages that the caller may read.

    Attributes:
        rows: number by language.
        searched: languages in the searched collections.
        frequencies: number with the term, by term; a term that was not counted is absent.
        earlier_rows: number of passages of an earlier release, which are in no other count.
    """

    rows: dict[str, int] = field(default_factory=dict[str, int])
    searched: frozenset[str] = frozenset()
    frequencies: dict[int, int] = field(default_factory=dict[int, int])
    earlier_rows: int = 0

    @property
    def readable(self) -> int:
        """Number of passages that the caller may read."""
        return sum(self.rows.values()) + self.earlier_rows

    def add_languages(self, answer: Mapping[str, Any]) -> None:
        """Add the answer to `language_search`."""
        found = answer["aggregations"]
        self.rows = _per_language(found)
        self.searched = frozenset(_per_language(found["searched"]))
        self.earlier_rows = found["earlier"]["doc_count"]

    def add_terms(self, answer: Mapping[str, Any]) -> None:
        """Add the answer to one of `term_searches`."""
        buckets = answer["aggregations"]["terms"]["buckets"]
        self.frequencies |= {int(term): bucket["doc_count"] for term, bucket in buckets.items()}

    def rarity(self, language: str, term: int) -> float:
        """Return the inverse document frequency of a term of a language."""
        return rarity(self.rows.get(language, 0), self.frequencies.get(term, 0))


class PhraseTerms:
    """Terms of one phrase in each language, repeats counted.

    Args:
        text: the phrase.
    """

    def __init__(self, text: str) -> None:
        self._text = text
        self._terms: dict[str, Counter[int]] = {}

    def of(self, language: str) -> Counter[int]:
        """Return the number of occurrences by term, as passages of the language are analysed."""
        if (known := self._terms.get(language)) is None:
            known = self._terms[language] = Counter(phrase_terms(self._text, language))
        return known

    def weighted(self, counts: AccessCounts) -> list[tuple[int, float]]:
        """Return the terms that readable passages of the searched languages have, each with its factor of a score."""
        return [
            (term, factor)
            for language in sorted(counts.searched)
            for term, factor in self._factors(language, counts)
            if counts.frequencies.get(term)
        ]

    def score(self, row: TermCounts, counts: AccessCounts) -> float:
        """Return the BM25 score of a row."""
        return term_scores(row, dict(self._factors(row.language, counts)))

    def limit(self, counts: AccessCounts) -> tuple[float, int]:
        """Return the score of a row of one language with all terms infinitely often, and the number of terms."""
        totals = [
            (sum(factor for _, factor in self._factors(language, counts)), terms.total())
            for language in sorted(counts.searched)
            if (terms := self.of(language))
        ]
        total, number = max(totals, default=(0.0, 0))
        return MAX_WEIGHT * total, number

    def _factors(self, language: str, counts: AccessCounts) -> list[tuple[int, float]]:
        """Return each term with the factor of its weight in a row of the language: its rarity, once per repetition."""
        return [(term, times * counts.rarity(language, term)) for term, times in self.of(language).items()]


def _per_language(found: Mapping[str, Any]) -> dict[str, int]:
    return {bucket["key"]: bucket["doc_count"] for bucket in found["languages"]["buckets"]}
