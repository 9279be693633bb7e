"""An installed embedding model, loaded: texts to unit vectors by its own tokenizer, pooling and prefixes."""

from collections.abc import Sequence
from pathlib import Path
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from groundwire.adapters.onnx.batches import batches
from groundwire.adapters.onnx.installed import (
    TOKENIZER,
    InstalledModel,
    ScoreUse,
    VectorUse,
    read_installed,
    verify,
)
from groundwire.adapters.onnx.pooling import pool, unit
from groundwire.adapters.onnx.runtime import Session, foreign, open_session
from groundwire.adapters.onnx.tokens import Batch, Encoded, Tokens
from groundwire.domain.errors import Invalid
from groundwire.ports import ModelId, Vector


class SentenceModel:
    """Implements `ports.Embedder`; safe to share between threads."""

    def __init__(self, folder: Path, model: InstalledModel, threads: int) -> None:
        """Loads files that were verified; Raises Invalid, Unavailable."""
        if isinstance(model.use, ScoreUse):
            raise Invalid(f"{model.id} is a reranker: it makes no vectors.")
        self._id = model.vectors_id
        self._use: VectorUse = model.use
        self._graph = folder / model.graph
        self._tokens = Tokens(folder / TOKENIZER, model.text)
        with foreign(self._graph):
            self._session = open_session(self._graph, threads)

    @property
    def model(self) -> ModelId:
        """Name, revision and settings of what makes these vectors."""
        return self._id

    def embed(self, texts: Sequence[str], kind: Literal["query", "passage"]) -> list[Vector]:
        """One vector per text, in order; a text without a word has one too."""
        prefix = self._use.prefix(kind)
        encoded = self._tokens.texts([prefix + text for text in texts])
        vectors: list[Vector] = [b""] * len(encoded)
        for places in batches([len(each.ids) for each in encoded]):
            for place, vector in zip(places, self._run([encoded[place] for place in places]), strict=True):
                vectors[place] = vector.tobytes()
        return vectors

    def _run(self, inputs: list[Encoded]) -> NDArray[np.float32]:
        batch = self._tokens.batch(inputs)
        with foreign(self._graph):
            output = run(self._session, batch, self._use.output)
        if output.shape[0] != len(inputs) or output.shape[-1] != self._use.full_dimension:
            raise Invalid(f"{self._graph} gives vectors of {output.shape[-1]} values, not {self._use.full_dimension}")
        pooled = output if self._use.pooling is None else pool(output, batch.mask, self._use.pooling)
        return unit(pooled, self._use.dimension)


def load_sentence_model(folder: Path, threads: int) -> SentenceModel:
    """The model in `folder`, its files verified before any is used; Raises NotFound, Invalid, Unavailable."""
    model = read_installed(folder)
    verify(folder, model)
    return SentenceModel(folder, model, threads)


def run(session: Session, batch: Batch, output: str) -> NDArray[np.float32]:
    """One output of the graph for a batch, whatever of the usual inputs it reads."""
    inputs = {"input_ids": batch.ids, "attention_mask": batch.mask, "token_type_ids": batch.types}
    wanted = {each.name for each in session.get_inputs()}
    (found,) = session.run([output], {name: array for name, array in inputs.items() if name in wanted})
    return found.astype(np.float32, copy=False)
