"""Models of a deployed function."""

from typing import TYPE_CHECKING

from groundwire.domain.errors import InvalidInput, NotFound
from groundwire.wiring.lazy import Lazy

if TYPE_CHECKING:
    from groundwire.ports import Embedders, ImageEmbedder, ModelId, Reranker
    from groundwire.settings.environment import Settings


class CloudModels:
    """Models of a deployed function: services that its settings name, or the model of its image."""

    def __init__(self, settings: "Settings") -> None:
        self._settings = settings

    @Lazy
    def embedders(self) -> "Embedders":
        """The deployment's one model: the configured service's, or the image's own.

        Raises:
            InvalidInput: no service is configured, and this image has no model.
        """
        from importlib.util import find_spec

        from groundwire.adapters.aws.embedders.default_embedders import DefaultEmbedders
        from groundwire.wiring.external_backends import build_embedder

        if self._settings.embedding_service is not None:
            return DefaultEmbedders(build_embedder(self._settings.embedding_service), None)
        # Only the image of the embedding function has the library for models.
        if find_spec("onnxruntime") is None:
            raise InvalidInput("GROUNDWIRE_EMBEDDER is not set: template.yaml did not pass it to this function.")
        from groundwire.adapters.onnx.embedders import OnnxEmbedders
        from groundwire.adapters.onnx.models.store import ModelStore

        return OnnxEmbedders(self._settings.model, ModelStore(self._settings.models), self._settings.threads)

    @Lazy
    def reranker(self) -> "Reranker | None":
        """The Bedrock reranker that the settings name; None without one.

        Raises:
            InvalidInput: the setting is invalid.
        """
        from groundwire.wiring.external_backends import build_reranker

        return build_reranker(self._settings.reranker)

    @Lazy
    def image_embedder(self) -> "ImageEmbedder | None":
        """The configured image model; None without one.

        Raises:
            NotFound, InvalidInput, Unavailable: it cannot be used.
        """
        from groundwire.wiring.external_backends import build_image_embedder

        return build_image_embedder(self._settings)

    @property
    def image_index_model(self) -> "ModelId":
        """Id of the model of a new index of images."""
        from groundwire.services.documents.images.embedding import image_index_model

        return image_index_model(self.embedders.default.model, self.image_embedder)

    def find(self, name: str) -> "ModelId":
        """Return the deployed model if it has this name.

        Raises:
            NotFound: the deployed model has another name.
        """
        model = self.embedders.default.model
        # A stack embeds with one model.
        if name != model.name:
            raise NotFound(f"The model {name!r} is not deployed. This stack embeds with {model.name!r}.")
        return model
