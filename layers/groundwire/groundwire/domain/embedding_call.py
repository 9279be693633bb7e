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

from groundwire.domain.errors import Invalid
from groundwire.domain.limits import EMBEDDING_ANSWER_BYTES, MAX_EMBEDDING_CHARACTERS, MAX_EMBEDDING_TEXTS

Kind = Literal["query", "passage"]
WARM: Final[Mapping[str, object]] = {"warm": True}
_VALUE_BYTES: Final = 4


@dataclass(frozen=True, slots=True)
class EmbeddingCall:
    """Texts to embed, and whether they are asked or searched."""

    texts: Sequence[str]
    kind: Kind

    def to_event(self) -> dict[str, object]:
        """What the function is invoked with."""
        return {"texts": list(self.texts), "kind": self.kind}


def read_call(event: Mapping[str, object]) -> EmbeddingCall:
    """The call of an event; Raises Invalid, which says what about it cannot be."""
    texts, kind = event.get("texts"), event.get("kind")
    if kind not in ("query", "passage"):
        raise Invalid('kind must be "query" or "passage".')
    if not isinstance(texts, list) or not all(isinstance(text, str) for text in cast("list[object]", texts)):
        raise Invalid("texts must be a list of texts.")
    checked = cast("list[str]", texts)
    if len(checked) > MAX_EMBEDDING_TEXTS:
        raise Invalid(f"{len(checked)} texts: {MAX_EMBEDDING_TEXTS} at most are embedded in one call.")
    if (characters := sum(map(len, checked))) > MAX_EMBEDDING_CHARACTERS:
        raise Invalid(f"{characters} characters: {MAX_EMBEDDING_CHARACTERS} at most are embedded in one call.")
    return EmbeddingCall(checked, kind)


def calls(texts: Sequence[str], kind: Kind) -> Iterator[EmbeddingCall]:
    """The texts in as many calls as their limits ask for; what no call can hold of a text is cut off.

    A model reads some thousand characters of a text at most, so nothing that it would read is lost.
    """
    batch: list[str] = []
    characters = 0
    for text in texts:
        cut = text[:MAX_EMBEDDING_CHARACTERS]
        if len(batch) == MAX_EMBEDDING_TEXTS or characters + len(cut) > MAX_EMBEDDING_CHARACTERS:
            yield EmbeddingCall(batch, kind)
            batch, characters = [], 0
        batch.append(cut)
        characters += len(cut)
    if batch:
        yield EmbeddingCall(batch, kind)


def to_answer(model: str, dimension: int, vectors: Sequence[bytes]) -> dict[str, object]:
    """The answer with these vectors; Raises Invalid when it is larger than a function may answer."""
    block = base64.b64encode(b"".join(vectors)).decode("ascii")
    if len(block) > EMBEDDING_ANSWER_BYTES:
        most = EMBEDDING_ANSWER_BYTES * 3 // 4 // (_VALUE_BYTES * dimension)
        raise Invalid(f"{len(vectors)} vectors of {dimension} values are too large: ask for {most} at most at once.")
    return {"model": model, "dimension": dimension, "vectors": block}


def read_answer(answer: object, model: str, dimension: int, count: int) -> list[bytes]:
    """The vectors of an answer; Raises ValueError unless there are `count` of just this model."""
    fields = cast("Mapping[str, object]", answer if isinstance(answer, Mapping) else {})
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
