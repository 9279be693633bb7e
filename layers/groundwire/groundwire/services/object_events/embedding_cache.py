"""Cache of embeddings that outlives a task's time limit: no text of a document is embedded twice."""

import hashlib
import struct
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from typing import Final, Literal

from groundwire.domain.errors import Conflict, NotFound, Unavailable
from groundwire.domain.search.model_languages import ModelLanguages
from groundwire.ports import Blobs, Embedder, Embedders, ModelId, Vector

_BATCH_SIZE: Final = 64
"""Texts between two checks of the time: one call of the embedder ends well within the reserved time."""
_DIGEST_BYTES: Final = 32
_LENGTH: Final = struct.Struct("<I")


class OutOfTime(Unavailable):
    """Error when a task has used its time: a repeat continues from the stored progress."""


class EmbeddingCache:
    """Cache of vectors by model and text, for one task."""

    def __init__(self, stored: bytes, is_out_of_time: Callable[[], bool]) -> None:
        self.is_out_of_time = is_out_of_time
        self.vectors = dict(_parse_entries(stored))
        self.new_count = 0

    def to_bytes(self) -> bytes:
        """Encode the cache for its constructor."""
        parts = (digest + _LENGTH.pack(len(vector)) + vector for digest, vector in self.vectors.items())
        return b"".join(parts)


class CachingEmbedders:
    """Implementation of `ports.Embedders` that caches vectors and limits the time during a task.

    One task at a time.
    """

    def __init__(self, embedders: Embedders, blobs: Blobs) -> None:
        self._embedders = embedders
        self._blobs = blobs
        self._cache: EmbeddingCache | None = None

    @property
    def default(self) -> Embedder:
        """Embedder of new tenants."""
        return _CachingEmbedder(self._embedders.default, lambda: self._cache)

    def for_model(self, model: ModelId) -> Embedder:
        """Return the embedder for vectors of `model`.

        Raises:
            NotFound: this machine does not have it.
        """
        return _CachingEmbedder(self._embedders.for_model(model), lambda: self._cache)

    @contextmanager
    def cache_for(self, tenant: str, task_name: str, is_out_of_time: Callable[[], bool]) -> Generator[None]:
        """Embed in the block with the cache of earlier attempts at `task_name`; it is deleted when the task is done.

        Args:
            tenant: owner of the texts.
            task_name: name of the task.
            is_out_of_time: returns whether the time is over; the first texts are embedded anyway, so that each attempt
                makes progress.

        Raises:
            OutOfTime: the next attempt starts with the vectors of this one.
        """
        key = cache_key(task_name)
        stored = self._load(tenant, key)
        cache = self._cache = EmbeddingCache(stored, is_out_of_time)
        try:
            yield
        except (Conflict, Unavailable):
            if cache.new_count:
                self._blobs.put(tenant, key, cache.to_bytes())
            raise
        finally:
            self._cache = None
        if stored:
            self._blobs.delete(tenant, key)

    def discard(self, tenant: str, task_name: str) -> None:
        """Delete the cache of an abandoned task."""
        self._blobs.delete(tenant, cache_key(task_name))

    def _load(self, tenant: str, key: str) -> bytes:
        try:
            return self._blobs.get(tenant, key)
        except NotFound:
            return b""


def cache_key(task_name: str) -> str:
    """Return the blob key of the task's cache, stored besides the originals."""
    return f"work/{hashlib.sha256(task_name.encode('utf-8', 'surrogatepass')).hexdigest()}"


class _CachingEmbedder:
    def __init__(self, embedder: Embedder, current_cache: Callable[[], EmbeddingCache | None]) -> None:
        self._embedder = embedder
        self._current_cache = current_cache

    @property
    def model(self) -> ModelId:
        return self._embedder.model

    @property
    def languages(self) -> ModelLanguages:
        return self._embedder.languages

    def embed(self, texts: Sequence[str], kind: Literal["query", "passage"]) -> list[Vector]:
        cache = self._current_cache()
        if cache is None:
            return self._embedder.embed(texts, kind)
        digests = [self._digest(text, kind) for text in texts]
        text_by_digest = dict(zip(digests, texts, strict=True))
        missing = [digest for digest in text_by_digest if digest not in cache.vectors]
        for start in range(0, len(missing), _BATCH_SIZE):
            if cache.new_count and cache.is_out_of_time():
                raise OutOfTime("The time of this run is over. The next run continues the document.", retry_after_s=1)
            batch = missing[start : start + _BATCH_SIZE]
            vectors = self._embedder.embed([text_by_digest[digest] for digest in batch], kind)
            cache.vectors.update(zip(batch, vectors, strict=True))
            cache.new_count += len(batch)
        return [cache.vectors[digest] for digest in digests]

    def _digest(self, text: str, kind: str) -> bytes:
        model = self._embedder.model
        identity = f"{model.name}\0{model.dimension}\0{kind}\0{text}"
        return hashlib.sha256(identity.encode("utf-8", "surrogatepass")).digest()


def _parse_entries(stored: bytes) -> Generator[tuple[bytes, Vector]]:
    position = 0
    while position < len(stored):
        digest = stored[position : position + _DIGEST_BYTES]
        (length,) = _LENGTH.unpack_from(stored, position + _DIGEST_BYTES)
        position += _DIGEST_BYTES + _LENGTH.size + length
        yield digest, stored[position - length : position]
