"""An installed cross-encoder, loaded: how well passages answer a question, by their common reading."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from groundwire.adapters.onnx.batches import batches
from groundwire.adapters.onnx.installed import TOKENIZER, InstalledModel, ScoreUse, VectorUse, read_installed, verify
from groundwire.adapters.onnx.runtime import foreign, open_session
from groundwire.adapters.onnx.sentence_model import run
from groundwire.adapters.onnx.tokens import Encoded, Tokens
from groundwire.domain.errors import Invalid


class OnnxReranker:
    """Implements `ports.Reranker`; safe to share between threads."""

    def __init__(self, folder: Path, model: InstalledModel, threads: int) -> None:
        """Loads files that were verified; Raises Invalid, Unavailable."""
        if isinstance(model.use, VectorUse):
            raise Invalid(f"{model.id} is an embedding model: it scores no pairs.")
        self._name = model.id
        self._use: ScoreUse = model.use
        self._graph = folder / model.graph
        self._tokens = Tokens(folder / TOKENIZER, model.text)
        with foreign(self._graph):
            self._session = open_session(self._graph, threads)

    @property
    def name(self) -> str:
        """Name, revision and precision of the model."""
        return self._name

    def score(self, query: str, passages: Sequence[str]) -> list[float]:
        """The positive label's logit, above all others together where there are others; in the passages' order."""
        encoded = self._tokens.pairs(query, passages)
        scores = [0.0] * len(encoded)
        for places in batches([len(each.ids) for each in encoded]):
            for place, score in zip(places, self._run([encoded[place] for place in places]), strict=True):
                scores[place] = float(score)
        return scores

    def _run(self, inputs: list[Encoded]) -> NDArray[np.float32]:
        with foreign(self._graph):
            logits = run(self._session, self._tokens.batch(inputs), self._use.output)
        if logits.shape != (len(inputs), self._use.labels):
            raise Invalid(f"{self._graph} gives {logits.shape} for {len(inputs)} pairs, not {self._use.labels} labels")
        positive = logits[:, self._use.positive]
        if self._use.labels == 1:
            return positive
        others = np.delete(logits, self._use.positive, axis=1)
        return positive - np.logaddexp.reduce(others, axis=1)


def load_reranker(folder: Path, threads: int) -> OnnxReranker:
    """The model in `folder`, its files verified before any is used; Raises NotFound, Invalid, Unavailable."""
    model = read_installed(folder)
    verify(folder, model)
    return OnnxReranker(folder, model, threads)
