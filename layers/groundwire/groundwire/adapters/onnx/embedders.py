"""The embedding models of this machine, each loaded on first use."""

from pathlib import Path
from threading import Lock

from groundwire.adapters.onnx.inference.embedder import OnnxEmbedder
from groundwire.adapters.onnx.inference.sentence_model import load_sentence_model
from groundwire.adapters.onnx.models.installed_model import is_installed, read_installed_model
from groundwire.adapters.onnx.models.manifest import read_manifest
from groundwire.adapters.onnx.models.store import ModelStore
from groundwire.domain.errors import NotFound
from groundwire.ports import Embedder, ModelId


class OnnxEmbedders:
    """Embedders of the installed models; implements `ports.Embedders`, safe to share between threads."""

    def __init__(self, default: Path, store: ModelStore, threads: int) -> None:
        """Take the default model's folder and the store of the other models."""
        self._default = default
        self._store = store
        self._threads = threads
        self._loaded: dict[Path, Embedder] = {}
        self._loading = Lock()

    @property
    def default(self) -> Embedder:
        """The embedder of the default model, verified and loaded once.

        Raises:
            NotFound: the folder holds no model.
            InvalidInput: the model's files are damaged.
            Unavailable: a library is missing.
        """
        return self._load_once(self._default)

    def for_model(self, model: ModelId) -> Embedder:
        """Return the embedder whose vectors belong to `model`.

        Raises:
            NotFound: this machine does not have the model; the message tells how to install it.
            InvalidInput: its files are not those that were installed.
        """
        for embedder in self._loaded_embedders():
            if embedder.model == model:
                return embedder
        return self._load_once(self.folder_of(model))

    def folder_of(self, model: ModelId) -> Path:
        """Return the model's folder without loading the model.

        Raises:
            NotFound: this machine does not have the model.
            InvalidInput: a manifest cannot be read.
        """
        if model_id_in(self._default) == model:
            return self._default
        for installed in self._store.all():
            if installed.embedding_model_id == model:
                return self._store.folder_of(installed)
        raise NotFound(
            f"The model {model.name} ({model.dimension} dimensions) is not installed on this server.",
            remedy="install_model",
        )

    def close(self) -> None:
        """Release the loaded models; a later use loads them again."""
        with self._loading:
            self._loaded.clear()

    def _loaded_embedders(self) -> list[Embedder]:
        with self._loading:
            return list(self._loaded.values())

    def _load_once(self, folder: Path) -> Embedder:
        with self._loading:
            if folder not in self._loaded:
                self._loaded[folder] = _load(folder, self._threads)
            return self._loaded[folder]


def model_id_in(folder: Path) -> ModelId:
    """Return the id of the model in a folder without loading the model.

    Raises:
        NotFound: the folder holds no model.
        InvalidInput: its manifest cannot be read.
    """
    if is_installed(folder):
        return read_installed_model(folder).embedding_model_id
    manifest = read_manifest(folder)
    return ModelId(manifest.name, manifest.dimension)


def _load(folder: Path, threads: int) -> Embedder:
    if is_installed(folder):
        return load_sentence_model(folder, threads)
    return OnnxEmbedder.load(folder, threads)
