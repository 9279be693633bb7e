"""The embedding models of this machine, each loaded when a text is first to be embedded with it."""

from functools import cached_property
from pathlib import Path
from threading import Lock

from groundwire.adapters.onnx.embedder import OnnxEmbedder
from groundwire.domain.errors import NotFound
from groundwire.ports import Embedder, ModelId


class OnnxEmbedders:
    """Implements `ports.Embedders`; safe to share between threads."""

    def __init__(self, default: Path, threads: int) -> None:
        self._folder = default
        self._threads = threads
        self._loading = Lock()

    @property
    def default(self) -> Embedder:
        """The model of the default's folder, verified and loaded once."""
        with self._loading:
            return self._default

    def of(self, model: ModelId) -> Embedder:
        """The embedder whose vectors are those of `model`; Raises NotFound."""
        if (embedder := self.default).model == model:
            return embedder
        raise NotFound(f"The model {model.name} ({model.dimension} dimensions) is not installed on this machine.")

    @cached_property
    def _default(self) -> OnnxEmbedder:
        return OnnxEmbedder.load(self._folder, self._threads)
