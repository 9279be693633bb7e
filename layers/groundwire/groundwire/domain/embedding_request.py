"""Wire form of requests to the embedding function and of its responses.

A request is `{"texts": [...], "kind": "query" | "passage"}`, its response `{"model": ..., "dimension": n, "vectors":
...}`. `vectors` is one base64 block of all vectors in the order of the texts, each `4 * dimension` bytes (float32,
little-endian). The block is a quarter of the size of lists of numbers and needs no parsing. A request `{"warm": true}`
gets the response `{"warm": true}` once the model is loaded.
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
    """Texts to embed, and whether they are queries or passages."""

    texts: Sequence[str]
    kind: EmbeddingKind

    def to_event(self) -> dict[str, object]:
        """Return the event with which the function is invoked."""
        return {"texts": list(self.texts), "kind": self.kind}


def parse_request(event: Mapping[str, object]) -> EmbeddingRequest:
    """Return the request of an event.

    Raises:
        InvalidInput: a member is not valid, or the texts are too many or too long.
    """
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
    """Yield the texts in requests within the function's limits; a text longer than a request is truncated.

    A model reads some thousand characters of a text at most, so truncation removes nothing that it would read.
    """
    batch: list[str] = []
    characters = 0
    for text in texts:
        truncated = text[:MAX_EMBEDDING_CHARACTERS]
        if len(batch) == MAX_EMBEDDING_TEXTS or characters + len(truncated) > MAX_EMBEDDING_CHARACTERS:
            yield EmbeddingRequest(batch, kind)
            batch, characters = [], 0
        batch.append(truncated)
        characters += len(truncated)
    if batch:
        yield EmbeddingRequest(batch, kind)


def encode_response(model: str, dimension: int, vectors: Sequence[bytes]) -> dict[str, object]:
    """Return the response with these vectors.

    Raises:
        InvalidInput: it is larger than the response of a function may be.
    """
    block = base64.b64encode(b"".join(vectors)).decode("ascii")
    if len(block) > MAX_EMBEDDING_RESPONSE_BYTES:
        max_vectors = MAX_EMBEDDING_RESPONSE_BYTES * 3 // 4 // (_VALUE_BYTES * dimension)
        raise InvalidInput(
            f"{len(vectors)} vectors of {dimension} values are too large: ask for {max_vectors} at most at once."
        )
    return {"model": model, "dimension": dimension, "vectors": block}


def decode_response(response: object, model: str, dimension: int, count: int) -> list[bytes]:
    """Return the vectors of a response.

    Raises:
        ValueError: it does not have `count` vectors of just this model.
    """
    fields = cast("Mapping[str, object]", response if isinstance(response, Mapping) else {})
    if (fields.get("model"), fields.get("dimension")) != (model, dimension):
        raise ValueError(f"it has the model {fields.get('model')}/{fields.get('dimension')}, not {model}/{dimension}")
    size = _VALUE_BYTES * dimension
    try:
        block = base64.b64decode(str(fields.get("vectors")), validate=True)
    except binascii.Error as error:
        raise ValueError("its vectors are no base64") from error
    if len(block) != count * size:
        raise ValueError(f"it gave {len(block)} bytes for {count} vectors of {size}")
    return [block[start : start + size] for start in range(0, len(block), size)]
