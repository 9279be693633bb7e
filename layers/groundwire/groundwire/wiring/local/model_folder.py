"""The folder in which models are installed on one machine."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from groundwire.settings.environment import Settings
    from groundwire.settings.model_spec import ModelSpec
    from groundwire.wiring.local.models import LocalModels
    from groundwire.wiring.local.stores import LocalStores


class ModelFolder:
    """Installation of models on this machine, and facts about them."""

    def __init__(self, settings: "Settings", models: "LocalModels", stores: "LocalStores") -> None:
        self._settings = settings
        self._models = models
        self._stores = stores

    def describe(self) -> Mapping[str, object]:
        """Return the facts of the model's manifest after checking every file; of an embedding service its name alone.

        Raises:
            NotFound: there is no model in the folder.
            InvalidInput: a file is damaged.
        """
        from groundwire.adapters.onnx.model_summary import describe_model

        if self._settings.embedding_service is not None:
            service_model = self._models.embedder.model
            return {"name": service_model.name, "kind": "embedding", "dimension": service_model.dimension}
        return describe_model(self._settings.model)

    def describe_all(self) -> list[Mapping[str, object]]:
        """Return the facts of the default model, then of the added ones.

        Raises:
            InvalidInput: a model is damaged.
        """
        from groundwire.adapters.onnx.model_summary import list_models

        return list_models(self._settings.model, self._models.store, self._installed_reranker)

    def check(self) -> str:
        """Return a summary of the added models, after checking them and the models of all tenants.

        Raises:
            DomainError: a model is damaged, or a tenant's model is not installed.
        """
        from groundwire.adapters.onnx.model_summary import check_models

        summary = check_models(self._models.store, self._installed_reranker)
        for tenant in self._stores.tenants.all():
            model = self._stores.indexes.for_tenant(tenant.tenant).model
            # The default model has a check of its own. The look-up raises where a model is not installed.
            if model != self._models.model:
                self._models.local_models.folder_of(model)
        return summary

    def add(self, spec: "ModelSpec", progress: Callable[[str, float], None]) -> Mapping[str, object]:
        """Install a model in the folder `settings.models` and return its facts.

        Raises:
            InvalidInput: the specification or a file is invalid.
            Conflict: there is another model of this name.
            Unavailable: a file cannot be fetched or written.
        """
        from groundwire.adapters.onnx.model_builder import load_model_builder
        from groundwire.adapters.onnx.model_summary import describe_installed_model

        return describe_installed_model(load_model_builder().add_model(self._settings.models, spec, progress))

    def add_packaged(self, name: str, progress: Callable[[str, float], None]) -> Mapping[str, object]:
        """Build the packaged model of this name in the folder `settings.models` and return its facts.

        Raises:
            NotFound: there is no such packaged model.
            InvalidInput: a fetched file is not the pinned one.
            Unavailable: a file cannot be fetched or written.
        """
        from groundwire.adapters.onnx.model_builder import load_model_builder
        from groundwire.adapters.onnx.model_summary import describe_installed_model

        return describe_installed_model(load_model_builder().add_packaged_model(self._settings.models, name, progress))

    def build(self, progress: Callable[[str, float], None]) -> None:
        """Build the configured model in its folder: the default one, or a packaged one; an added one is verified.

        Raises:
            Unavailable: a file cannot be fetched or written.
            InvalidInput: a file is invalid.
        """
        from groundwire.adapters.onnx.model_builder import load_model_builder

        load_model_builder().build_model_in(self._settings.model, progress)

    @property
    def _installed_reranker(self) -> str | None:
        from groundwire.settings.embedding_service import BEDROCK_PREFIX

        setting = self._settings.reranker
        return None if setting is None or setting.startswith(BEDROCK_PREFIX) else setting
