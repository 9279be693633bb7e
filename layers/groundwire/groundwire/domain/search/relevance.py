"""Relevance: the chance that a passage answers a phrase, from signals that mean the same in every search.

A logistic model joins the signals. Its coefficients are fitted per embedding model, as models differ in what similarity
they give to unrelated texts; `docs/retrieval.md` has the data, and `bench.relevance` repeats the fit.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from math import exp, log
from typing import Final

from groundwire.domain.errors import InvalidInput
from groundwire.domain.search.fusion import WINDOW_WEIGHT, PhraseScores

_SATURATION: Final = 2.2
"""Part of BM25's limit that is no rarity: k1 + 1."""
_MAX_RARITY: Final = 10.0
"""Highest mean rarity that counts: no collection of the fit had more, and larger ones must not exceed the fit."""


@dataclass(frozen=True, slots=True)
class Signals:
    """Signals of one passage for one phrase, none of them relative to other candidates.

    Attributes:
        window: cosine similarity of the best window; of the passage where it has none.
        passage: cosine similarity of the whole passage.
        words: BM25 over the most that the phrase could reach, 0 to 1.
        rarity: mean rarity of the phrase's terms among what the caller may read; high where few passages have them.
        terms: number of the phrase's terms; 0: words were not searched.
    """

    window: float
    passage: float
    words: float
    rarity: float
    terms: int

    @property
    def missing(self) -> float:
        """Rarity of the part of the phrase that the passage lacks: rare words must be covered."""
        return min(self.rarity, _MAX_RARITY) * (1.0 - self.words)


def signals_at(scores: PhraseScores, at: int) -> Signals:
    """Return the signals of the candidate at this position."""
    whole = scores.passage[at] if scores.passage else scores.vector[at]
    limit = scores.bm25_limit
    return Signals(
        window=(scores.vector[at] - (1.0 - WINDOW_WEIGHT) * whole) / WINDOW_WEIGHT,
        passage=whole,
        words=min(1.0, scores.bm25[at] / limit) if limit > 0 else 0.0,
        rarity=limit / _SATURATION / scores.term_count if scores.term_count else 0.0,
        terms=scores.term_count,
    )


@dataclass(frozen=True, slots=True)
class RelevanceFit:
    """Coefficients of the logistic model, none below 0, and the floor.

    Rare words that the passage lacks (`missing`) and the length of the phrase (the logarithm of its number of terms)
    lower the chance: of a long phrase much must be found.

    Attributes:
        floor: an answer whose best passage is less relevant is empty; 0: no floor.
    """

    intercept: float
    window: float
    passage: float
    words: float
    missing: float
    length: float
    floor: float

    def chance(self, signals: Signals) -> float:
        """Return the chance that the passage answers, 0 to 1."""
        log_odds = (
            self.intercept
            + self.window * signals.window
            + self.passage * signals.passage
            + self.words * signals.words
            - self.missing * signals.missing
            - self.length * log(max(1, signals.terms))
        )
        return 1.0 / (1.0 + exp(-max(-50.0, min(50.0, log_odds))))


@dataclass(frozen=True, slots=True)
class ModelFits:
    """Fits for one embedding model.

    Attributes:
        hybrid: for searches by words and meaning. semantic: for those by meaning alone.
    """

    hybrid: RelevanceFit
    semantic: RelevanceFit


WORDS_FIT: Final = RelevanceFit(
    intercept=0.743, window=0.0, passage=0.0, words=2.377, missing=0.977, length=0.0, floor=0.0
)
"""Fit for lexical searches, and for passages in a language that the model does not know.

It has no floor: at the same loss words alone let most questions about another subject through.
"""

FITS: Final[Mapping[str, ModelFits]] = {
    "all-MiniLM-L6-v2-int8": ModelFits(
        hybrid=RelevanceFit(
            intercept=-1.607, window=2.334, passage=3.114, words=0.0, missing=0.646, length=0.238, floor=0.048
        ),
        semantic=RelevanceFit(
            intercept=-4.544, window=3.853, passage=2.895, words=0.0, missing=0.0, length=0.0, floor=0.065
        ),
    ),
}
"""Fits by the model's name in the index; with another model only lexical searches have a relevance."""


def check_floor(floor: float | None) -> None:
    """Check the floor of a key or a collection.

    Raises:
        InvalidInput: it is no chance.
    """
    if floor is not None and not 0.0 <= floor <= 1.0:
        raise InvalidInput("A floor of relevance goes from 0 (none) to 1.")
