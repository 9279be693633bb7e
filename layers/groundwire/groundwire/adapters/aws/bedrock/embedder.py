"""Embedding model of Bedrock: unit vectors, from one batched call or from parallel calls."""

import math
import time
from array import array
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from typing import TYPE_CHECKING, Final, cast

from groundwire.adapters.aws.bedrock.embedding_formats import EmbeddingFormat, embedding_format
from groundwire.adapters.aws.bedrock.invocation import BedrockModel
from groundwire.adapters.aws.embedders.model_retry import Pause, attempt_timeout_seconds
from groundwire.domain.errors import InvalidInput
from groundwire.domain.passages.embedding_request import EmbeddingKind
from groundwire.domain.search.model_languages import ModelLanguages
from groundwire.ports import ModelId, Vector

if TYPE_CHECKING:
    from types_boto3_bedrock_runtime import BedrockRuntimeClient

_MAX_PARALLEL_CALLS: Final = 8
"""Parallel calls: the phrases of a search do not wait for each other."""


class BedrockEmbedder:
    """Implements `ports.Embedder`; safe to share between threads."""

    def __init__(
        self,
        client: "Callable[[float], BedrockRuntimeClient]",
        model_id: str,
        model: ModelId | None,
        pause: Pause = time.sleep,
    ) -> None:
        """Configure the model id and the name and dimension of its vectors; None: the id and the model's default size.

        Raises:
            InvalidInput: no known format for the model, or it has no vectors of that size.
        """
        self._format: EmbeddingFormat = embedding_format(model_id)
        self._model = model or ModelId(model_id, self._format.dimensions[0])
        if self._model.dimension not in self._format.dimensions:
            sizes = ", ".join(map(str, self._format.dimensions))
            raise InvalidInput(f"{model_id} gives vectors of {sizes} values, not of {self._model.dimension}.")
        self._bedrock: dict[EmbeddingKind, BedrockModel] = {
            "query": BedrockModel(lambda: client(attempt_timeout_seconds("query")), model_id, pause),
            "passage": BedrockModel(lambda: client(attempt_timeout_seconds("passage")), model_id, pause),
        }

    @property
    def model(self) -> ModelId:
        """The configured model; no call is made."""
        return self._model

    @property
    def languages(self) -> ModelLanguages:
        """Languages that the provider states for the model."""
        return self._format.languages

    def embed(self, texts: Sequence[str], kind: EmbeddingKind) -> list[Vector]:
        """Return one unit vector per text, in order.

        Raises:
            Unavailable: the model does not answer, or its answer is malformed.
            InvalidInput: the configured text is no model id.
        """
        batches = list(self._batches(texts))
        if len(batches) < 2:  # noqa: PLR2004 - nothing to do at once
            return [vector for batch in batches for vector in self._vectors(batch, kind)]
        # Before the threads, since botocore cannot make clients in several of them at once.
        self._bedrock[kind].connect()
        with ThreadPoolExecutor(_MAX_PARALLEL_CALLS) as pool:
            # Each thread runs with the deadline of the caller's context.
            pending = [pool.submit(copy_context().run, self._vectors, batch, kind) for batch in batches]
            return [vector for each in pending for vector in each.result()]

    def _batches(self, texts: Sequence[str]) -> Iterator[list[str]]:
        size = self._format.max_texts_per_call
        # The body of a call is UTF-8, which cannot hold a lone surrogate.
        cut = [text.encode("utf-8", "replace").decode()[: self._format.max_characters] for text in texts]
        return (cut[start : start + size] for start in range(0, len(cut), size))

    def _vectors(self, texts: list[str], kind: EmbeddingKind) -> list[Vector]:
        model = self._bedrock[kind]
        answer = model.invoke(self._format.request_body(texts, kind, self._model.dimension))
        try:
            vectors = [self._unit(values) for values in cast("list[object]", self._format.vectors(answer))]
        except (KeyError, TypeError, ValueError) as broken:
            raise model.malformed_answer() from broken
        if len(vectors) != len(texts):
            raise model.malformed_answer()
        return vectors

    def _unit(self, values: object) -> Vector:
        """Return the values as a vector of length 1, little-endian.

        Raises:
            ValueError: the number of values is not the model's dimension, or they have no length.
        """
        vector = array("f", cast("list[float]", values))
        length = math.hypot(*vector)
        if len(vector) != self._model.dimension or not math.isfinite(length) or length == 0:
            raise ValueError(len(vector))
        unit = array("f", (value / length for value in vector))
        # C does not guarantee that a `float` has four bytes.
        if unit.itemsize * len(unit) != 4 * self._model.dimension:
            raise ValueError(unit.itemsize)
        return _little_endian(unit)


def _little_endian(vector: "array[float]") -> bytes:
    import sys

    if sys.byteorder == "big":
        vector.byteswap()
    return vector.tobytes()
