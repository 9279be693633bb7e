"""Relevance of the passages of a search, and the floor below which a passage is in no answer."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from groundwire.domain.documents.record import UNDETERMINED_LANGUAGE
from groundwire.domain.documents.segment import Segment
from groundwire.domain.search.fusion import PhraseScores
from groundwire.domain.search.logistic import chance
from groundwire.domain.search.model_languages import ModelLanguages
from groundwire.domain.search.relevance import WORDS_FIT, ModelFits, RelevanceFit, signals_at
from groundwire.domain.search.request import SearchMode
from groundwire.domain.text.codes import codes_of, comparable_text
from groundwire.ports import RowKey
from groundwire.services.search.results import Passage

NO_FLOOR: Final = 0.0
"""A floor that no relevance is below."""

_RARE_SHARE: Final = 1 / 3
_RARE_PASSAGES: Final = 3
"""A code is rare where at most a third of the passages hold it; in a few passages, three of them may."""


@dataclass(frozen=True, slots=True)
class Relevance:
    """Judge of the passages of one search.

    Attributes:
        fits: those for the models of the search; None: there are none.
        languages: languages that the embedding model knows.
        mode: signals that were searched.
    """

    fits: ModelFits | None
    languages: ModelLanguages
    mode: SearchMode

    def judge(
        self,
        passages: Sequence[Passage],
        scores: Sequence[PhraseScores],
        segments: Mapping[RowKey, Segment],
        rerank_scores: Sequence[float],
    ) -> list[Passage]:
        """Return the passages with their relevance, the best over the phrases that had them as candidates.

        Args:
            passages: in their order.
            scores: candidates of each phrase, that of the reranker first.
            segments: rows of the candidates that were read.
            rerank_scores: score of each passage for the first phrase; empty: there is no reranker.
        """
        # Two versions of a document in the index may have the same uids.
        rows = {(segment.uid, segment.version): key for key, segment in segments.items()}
        places = [dict(zip(each.keys, range(len(each.keys)), strict=True)) for each in scores]
        reranked: Sequence[float | None] = rerank_scores or [None] * len(passages)
        judges: dict[str, list[_PhraseJudge | None]] = {}
        judged: list[Passage] = []
        for passage, rerank in zip(passages, reranked, strict=True):
            segment = passage.segment
            if segment.language not in judges:
                judges[segment.language] = self._judges(segment.language, scores)
            key = rows[segment.uid, segment.version]
            relevance = _relevance(key, places, judges[segment.language], rerank)
            judged.append(passage if relevance == passage.relevance else passage.with_relevance(relevance))
        return judged

    def finds_something(self, phrase: PhraseScores) -> bool:
        """Return whether a search for this phrase alone would have an answer by the fitted floors.

        Only the candidates that one of the signals puts first are looked at: the best is nearly always one of them.
        """
        best: set[int] = set()
        for signal in (phrase.vector, phrase.passage, phrase.bm25):
            if signal:
                best.add(signal.index(max(signal)))
        for at in best:
            language = phrase.languages[at] if phrase.languages else UNDETERMINED_LANGUAGE
            fit = self._fit(language, has_words=phrase.term_count > 0)
            if fit is None or fit.chance(signals_at(phrase, at)) >= fit.floor:
                return True
        return False

    def floor_for(self, language: str) -> float:
        """Return the fitted floor of passages in a language; 0 if it is missing."""
        fit = self._fit(language, has_words=self.mode is not SearchMode.SEMANTIC)
        return NO_FLOOR if fit is None else fit.floor

    def _fit(self, language: str, *, has_words: bool) -> RelevanceFit | None:
        """Return the fit for passages in a language; None if they have no relevance.

        Args:
            language: ISO 639-1.
            has_words: the phrase has terms that were searched; one of stop words alone has none.
        """
        if self.mode is not SearchMode.LEXICAL and self.languages.knows(language):
            return self.fits and (self.fits.hybrid if has_words else self.fits.semantic)
        # Another model than those with fits may know the language well: its passages are not judged by words.
        is_judged = has_words and (self.fits is not None or self.mode is SearchMode.LEXICAL)
        return WORDS_FIT if is_judged else None

    def _judges(self, language: str, scores: Sequence[PhraseScores]) -> "list[_PhraseJudge | None]":
        """Return for each phrase its judge of passages in a language; None where they have no relevance for it."""
        fits = [self._fit(language, has_words=each.term_count > 0) for each in scores]
        return [None if fit is None else fit.log_odds_of(each) for fit, each in zip(fits, scores, strict=True)]


_PhraseJudge = Callable[[int, float | None], float]


def _relevance(
    key: RowKey,
    places: Sequence[Mapping[RowKey, int]],
    judges: Sequence[_PhraseJudge | None],
    rerank: float | None,
) -> float | None:
    odds = [
        # The reranker scored the first phrase alone.
        judge(at[key], None if number else rerank)
        for number, (at, judge) in enumerate(zip(places, judges, strict=True))
        if judge is not None and key in at
    ]
    # The chance rises with the odds, so the highest odds give the highest chance.
    return chance(max(odds)) if odds else None


@dataclass(frozen=True, slots=True)
class Floors:
    """Relevance floors of one call.

    Attributes:
        of_key: the key's; it holds whatever the call asks for. None: the key says nothing.
        of_collections: those of the collections that say something.
        min_relevance: the call's; with it only the key's floor applies.
    """

    of_key: float | None
    of_collections: Mapping[str, float]
    min_relevance: float | None

    def admit(
        self, passages: Sequence[Passage], judge: Relevance, find_code_holders: Callable[[], frozenset[str]]
    ) -> list[bool]:
        """Return for each passage whether it reaches its floor, or holds a rare code of the phrases.

        A passage without a relevance reaches every floor. The floor of a key holds for passages with a code, too.

        Args:
            passages: passages of one search.
            judge: judge of the search.
            find_code_holders: returns the uids of the passages that hold a rare code; called where it matters.
        """
        admitted = self._by_floor(passages, judge)
        if self.of_key is not None or all(admitted):
            return admitted
        holders = find_code_holders()
        return [reaches or each.segment.uid in holders for reaches, each in zip(admitted, passages, strict=True)]

    def _by_floor(self, passages: Sequence[Passage], judge: Relevance) -> list[bool]:
        # A search has many passages, and few pairs of collection and language.
        floors: dict[tuple[str, str], float] = {}
        admitted: list[bool] = []
        for passage in passages:
            group = (passage.document.collection, passage.segment.language)
            if group not in floors:
                floors[group] = self._floor(passage, judge)
            is_below = passage.relevance is not None and passage.relevance < floors[group]
            admitted.append(not is_below)
        return admitted

    def _floor(self, passage: Passage, judge: Relevance) -> float:
        if self.of_key is not None:
            return self.of_key
        if self.min_relevance is not None:
            return NO_FLOOR
        return self.of_collections.get(passage.document.collection, judge.floor_for(passage.segment.language))


def most_relevant(passages: Sequence[Passage]) -> list[Passage]:
    """Return the most relevant passage alone; empty without passages."""
    return sorted(passages, key=lambda each: -(each.relevance or 0.0))[:1]


def code_holders(phrases: Sequence[str], passages: Sequence[Passage]) -> frozenset[str]:
    """Return the uids of the passages that hold a rare code of the phrases.

    A code that most of these passages hold, such as the name of a product line, tells none of them from the others.
    """
    holders: set[str] = set()
    if codes := codes_of(phrases):
        texts = {each.segment.uid: comparable_text(_searched_text(each)) for each in passages}
        most = max(_RARE_PASSAGES, int(len(texts) * _RARE_SHARE))
        for code in codes:
            found = [uid for uid, text in texts.items() if code.is_in(text)]
            holders.update(found if len(found) <= most else ())
    return frozenset(holders)


def _searched_text(passage: Passage) -> str:
    segment = passage.segment
    return "\n".join((segment.text, segment.title, *segment.heading_path, *segment.raw_values))


def at_least(passages: Sequence[Passage], min_relevance: float | None) -> list[Passage]:
    """Return the passages of at least this relevance, and those without one."""
    if min_relevance is None:
        return [*passages]
    return [each for each in passages if each.relevance is None or each.relevance >= min_relevance]


def nearer_than(passages: Sequence[Passage], max_distance: float | None) -> list[Passage]:
    """Return the passages whose cosine distance is smaller; one without a distance is not."""
    if max_distance is None:
        return [*passages]
    return [each for each in passages if each.distance is not None and each.distance < max_distance]
