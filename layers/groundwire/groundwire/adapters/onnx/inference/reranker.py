"""An installed cross-encoder: the relevance of passages to a question, from reading both at once."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from groundwire.adapters.onnx.inference.batches import batches_by_length
from groundwire.adapters.onnx.inference.sentence_model import run_graph
from groundwire.adapters.onnx.inference.session import graph_errors, open_session
from groundwire.adapters.onnx.inference.tokenizer import EncodedInput, ModelTokenizer
from groundwire.adapters.onnx.models.installed_model import (
    TOKENIZER_FILE,
    EmbeddingConfig,
    InstalledModel,
    RerankerConfig,
    read_installed_model,
    verify_files,
)
from groundwire.domain.errors import InvalidInput


class OnnxReranker:
    """Reranker of an installed model; implements `ports.Reranker`, safe to share between threads."""

    def __init__(self, folder: Path, model: InstalledModel, threads: int) -> None:
        """Load files that were verified.

        Raises:
            InvalidInput: the model is no reranker, or its files cannot be used.
            Unavailable: a library is missing.
        """
        if isinstance(model.config, EmbeddingConfig):
            raise InvalidInput(f"{model.id} is an embedding model: it scores no pairs.")
        self._name = model.id
        self._config: RerankerConfig = model.config
        self._graph = folder / model.graph_file
        self._tokenizer = ModelTokenizer(folder / TOKENIZER_FILE, model.tokenizer)
        with graph_errors(self._graph):
            self._session = open_session(self._graph, threads)

    @property
    def name(self) -> str:
        """Name, revision and precision of the model."""
        return self._name

    def score(self, query: str, passages: Sequence[str]) -> list[float]:
        """Return one score per passage, in order: the positive label's logit minus the others' log-sum-exp."""
        encoded = self._tokenizer.encode_pairs(query, passages)
        scores = [0.0] * len(encoded)
        for indexes in batches_by_length([len(each.ids) for each in encoded]):
            for index, score in zip(indexes, self._run([encoded[index] for index in indexes]), strict=True):
                scores[index] = float(score)
        return scores

    def _run(self, inputs: list[EncodedInput]) -> NDArray[np.float32]:
        with graph_errors(self._graph):
            logits = run_graph(self._session, self._tokenizer.pad_batch(inputs), self._config.output_name)
        if logits.shape != (len(inputs), self._config.label_count):
            raise InvalidInput(
                f"{self._graph} gives {logits.shape} for {len(inputs)} pairs, not {self._config.label_count} labels"
            )
        positive = logits[:, self._config.positive_label]
        # A single label has no others with which its logit could be compared.
        if self._config.label_count == 1:
            return positive
        others = np.delete(logits, self._config.positive_label, axis=1)
        return positive - np.logaddexp.reduce(others, axis=1)


def load_reranker(folder: Path, threads: int) -> OnnxReranker:
    """Load the reranker in `folder` after verifying its files.

    Raises:
        NotFound: the folder holds no model.
        InvalidInput: its files are damaged, or it is no reranker.
        Unavailable: a library is missing.
    """
    model = read_installed_model(folder)
    verify_files(folder, model)
    return OnnxReranker(folder, model, threads)
