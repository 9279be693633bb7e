"""A service that embeds with one model, as the models at hand."""

from groundwire.domain.errors import Unavailable
from groundwire.ports import Embedder, Embedders, ModelId


class SingleModelEmbedders:
    """Implements `ports.Embedders`."""

    def __init__(self, embedder: Embedder, others: Embedders | None) -> None:
        """Takes the service, and where models of indexes are that were begun with another; None: nowhere."""
        self._embedder = embedder
        self._others = others

    @property
    def default(self) -> Embedder:
        """The service."""
        return self._embedder

    def for_model(self, model: ModelId) -> Embedder:
        """The embedder whose vectors are those of `model`; Raises NotFound, or Unavailable until the index follows."""
        if model == self._embedder.model:
            return self._embedder
        if self._others is not None:
            return self._others.for_model(model)
        here = self._embedder.model
        raise Unavailable(
            f"The index has vectors of {model.name}/{model.dimension}, and what embeds is {here.name}/{here.dimension}:"
            " make the index anew with `groundwire reindex`, or set GROUNDWIRE_EMBEDDER back."
        )
