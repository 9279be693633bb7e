"""Wire form of requests to the embedding function and of its responses.

A request is `{"texts": [...], "kind": "query" | "passage"}`, its response `{"model": ..., "dimension": n, "vectors":
...}`. `vectors` is one base64 block of all vectors in the order of the texts, each `4 * dimension` bytes (float32,
little-endian). The block is a quarter of the size of lists of numbers and needs no parsing. A request `{"warm": true}`
gets the response `{"warm": true}` once the model is loaded.

A request for the image model is `{"image_queries": [...]}` with texts, or `{"thumbnails": ...}` with one base64 block
of thumbnails, each THUMBNAIL_BYTES bytes. Its response has the same form, with name and dimension of that model.
"""

import base64
import binascii
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from groundwire.domain.errors import InvalidInput
from groundwire.domain.limits import (
    MAX_EMBEDDING_CHARACTERS,
    MAX_EMBEDDING_RESPONSE_BYTES,
    MAX_EMBEDDING_TEXTS,
    MAX_EMBEDDING_THUMBNAILS,
)
from groundwire.domain.text.json_values import is_text_list, mapping_or_empty
from groundwire_readers.contents.parsed import THUMBNAIL_BYTES

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


@dataclass(frozen=True, slots=True)
class ImageQueryRequest:
    """Texts to embed by the image model."""

    texts: Sequence[str]

    def to_event(self) -> dict[str, object]:
        """Return the event with which the function is invoked."""
        return {"image_queries": list(self.texts)}


@dataclass(frozen=True, slots=True)
class ThumbnailRequest:
    """Thumbnails to embed by the image model."""

    thumbnails: Sequence[bytes]

    def to_event(self) -> dict[str, object]:
        """Return the event with which the function is invoked."""
        return {"thumbnails": base64.b64encode(b"".join(self.thumbnails)).decode("ascii")}


def parse_request(event: Mapping[str, object]) -> EmbeddingRequest:
    """Return the request of an event.

    Raises:
        InvalidInput: a member is not valid, or the texts are too many or too long.
    """
    kind = event.get("kind")
    if kind not in ("query", "passage"):
        raise InvalidInput('kind must be "query" or "passage".')
    return EmbeddingRequest(_parse_texts(event.get("texts"), "texts"), kind)


def parse_image_request(event: Mapping[str, object]) -> ImageQueryRequest | ThumbnailRequest | None:
    """Return the request of an event for the image model; None for an event that is not for it.

    Raises:
        InvalidInput: a member is not valid, or the inputs are too many or too long.
    """
    if "thumbnails" in event:
        return ThumbnailRequest(_parse_thumbnails(event["thumbnails"]))
    if "image_queries" in event:
        return ImageQueryRequest(_parse_texts(event["image_queries"], "image_queries"))
    return None


def _parse_texts(texts: object, member: str) -> list[str]:
    if not is_text_list(texts):
        raise InvalidInput(f"{member} must be a list of texts.")
    if len(texts) > MAX_EMBEDDING_TEXTS:
        raise InvalidInput(f"{len(texts)} texts: a call can embed at most {MAX_EMBEDDING_TEXTS}.")
    if (characters := sum(map(len, texts))) > MAX_EMBEDDING_CHARACTERS:
        raise InvalidInput(f"{characters} characters: a call can embed at most {MAX_EMBEDDING_CHARACTERS}.")
    return texts


def _parse_thumbnails(block: object) -> list[bytes]:
    try:
        # Without `validate`, characters outside the alphabet are skipped without an error.
        pixels = base64.b64decode(block if isinstance(block, str) else "-", validate=True)
    except ValueError as error:
        raise InvalidInput("thumbnails must be one block of base64.") from error
    count, rest = divmod(len(pixels), THUMBNAIL_BYTES)
    if rest:
        raise InvalidInput(f"A thumbnail has {THUMBNAIL_BYTES} bytes: thumbnails has {len(pixels)}.")
    if count > MAX_EMBEDDING_THUMBNAILS:
        raise InvalidInput(f"{count} thumbnails: a call can embed at most {MAX_EMBEDDING_THUMBNAILS}.")
    return [pixels[start : start + THUMBNAIL_BYTES] for start in range(0, len(pixels), THUMBNAIL_BYTES)]


def batch_requests(texts: Sequence[str], kind: EmbeddingKind) -> Iterator[EmbeddingRequest]:
    """Yield the texts in requests within the function's limits; a text longer than a request is truncated.

    A model reads some thousand characters of a text at most, so truncation removes nothing that it would read.
    """
    return (EmbeddingRequest(batch, kind) for batch in _batches(texts))


def batch_image_queries(texts: Sequence[str]) -> Iterator[ImageQueryRequest]:
    """Yield the texts in requests within the function's limits, truncated as by `batch_requests`."""
    return map(ImageQueryRequest, _batches(texts))


def batch_thumbnails(thumbnails: Sequence[bytes]) -> Iterator[ThumbnailRequest]:
    """Yield the thumbnails in requests within the function's limits.

    Raises:
        InvalidInput: a thumbnail is not of THUMBNAIL_BYTES bytes.
    """
    if any(len(thumbnail) != THUMBNAIL_BYTES for thumbnail in thumbnails):
        raise InvalidInput(f"A thumbnail has {THUMBNAIL_BYTES} bytes.")
    for start in range(0, len(thumbnails), MAX_EMBEDDING_THUMBNAILS):
        yield ThumbnailRequest(thumbnails[start : start + MAX_EMBEDDING_THUMBNAILS])


def _batches(texts: Sequence[str]) -> Iterator[list[str]]:
    batch: list[str] = []
    characters = 0
    for text in texts:
        truncated = text[:MAX_EMBEDDING_CHARACTERS]
        if len(batch) == MAX_EMBEDDING_TEXTS or characters + len(truncated) > MAX_EMBEDDING_CHARACTERS:
            yield batch
            batch, characters = [], 0
        batch.append(truncated)
        characters += len(truncated)
    if batch:
        yield batch


def encode_response(model: str, dimension: int, vectors: Sequence[bytes]) -> dict[str, object]:
    """Return the response with these vectors.

    Raises:
        InvalidInput: it is larger than the response of a function may be.
    """
    block = base64.b64encode(b"".join(vectors)).decode("ascii")
    if len(block) > MAX_EMBEDDING_RESPONSE_BYTES:
        # Base64 takes four characters for three bytes.
        max_vectors = MAX_EMBEDDING_RESPONSE_BYTES * 3 // 4 // (_VALUE_BYTES * dimension)
        raise InvalidInput(
            f"{len(vectors)} vectors of {dimension} values are too large: request at most {max_vectors} at once."
        )
    return {"model": model, "dimension": dimension, "vectors": block}


def decode_response(response: object, model: str, dimension: int, count: int) -> list[bytes]:
    """Return the vectors of a response.

    Raises:
        ValueError: it does not have `count` vectors of just this model.
    """
    fields = mapping_or_empty(response)
    # A function of another release may have another model, whose vectors are not comparable.
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
