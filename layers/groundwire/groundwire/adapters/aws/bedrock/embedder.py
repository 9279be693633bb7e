"""An embedding model of Bedrock: unit vectors, in one batched call or in several at once."""

import math
from array import array
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from typing import TYPE_CHECKING, Final, cast

from groundwire.adapters.aws.bedrock.families import Family, family_of
from groundwire.adapters.aws.bedrock.invoking import Model
from groundwire.adapters.aws.second_attempt import Pause, patience, short_pause
from groundwire.domain.embedding_call import Kind
from groundwire.domain.errors import Invalid
from groundwire.ports import ModelId, Vector

if TYPE_CHECKING:
    from types_boto3_bedrock_runtime import BedrockRuntimeClient

_AT_ONCE: Final = 8
"""Calls at a time: the phrases of a search, none waiting for another."""


class BedrockEmbedder:
    """Implements `ports.Embedder`; safe to share between threads."""

    def __init__(
        self,
        client: "Callable[[float], BedrockRuntimeClient]",
        model_id: str,
        model: ModelId | None,
        pause: Pause = short_pause,
    ) -> None:
        """Takes the model's id, and what its vectors are called; None: by the id, of the model's usual size.

        Raises:
            Invalid: a model that cannot be asked here, or does not have vectors of that size.
        """
        self._family: Family = family_of(model_id)
        self._model = model or ModelId(model_id, self._family.dimensions[0])
        if self._model.dimension not in self._family.dimensions:
            sizes = ", ".join(map(str, self._family.dimensions))
            raise Invalid(f"{model_id} gives vectors of {sizes} values, not of {self._model.dimension}.")
        self._bedrock: dict[Kind, Model] = {
            "query": Model(lambda: client(patience("query")), model_id, pause),
            "passage": Model(lambda: client(patience("passage")), model_id, pause),
        }

    @property
    def model(self) -> ModelId:
        """As it was configured; nothing is called."""
        return self._model

    def embed(self, texts: Sequence[str], kind: Kind) -> list[Vector]:
        """One unit vector per text, in order; Raises Unavailable, Invalid."""
        batches = list(self._batches(texts))
        if len(batches) < 2:  # noqa: PLR2004 - nothing to do at once
            return [vector for batch in batches for vector in self._vectors(batch, kind)]
        self._bedrock[kind].connect()
        with ThreadPoolExecutor(_AT_ONCE) as pool:
            # Each thread with the deadline of the call that it works for.
            asked = [pool.submit(copy_context().run, self._vectors, batch, kind) for batch in batches]
            return [vector for each in asked for vector in each.result()]

    def _batches(self, texts: Sequence[str]) -> Iterator[list[str]]:
        size = self._family.texts_a_call
        cut = [text.encode("utf-8", "replace").decode()[: self._family.characters] for text in texts]
        return (cut[start : start + size] for start in range(0, len(cut), size))

    def _vectors(self, texts: list[str], kind: Kind) -> list[Vector]:
        model = self._bedrock[kind]
        answer = model.ask(self._family.body(texts, kind, self._model.dimension))
        try:
            vectors = [self._unit(values) for values in cast("list[object]", self._family.vectors(answer))]
        except (KeyError, TypeError, ValueError) as broken:
            raise model.unexpected() from broken
        if len(vectors) != len(texts):
            raise model.unexpected()
        return vectors

    def _unit(self, values: object) -> Vector:
        """The values as a vector of length 1, little-endian; ValueError unless there are as many as there should be."""
        vector = array("f", cast("list[float]", values))
        length = math.hypot(*vector)
        if len(vector) != self._model.dimension or not math.isfinite(length) or length == 0:
            raise ValueError(len(vector))
        unit = array("f", (value / length for value in vector))
        if unit.itemsize * len(unit) != 4 * self._model.dimension:
            raise ValueError(unit.itemsize)
        return _little_endian(unit)


def _little_endian(vector: "array[float]") -> bytes:
    import sys

    if sys.byteorder == "big":
        vector.byteswap()
    return vector.tobytes()
