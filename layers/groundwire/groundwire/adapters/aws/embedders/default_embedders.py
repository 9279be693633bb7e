"""Registry of embedders with one service as its default."""

from groundwire.domain.errors import Unavailable
from groundwire.ports import Embedder, Embedders, ModelId


class DefaultEmbedders:
    """Implements `ports.Embedders`: one embedding service as the default, and others for indexes of other models."""

    def __init__(self, embedder: Embedder, others: Embedders | None) -> None:
        """Take the embedding service, and the embedders of indexes of other models; None: no others."""
        self._embedder = embedder
        self._others = others

    @property
    def default(self) -> Embedder:
        """Embedder of the service."""
        return self._embedder

    def for_model(self, model: ModelId) -> Embedder:
        """Return the embedder whose vectors are those of `model`.

        Raises:
            NotFound: the other embedders do not have the model.
            Unavailable: there are no other embedders; the index needs a rebuild.
        """
        if model == self._embedder.model:
            return self._embedder
        if self._others is not None:
            return self._others.for_model(model)
        here = self._embedder.model
        raise Unavailable(
            f"The index has vectors of {model.name}/{model.dimension}, "
            f"and this server embeds with {here.name}/{here.dimension}.",
            remedy="restore_embedder",
        )
