"""An installed embedding model: texts to unit vectors with its own tokenizer, pooling and prefixes."""

from collections.abc import Sequence
from pathlib import Path
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from groundwire.adapters.onnx.inference.batches import batches_by_length
from groundwire.adapters.onnx.inference.pooling import pool, truncate_and_normalise
from groundwire.adapters.onnx.inference.session import GraphSession, graph_errors, open_session
from groundwire.adapters.onnx.inference.tokenizer import EncodedInput, ModelTokenizer, TextTokenizer, TokenBatch
from groundwire.adapters.onnx.inference.unigram import UnigramTokenizer, UnigramVocabulary
from groundwire.adapters.onnx.models.installed_model import (
    TOKENIZER_FILE,
    UNIGRAM_FILE,
    EmbeddingConfig,
    InstalledModel,
    RerankerConfig,
    read_installed_model,
    verify_files,
)
from groundwire.domain.errors import InvalidInput
from groundwire.domain.search.model_languages import ModelLanguages
from groundwire.ports import ModelId, Vector


class SentenceModel:
    """Embedder of an installed model; implements `ports.Embedder`, safe to share between threads."""

    def __init__(self, folder: Path, model: InstalledModel, threads: int) -> None:
        """Load files that were verified.

        Raises:
            InvalidInput: the model is a reranker, or its files cannot be used.
            Unavailable: a library is missing.
        """
        if isinstance(model.config, RerankerConfig):
            raise InvalidInput(f"{model.id} is a reranker: it makes no vectors.")
        self._id = model.embedding_model_id
        self._languages = model.languages
        self._config: EmbeddingConfig = model.config
        self._graph = folder / model.graph_file
        self._tokenizer = _load_tokenizer(folder, model)
        with graph_errors(self._graph):
            self._session = open_session(self._graph, threads)

    @property
    def model(self) -> ModelId:
        """Name, revision and settings of the model that makes these vectors."""
        return self._id

    @property
    def languages(self) -> ModelLanguages:
        """Languages that are stated for the model, or that its name implies."""
        return self._languages

    def embed(self, texts: Sequence[str], kind: Literal["query", "passage"]) -> list[Vector]:
        """Return one vector per text, in order; a text without a word gets one too."""
        prefix = self._config.prefix(kind)
        encoded = self._tokenizer.encode_texts([prefix + text for text in texts])
        vectors: list[Vector] = [b""] * len(encoded)
        for indexes in batches_by_length([len(each.ids) for each in encoded]):
            for index, vector in zip(indexes, self._run([encoded[index] for index in indexes]), strict=True):
                vectors[index] = vector.tobytes()
        return vectors

    def _run(self, inputs: list[EncodedInput]) -> NDArray[np.float32]:
        batch = self._tokenizer.pad_batch(inputs)
        with graph_errors(self._graph):
            output = run_graph(self._session, batch, self._config.output_name)
        if output.shape[0] != len(inputs) or output.shape[-1] != self._config.full_dimension:
            raise InvalidInput(
                f"{self._graph} gives vectors of {output.shape[-1]} values, not {self._config.full_dimension}"
            )
        pooled = output if self._config.pooling is None else pool(output, batch.mask, self._config.pooling)
        return truncate_and_normalise(pooled, self._config.dimension)


def _load_tokenizer(folder: Path, model: InstalledModel) -> TextTokenizer:
    if model.tokenizer_file == UNIGRAM_FILE:
        vocabulary = UnigramVocabulary.from_json((folder / UNIGRAM_FILE).read_bytes())
        return UnigramTokenizer(vocabulary, model.tokenizer.max_tokens)
    return ModelTokenizer(folder / TOKENIZER_FILE, model.tokenizer)


def load_sentence_model(folder: Path, threads: int) -> SentenceModel:
    """Load the embedding model in `folder` after verifying its files.

    Raises:
        NotFound: the folder holds no model.
        InvalidInput: its files are damaged, or it is a reranker.
        Unavailable: a library is missing.
    """
    model = read_installed_model(folder)
    verify_files(folder, model)
    return SentenceModel(folder, model, threads)


def run_graph(session: GraphSession, batch: TokenBatch, output: str) -> NDArray[np.float32]:
    """Return one output of the graph for a batch; only the inputs that the graph declares are fed."""
    inputs = {"input_ids": batch.ids, "attention_mask": batch.mask, "token_type_ids": batch.type_ids}
    # Some graphs have no `token_type_ids`, and ONNX Runtime refuses an unknown input.
    wanted = {each.name for each in session.get_inputs()}
    (found,) = session.run([output], {name: array for name, array in inputs.items() if name in wanted})
    return found.astype(np.float32, copy=False)
