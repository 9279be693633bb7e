"""The default embedding model: texts to unit vectors with ONNX Runtime on the CPU."""

from collections.abc import Sequence
from pathlib import Path
from typing import Literal, Self

import numpy as np
from numpy.typing import NDArray

from groundwire.adapters.onnx.inference.batches import batches_by_length
from groundwire.adapters.onnx.inference.session import open_session
from groundwire.adapters.onnx.inference.wordpiece import WordPiece
from groundwire.adapters.onnx.models.manifest import ModelFiles, ModelManifest, read_model
from groundwire.domain.search.model_languages import ModelLanguages
from groundwire.ports import ModelId, Vector


class OnnxEmbedder:
    """Embedder of the built model; implements `ports.Embedder`, safe to share between threads.

    Activations are quantised over a whole batch, so a text's vector depends slightly on the texts
    embedded with it (cosine about .996).
    """

    def __init__(self, files: ModelFiles, threads: int) -> None:
        self._manifest: ModelManifest = files.manifest
        self._tokenizer = WordPiece(files.vocabulary, files.manifest.max_tokens)
        self._session = open_session(files.graph, threads)

    @classmethod
    def load(cls, folder: Path, threads: int) -> Self:
        """Load the model in `folder` after verifying its files; each call uses `threads` threads.

        Raises:
            NotFound: there is no model in the folder.
            InvalidInput: a file is missing or not the one that was built.
            Unavailable: ONNX Runtime is not installed.
        """
        return cls(read_model(folder), threads)

    @property
    def model(self) -> ModelId:
        """The model's name and dimension from its manifest."""
        return ModelId(self._manifest.name, self._manifest.dimension)

    @property
    def languages(self) -> ModelLanguages:
        """Languages that the model supports."""
        return self._manifest.languages

    def embed(self, texts: Sequence[str], kind: Literal["query", "passage"]) -> list[Vector]:
        """Return one vector per text, in order; a text without a word gets one too."""
        prefix = self._manifest.prefix(kind)
        encoded = [self._tokenizer.encode(prefix + text) for text in texts]
        vectors: list[Vector] = [b""] * len(encoded)
        for batch in batches_by_length([len(ids) for ids in encoded]):
            for index, vector in zip(batch, self._run([encoded[index] for index in batch]), strict=True):
                vectors[index] = vector.tobytes()
        return vectors

    def _run(self, batch: list[list[int]]) -> NDArray[np.float32]:
        shape = (len(batch), max(map(len, batch)))
        ids = np.full(shape, self._tokenizer.padding_id, np.int64)
        mask = np.zeros(shape, np.int64)
        for row, tokens in enumerate(batch):
            ids[row, : len(tokens)] = tokens
            mask[row, : len(tokens)] = 1
        (vectors,) = self._session.run(["sentence_embedding"], {"input_ids": ids, "attention_mask": mask})
        # Stored vectors are little-endian on every machine.
        return vectors.astype("<f4", copy=False)
