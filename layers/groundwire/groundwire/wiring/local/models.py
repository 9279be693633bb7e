"""Models of one machine, each loaded on first use."""

from typing import TYPE_CHECKING

from groundwire.wiring.lazy import Lazy, ResourceStack

if TYPE_CHECKING:
    from groundwire.adapters.onnx.embedders import OnnxEmbedders
    from groundwire.adapters.onnx.models.store import ModelStore
    from groundwire.ports import Embedder, Embedders, ImageEmbedder, ModelId, Reranker
    from groundwire.settings.environment import Settings


class LocalModels:
    """Models of one machine, or of the services that its settings name."""

    def __init__(self, settings: "Settings", resources: ResourceStack) -> None:
        self._settings = settings
        self._resources = resources

    @Lazy
    def embedders(self) -> "Embedders":
        """The configured embedding service, else the models of this machine."""
        if self._settings.embedding_service is None:
            return self.local_models
        from groundwire.adapters.aws.embedders.default_embedders import DefaultEmbedders
        from groundwire.wiring.external_backends import build_embedder

        # Tenants that were indexed before the service was set keep a model of this machine.
        return DefaultEmbedders(build_embedder(self._settings.embedding_service), self.local_models)

    @Lazy
    def local_models(self) -> "OnnxEmbedders":
        """The models of this machine, each verified and loaded on first use."""
        from groundwire.adapters.onnx.embedders import OnnxEmbedders

        return self._resources.register(OnnxEmbedders(self._settings.model, self.store, self._settings.threads))

    @Lazy
    def store(self) -> "ModelStore":
        """The installed models."""
        from groundwire.adapters.onnx.models.store import ModelStore

        return ModelStore(self._settings.models)

    @Lazy
    def reranker(self) -> "Reranker | None":
        """The configured reranker, verified and loaded; None without one.

        Raises:
            NotFound: the model is not installed.
            InvalidInput: the setting or the model's files are invalid.
            Unavailable: the reranker cannot be loaded or used.
        """
        if self._settings.reranker is None:
            return None
        from groundwire.wiring.external_backends import build_reranker

        if (service_reranker := build_reranker(self._settings.reranker)) is not None:
            return service_reranker
        from groundwire.adapters.onnx.inference.reranker import load_reranker

        model = self.store.find(self._settings.reranker, "reranker")
        return load_reranker(self.store.folder_of(model), self._settings.threads)

    @property
    def embedder(self) -> "Embedder":
        """The embedder of new tenants."""
        return self.embedders.default

    @Lazy
    def model(self) -> "ModelId":
        """Id of the model of new tenants, without loading it."""
        from groundwire.adapters.onnx.embedders import model_id_in

        if self._settings.embedding_service is not None:
            return self.embedder.model
        return model_id_in(self._settings.model)

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

        return image_index_model(self.model, self.image_embedder)

    def find(self, name: str) -> "ModelId":
        """Return the embedding model of this name or id: the default one, or an added one.

        Raises:
            NotFound: there is no such model.
            InvalidInput: the model is damaged.
        """
        return self.model if name == self.model.name else self.store.find(name, "embedding").embedding_model_id
