"""Scores of texts that are in no index, by the embedding model of a tenant's index."""

from array import array
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from groundwire.domain.search.joint_vectors import text_model_name
from groundwire.domain.search.relevance import Signals, fits_for
from groundwire.services.search.relevance import NO_FLOOR

if TYPE_CHECKING:
    from groundwire.domain.search.relevance import ModelFits
    from groundwire.ports import Embedders, Indexes, Vector


class PassageScore(NamedTuple):
    """Score of a text for a phrase.

    Attributes:
        similarity: cosine similarity, -1 to 1.
        relevance: chance that it answers, 0 to 1; None: the model has no fit.
        floor: fitted floor of answers by meaning alone.
    """

    similarity: float
    relevance: float | None
    floor: float


class PassageScores:
    """Scores by the embedding models of indexes.

    Args:
        own_fits: fits of relevance before the built-in ones.
    """

    def __init__(self, indexes: "Indexes", embedders: "Embedders", own_fits: "Sequence[ModelFits]") -> None:
        self._indexes = indexes
        self._embedders = embedders
        self._own_fits = own_fits

    def __call__(self, tenant: str, phrase: str, texts: Sequence[str]) -> list[PassageScore]:
        """Return the score of each text.

        Raises:
            Unavailable: the model does not answer.
        """
        model = self._indexes.for_tenant(tenant).model
        embedder = self._embedders.for_model(model)
        [wanted] = embedder.embed([phrase], "query")
        fits = fits_for(text_model_name(model.name), None, self._own_fits)
        fit = None if fits is None else fits.semantic
        return [
            PassageScore(
                similarity,
                # A text of no index has no windows, and counts as one of the smallest collection.
                None if fit is None else fit.chance(Signals(similarity, similarity, 0.0, 0)),
                NO_FLOOR if fit is None else fit.floor,
            )
            for vector in embedder.embed(texts, "passage")
            for similarity in [_cosine(wanted, vector)]
        ]


def _cosine(one: "Vector", other: "Vector") -> float:
    """Return the cosine similarity of two unit vectors."""
    pairs = zip(array("f", one), array("f", other), strict=True)
    # Rounding may leave the range of a cosine.
    return max(-1.0, min(1.0, sum(a * b for a, b in pairs)))
