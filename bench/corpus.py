"""Made-up documents, the same for the same seed: the words of a language by how often they are used."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from groundwire.domain.access.policy import Principal
from groundwire.domain.documents.ids import segment_uid
from groundwire.domain.documents.segment import Segment
from groundwire.domain.keys.grants import ALL_COLLECTIONS
from groundwire.domain.search.fusion import PhraseScores
from groundwire.domain.search.request import ALL_DOCUMENTS, SearchMode
from groundwire.domain.text import token_sums
from groundwire.ports import IndexQuery, Phrase, RowKey, SegmentInput

COLLECTION: Final = "documents"
SEGMENTS_PER_DOCUMENT: Final = 20
WORDS_PER_SEGMENT: Final = 190
"""About 1,100 characters."""
WORDS_PER_PHRASE: Final = 10
_WORDS_PER_SENTENCE: Final = 15
_CLUSTERS: Final = 100
_SPREAD: Final = 0.6
"""Length of a vector's own part beside its cluster's unit vector: neighbours come to a cosine of about .75."""
WINDOWS_PER_SEGMENT: Final = 4
_SPREAD_OF_WINDOWS: Final = 0.8
"""The same of a window's beside its segment's: windows come to a cosine of about .8 to their passage."""


def index_query(principal: Principal, phrases: Sequence[Phrase], depth: int) -> IndexQuery:
    """Return the query of a hybrid search that narrows by the collection alone."""
    return IndexQuery(principal, ALL_COLLECTIONS, [COLLECTION], ALL_DOCUMENTS, None, phrases, SearchMode.HYBRID, depth)


def select_nothing(_: Sequence[PhraseScores]) -> Sequence[RowKey]:
    """Selects no row: only the search itself is timed."""
    return ()


class Corpus:
    """Texts, phrases and vectors.

    Words are the whole words of the model's vocabulary, which lists the more frequent ones first, drawn by Zipf's
    law: English function words stand in nearly every passage, as they do in real text. Vectors are not the
    texts' own: they lie around random centres.
    """

    def __init__(self, vocabulary: Path, dimension: int, seed: int) -> None:
        self._random = np.random.default_rng(seed)
        self._words = [word for word in vocabulary.read_text(encoding="utf-8").splitlines() if _is_word(word)]
        frequencies = 1.0 / np.arange(3, 3 + len(self._words))
        self._cumulated = np.cumsum(frequencies) / frequencies.sum()
        self._centres = _unit(self._random.standard_normal((_CLUSTERS, dimension)))

    def phrases(self, number: int) -> list[str]:
        """Search phrases, never the same twice."""
        return [" ".join(self._draw(WORDS_PER_PHRASE)) for _ in range(number)]

    def question(self) -> bytes:
        """The vector of a phrase that some documents answer: it lies near their centre, as they do."""
        return self._near(self._centres[self._random.integers(_CLUSTERS)]).astype("<f4").tobytes()

    def document(self, doc_id: str, segments: int) -> Iterator[SegmentInput]:
        """The segments of one document, in order."""
        centre = self._centres[self._random.integers(_CLUSTERS)]
        for ordinal in range(segments):
            vector = self._near(centre)
            windows = tuple(
                near(self._random, vector, _SPREAD_OF_WINDOWS).astype("<f4").tobytes()
                for _ in range(WINDOWS_PER_SEGMENT)
            )
            yield SegmentInput(self._segment(doc_id, ordinal), vector.astype("<f4").tobytes(), windows)

    def _segment(self, doc_id: str, ordinal: int) -> Segment:
        words = self._draw(WORDS_PER_SEGMENT)
        sentences = [
            " ".join(words[first : first + _WORDS_PER_SENTENCE]).capitalize() + "."
            for first in range(0, len(words), _WORDS_PER_SENTENCE)
        ]
        text = " ".join(sentences)
        path = (f"Made up {doc_id}", f"Section {ordinal}")
        uid = segment_uid(doc_id, text, 0)
        headline = " ".join(words[:8]).capitalize()
        return Segment(
            uid, doc_id, 1, COLLECTION, ordinal, text, path, ordinal + 1, ordinal + 1, headline, sentences[0],
            token_sums=token_sums.to_bytes(text),
        )  # fmt: skip

    def _draw(self, number: int) -> list[str]:
        places = np.searchsorted(self._cumulated, self._random.random(number))
        return [self._words[place] for place in places]

    def _near(self, centre: NDArray[np.float64]) -> NDArray[np.float64]:
        return near(self._random, centre, _SPREAD)


def near(random: np.random.Generator, centre: NDArray[np.float64], spread: float) -> NDArray[np.float64]:
    """A unit vector `spread` away from one, in a random direction."""
    own = random.standard_normal(len(centre))
    return _unit(centre + own * spread / np.linalg.norm(own))


def _is_word(entry: str) -> bool:
    return entry.isascii() and entry.isalpha() and (len(entry) > 1 or entry in {"a", "i"})


def _unit(vectors: NDArray[np.float64]) -> NDArray[np.float64]:
    return vectors / np.linalg.norm(vectors, axis=-1, keepdims=True)
