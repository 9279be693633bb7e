"""Relevance: the chance that a passage answers a phrase, from signals that mean the same in every search.

A logistic model joins the signals. Its coefficients are fitted per embedding model, as models differ in what similarity
they give to unrelated texts; `docs/retrieval/relevance.md` has the data, and `bench.relevance` repeats the fit.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import log, log1p
from typing import Final

from groundwire.domain.errors import InvalidInput
from groundwire.domain.search.fusion import WINDOW_WEIGHT, PhraseScores
from groundwire.domain.search.logistic import chance

JUDGED_PASSAGES: Final = 8
"""Number of passages among which the best decides whether an answer is empty, however many are requested."""

_FEWEST_PASSAGES: Final = 250
_MOST_PASSAGES: Final = 10_000
"""Sizes of collections in the fit; smaller and larger ones count as these, since the fit saw none."""


@dataclass(frozen=True, slots=True)
class Signals:
    """Relevance signals of one passage for one phrase, none of them relative to other candidates.

    Attributes:
        window: cosine similarity of the best window; of the passage where it has none.
        passage: cosine similarity of the whole passage.
        words: BM25 over the most that the phrase could reach, 0 to 1: rare words that are covered count most.
        readable: number of passages that the caller may read.
        rerank: score of the reranker for this phrase; None where it gave none.
        terms: number of the phrase's terms that are searched.
    """

    window: float
    passage: float
    words: float
    readable: int
    rerank: float | None = None
    terms: int = 0

    @property
    def evidence(self) -> float:
        """`words`, weighted by the length of the phrase: few words of a long phrase meet in a passage by chance."""
        return self.words * log1p(self.terms)

    @property
    def size(self) -> float:
        """Natural logarithm of the number of passages: of `n` passages each answers with a chance of 1 / `n` before
        anything is known of it, and the best of many unrelated ones is more similar than the best of few.
        """
        return log(max(_FEWEST_PASSAGES, min(_MOST_PASSAGES, self.readable)))


def signals_at(scores: PhraseScores, at: int, rerank: float | None = None) -> Signals:
    """Return the signals of the candidate at this position."""
    whole = scores.passage[at] if scores.passage else scores.vector[at]
    return Signals(
        window=_window(scores.vector[at], whole),
        passage=whole,
        words=_words(scores.bm25[at], scores.bm25_limit),
        readable=scores.readable,
        rerank=rerank,
        terms=scores.term_count,
    )


def _window(vector: float, passage: float) -> float:
    # `vector` joins two cosines by `semantic_score`, from which this one is recovered.
    return (vector - (1.0 - WINDOW_WEIGHT) * passage) / WINDOW_WEIGHT


def _words(bm25: float, limit: float) -> float:
    return min(1.0, bm25 / limit) if limit > 0 else 0.0


@dataclass(frozen=True, slots=True)
class RelevanceFit:
    """Coefficients of the logistic model, none below 0, and the floor.

    Attributes:
        size: coefficient of `Signals.size`, which lowers the chance.
        rerank: coefficient of the reranker's score; 0 in a fit without a reranker.
        floor: an answer whose best passage is less relevant is empty; 0: no floor.
        evidence: coefficient of `Signals.evidence`; only fits to words alone have one.
    """

    intercept: float
    window: float
    passage: float
    words: float
    size: float
    rerank: float
    floor: float
    evidence: float = 0.0

    def log_odds(self, signals: Signals) -> float:
        """Return the log-odds that the passage answers."""
        return self._sum(signals.window, signals.passage, signals.words, signals.evidence, signals.size, signals.rerank)

    def chance(self, signals: Signals) -> float:
        """Return the chance that the passage answers, 0 to 1."""
        return chance(self.log_odds(signals))

    def log_odds_of(self, scores: PhraseScores) -> Callable[[int, float | None], float]:
        """Return a function from a candidate's position, and its score by the reranker, to its log-odds.

        They are the `log_odds` of its `signals_at`. A search judges some thirty passages by each of its phrases, whose
        logarithms are computed once.
        """
        shared = Signals(0.0, 0.0, 1.0, scores.readable, terms=scores.term_count)
        evidence, size, limit = shared.evidence, shared.size, scores.bm25_limit
        bm25, vector, passage = scores.bm25, scores.vector, scores.passage or scores.vector

        def log_odds(at: int, rerank: float | None) -> float:
            whole, words = passage[at], _words(bm25[at], limit)
            return self._sum(_window(vector[at], whole), whole, words, words * evidence, size, rerank)

        return log_odds

    def _sum(
        self, window: float, passage: float, words: float, evidence: float, size: float, rerank: float | None
    ) -> float:
        return (
            self.intercept
            + self.window * window
            + self.passage * passage
            + self.words * words
            + self.evidence * evidence
            - self.size * size
            + self.rerank * (rerank or 0.0)
        )


@dataclass(frozen=True, slots=True)
class ModelFits:
    """Fits for one embedding model.

    Attributes:
        model: its name in the index.
        reranker: name of the reranker whose scores are among the signals; None: none.
        hybrid: for searches by words and meaning. semantic: for those by meaning alone.
    """

    model: str
    reranker: str | None
    hybrid: RelevanceFit
    semantic: RelevanceFit


WORDS_FIT: Final = RelevanceFit(
    intercept=-1.253, window=0.0, passage=0.0, words=0.0, size=0.608, rerank=0.0, floor=0.0, evidence=6.337
)
"""Fit for lexical searches, and for passages in a language that the model does not know.

It has no floor: at the same loss words alone let most questions about another subject through.
"""

MINILM_FITS: Final = ModelFits(
    model="all-MiniLM-L6-v2-int8",
    reranker=None,
    hybrid=RelevanceFit(
        intercept=-2.964, window=3.932, passage=5.639, words=3.627, size=0.543, rerank=0.0, floor=0.0502
    ),
    semantic=RelevanceFit(
        intercept=-2.784, window=5.405, passage=5.362, words=0.0, size=0.513, rerank=0.0, floor=0.067
    ),
)
"""Fits for the built-in model; with another model only lexical searches have a relevance, unless it has own fits."""


def fits_for(model: str, reranker: str | None, own: Sequence[ModelFits]) -> ModelFits | None:
    """Return the fits for an embedding model and a reranker; None without any.

    Args:
        model: name of the embedding model.
        reranker: name of the reranker that is configured.
        own: fits of this installation; they come before the built-in ones, and those with the reranker first.
    """
    known = [each for each in (*own, MINILM_FITS) if each.model == model]
    with_reranker = [each for each in known if reranker is not None and each.reranker == reranker]
    return next(iter([*with_reranker, *(each for each in known if each.reranker is None)]), None)


def check_floor(floor: float | None) -> None:
    """Check the floor of a key or a collection.

    Raises:
        InvalidInput: it is no chance.
    """
    if floor is not None and not 0.0 <= floor <= 1.0:
        raise InvalidInput("A relevance floor is a number from 0 (none) to 1.")
