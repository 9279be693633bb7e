"""The wire form between the embedding function and whoever calls it.

A call is `{"texts": [...], "kind": "query" | "passage"}`, its answer `{"model": ..., "dimension": n, "vectors": ...}`,
where `vectors` is one base64 block of all vectors, each `4 * dimension` bytes (float32, little-endian), in the order of
the texts: a quarter of what lists of numbers would be, and nothing of it has to be parsed. A call `{"warm": true}` is
answered `{"warm": true}` once the model is loaded.
"""

import base64
import binascii
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal, cast

from groundwire.domain.errors import InvalidInput
from groundwire.domain.limits import MAX_EMBEDDING_CHARACTERS, MAX_EMBEDDING_RESPONSE_BYTES, MAX_EMBEDDING_TEXTS

EmbeddingKind = Literal["query", "passage"]
WARM_UP_EVENT: Final[Mapping[str, object]] = {"warm": True}
_VALUE_BYTES: Final = 4


@dataclass(frozen=True, slots=True)
class EmbeddingRequest:
    """Texts to embed, and whether they are asked or searched."""

    texts: Sequence[str]
    kind: EmbeddingKind

    def to_event(self) -> dict[str, object]:
        """What the function is invoked with."""
        return {"texts": list(self.texts), "kind": self.kind}


def parse_request(event: Mapping[str, object]) -> EmbeddingRequest:
    """The call of an event; Raises Invalid, which says what about it cannot be."""
    texts, kind = event.get("texts"), event.get("kind")
    if kind not in ("query", "passage"):
        raise InvalidInput('kind must be "query" or "passage".')
    if not isinstance(texts, list) or not all(isinstance(text, str) for text in cast("list[object]", texts)):
        raise InvalidInput("texts must be a list of texts.")
    checked = cast("list[str]", texts)
    if len(checked) > MAX_EMBEDDING_TEXTS:
        raise InvalidInput(f"{len(checked)} texts: {MAX_EMBEDDING_TEXTS} at most are embedded in one call.")
    if (characters := sum(map(len, checked))) > MAX_EMBEDDING_CHARACTERS:
        raise InvalidInput(f"{characters} characters: {MAX_EMBEDDING_CHARACTERS} at most are embedded in one call.")
    return EmbeddingRequest(checked, kind)


def batch_requests(texts: Sequence[str], kind: EmbeddingKind) -> Iterator[EmbeddingRequest]:
    """The texts in as many calls as their limits ask for; what no call can hold of a text is cut off.

    A model reads some thousand characters of a text at most, so nothing that it would read is lost.
    """
    batch: list[str] = []
    characters = 0
    for text in texts:
        cut = text[:MAX_EMBEDDING_CHARACTERS]
        if len(batch) == MAX_EMBEDDING_TEXTS or characters + len(cut) > MAX_EMBEDDING_CHARACTERS:
            yield EmbeddingRequest(batch, kind)
            batch, characters = [], 0
        batch.append(cut)
        characters += len(cut)
    if batch:
        yield EmbeddingRequest(batch, kind)


def encode_response(model: str, dimension: int, vectors: Sequence[bytes]) -> dict[str, object]:
    """The answer with these vectors; Raises Invalid when it is larger than a function may answer."""
    block = base64.b64encode(b"".join(vectors)).decode("ascii")
    if len(block) > MAX_EMBEDDING_RESPONSE_BYTES:
        most = MAX_EMBEDDING_RESPONSE_BYTES * 3 // 4 // (_VALUE_BYTES * dimension)
        raise InvalidInput(
            f"{len(vectors)} vectors of {dimension} values are too large: ask for {most} at most at once."
        )
    return {"model": model, "dimension": dimension, "vectors": block}


def decode_response(response: object, model: str, dimension: int, count: int) -> list[bytes]:
    """The vectors of an answer; Raises ValueError unless there are `count` of just this model."""
    fields = cast("Mapping[str, object]", response if isinstance(response, Mapping) else {})
    if (fields.get("model"), fields.get("dimension")) != (model, dimension):
        raise ValueError(f"it has the model {fields.get('model')}/{fields.get('dimension')}, not {model}/{dimension}")
    size = _VALUE_BYTES * dimension
    try:
        block = base64.b64decode(str(fields.get("vectors")), validate=True)
    except binascii.Error as broken:
        raise ValueError("its vectors are no base64") from broken
    if len(block) != count * size:
        raise ValueError(f"it gave {len(block)} bytes for {count} vectors of {size}")
    return [block[start : start + size] for start in range(0, len(block), size)]
