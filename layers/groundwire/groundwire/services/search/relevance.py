"""Relevance of the passages of a search, and the floor under which an answer is empty."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from groundwire.domain.documents.segment import Segment
from groundwire.domain.search.fusion import PhraseScores
from groundwire.domain.search.model_languages import ModelLanguages
from groundwire.domain.search.relevance import FITS, WORDS_FIT, RelevanceFit, signals_at
from groundwire.domain.search.request import SearchMode
from groundwire.services.search.results import Passage

NO_FLOOR: Final = 0.0
"""A floor that no relevance is below."""


@dataclass(frozen=True, slots=True)
class Relevance:
    """Judge of the passages of one search.

    Attributes:
        model: name of the index's embedding model. languages: those that it knows.
        mode: signals that were searched.
    """

    model: str
    languages: ModelLanguages
    mode: SearchMode

    def judge(
        self, passages: Sequence[Passage], scores: Sequence[PhraseScores], segments: Mapping[int | str, Segment]
    ) -> list[Passage]:
        """Return the passages with their relevance, the best over the phrases that had them as candidates."""
        rows = {_row(segment): key for key, segment in segments.items()}
        places = [{key: at for at, key in enumerate(each.keys)} for each in scores]
        return [
            replace(passage, relevance=self._relevance(passage.segment, rows[_row(passage.segment)], scores, places))
            for passage in passages
        ]

    def floor_for(self, language: str) -> float:
        """Return the fitted floor of passages in a language; 0 where there is none."""
        fit = self._fit(language, has_words=self.mode is not SearchMode.SEMANTIC)
        return NO_FLOOR if fit is None else fit.floor

    def _fit(self, language: str, *, has_words: bool) -> RelevanceFit | None:
        """Return the fit for passages in a language; None: they have no relevance.

        Args:
            language: ISO 639-1.
            has_words: the phrase has terms that were searched; one of stop words alone has none.
        """
        fits = FITS.get(self.model)
        if self.mode is not SearchMode.LEXICAL and self.languages.knows(language):
            return fits and (fits.hybrid if has_words else fits.semantic)
        # Another model than those of the table may know the language well: its passages are not judged by words.
        is_judged = has_words and (fits is not None or self.mode is SearchMode.LEXICAL)
        return WORDS_FIT if is_judged else None

    def _relevance(
        self,
        segment: Segment,
        key: int | str,
        scores: Sequence[PhraseScores],
        places: Sequence[Mapping[int | str, int]],
    ) -> float | None:
        found = [
            fit.chance(signals_at(each, at[key]))
            for each, at in zip(scores, places, strict=True)
            if key in at and (fit := self._fit(segment.language, has_words=each.term_count > 0))
        ]
        return max(found, default=None)


@dataclass(frozen=True, slots=True)
class Floors:
    """Floors of one call.

    Attributes:
        of_key: the key's; it holds whatever the call asks for. None: the key says nothing.
        of_collections: those of the collections that say something.
        min_relevance: the call's; with it only the key's floor applies.
    """

    of_key: float | None
    of_collections: Mapping[str, float]
    min_relevance: float | None

    def leave_nothing(self, passages: Sequence[Passage], judge: Relevance) -> bool:
        """Return whether every passage is below its floor; one without a relevance never is."""
        return bool(passages) and all(self._is_below(passage, judge) for passage in passages)

    def _is_below(self, passage: Passage, judge: Relevance) -> bool:
        return passage.relevance is not None and passage.relevance < self._floor(passage, judge)

    def _floor(self, passage: Passage, judge: Relevance) -> float:
        if self.of_key is not None:
            return self.of_key
        if self.min_relevance is not None:
            return NO_FLOOR
        return self.of_collections.get(passage.document.collection, judge.floor_for(passage.segment.language))


def at_least(passages: Sequence[Passage], min_relevance: float | None) -> list[Passage]:
    """Return the passages of at least this relevance, and those without one."""
    return [
        each for each in passages if min_relevance is None or each.relevance is None or each.relevance >= min_relevance
    ]


def _row(segment: Segment) -> tuple[str, int]:
    """Return the identity of a row: two versions of a document in the index may have the same uids."""
    return segment.uid, segment.version
