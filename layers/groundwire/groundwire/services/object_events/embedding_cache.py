"""How long one piece of work may go on, and vectors that outlive it: what was embedded is never embedded again."""

import hashlib
import struct
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from typing import Final, Literal

from groundwire.domain.errors import Conflict, NotFound, Unavailable
from groundwire.ports import Blobs, Embedder, Embedders, ModelId, Vector

_BATCH_SIZE: Final = 64
"""Between two looks at the time: one call of the embedder, which ends well within what is kept back."""
_DIGEST_BYTES: Final = 32
_LENGTH: Final = struct.Struct("<I")


class OutOfTime(Unavailable):
    """The work is to be gone on with: what was done of it is kept."""


class EmbeddingCache:
    """Vectors by model and text, for one piece of work."""

    def __init__(self, stored: bytes, is_out_of_time: Callable[[], bool]) -> None:
        self.is_out_of_time = is_out_of_time
        self.vectors = dict(_parse_entries(stored))
        self.new_count = 0

    def to_bytes(self) -> bytes:
        """What makes the same memory again."""
        parts = (digest + _LENGTH.pack(len(vector)) + vector for digest, vector in self.vectors.items())
        return b"".join(parts)


class CachingEmbedders:
    """Implements `ports.Embedders`; while work is going on, what is embedded is remembered, and its time kept.

    One piece of work at a time.
    """

    def __init__(self, embedders: Embedders, blobs: Blobs) -> None:
        self._embedders = embedders
        self._blobs = blobs
        self._cache: EmbeddingCache | None = None

    @property
    def default(self) -> Embedder:
        """The one that new tenants begin with."""
        return _CachingEmbedder(self._embedders.default, lambda: self._cache)

    def for_model(self, model: ModelId) -> Embedder:
        """Raises NotFound."""
        return _CachingEmbedder(self._embedders.for_model(model), lambda: self._cache)

    @contextmanager
    def cache_for(self, tenant: str, task_name: str, is_out_of_time: Callable[[], bool]) -> Generator[None]:
        """Embeds with what earlier attempts at `task_name` have left, which goes when the work is done.

        Args:
            tenant: whose texts they are.
            task_name: names it.
            is_out_of_time: whether no time is left; the first texts are embedded all the same, so that each attempt gets on.

        Raises:
            OutOfTime: the next attempt begins with what this one has embedded.
        """
        key = cache_key(task_name)
        stored = self._load(tenant, key)
        memory = self._cache = EmbeddingCache(stored, is_out_of_time)
        try:
            yield
        except (Conflict, Unavailable):
            if memory.new_count:
                self._blobs.put(tenant, key, memory.to_bytes())
            raise
        finally:
            self._cache = None
        if stored:
            self._blobs.delete(tenant, key)

    def discard(self, tenant: str, task_name: str) -> None:
        """Nobody goes on with the work."""
        self._blobs.delete(tenant, cache_key(task_name))

    def _load(self, tenant: str, key: str) -> bytes:
        try:
            return self._blobs.get(tenant, key)
        except NotFound:
            return b""


def cache_key(task_name: str) -> str:
    """Where the vectors of the work are kept meanwhile, beside the originals."""
    return f"work/{hashlib.sha256(task_name.encode('utf-8', 'surrogatepass')).hexdigest()}"


class _CachingEmbedder:
    def __init__(self, embedder: Embedder, current_cache: Callable[[], EmbeddingCache | None]) -> None:
        self._embedder = embedder
        self._current_cache = current_cache

    @property
    def model(self) -> ModelId:
        return self._embedder.model

    def embed(self, texts: Sequence[str], kind: Literal["query", "passage"]) -> list[Vector]:
        memory = self._current_cache()
        if memory is None:
            return self._embedder.embed(texts, kind)
        digests = [self._digest(text, kind) for text in texts]
        named = dict(zip(digests, texts, strict=True))
        missing = [digest for digest in named if digest not in memory.vectors]
        for start in range(0, len(missing), _BATCH_SIZE):
            if memory.new_count and memory.is_out_of_time():
                raise OutOfTime("The document is gone on with in another piece of work.", retry_after_s=1)
            some = missing[start : start + _BATCH_SIZE]
            vectors = self._embedder.embed([named[digest] for digest in some], kind)
            memory.vectors.update(zip(some, vectors, strict=True))
            memory.new_count += len(some)
        return [memory.vectors[digest] for digest in digests]

    def _digest(self, text: str, kind: str) -> bytes:
        model = self._embedder.model
        named = f"{model.name}\0{model.dimension}\0{kind}\0{text}"
        return hashlib.sha256(named.encode("utf-8", "surrogatepass")).digest()


def _parse_entries(stored: bytes) -> Generator[tuple[bytes, Vector]]:
    at = 0
    while at < len(stored):
        digest = stored[at : at + _DIGEST_BYTES]
        (length,) = _LENGTH.unpack_from(stored, at + _DIGEST_BYTES)
        at += _DIGEST_BYTES + _LENGTH.size + length
        yield digest, stored[at - length : at]
