"""Search of several collections in one call, each ranked for itself: the phrases are embedded once."""

from collections.abc import Callable, Sequence
from threading import Lock
from typing import TYPE_CHECKING, Literal, Protocol

from groundwire.domain.errors import Unavailable
from groundwire.domain.limits import SEARCH_SECONDS
from groundwire.ports.deadline import time_limit

if TYPE_CHECKING:
    from groundwire.domain.keys.caller import Caller
    from groundwire.domain.search.model_languages import ModelLanguages
    from groundwire.domain.search.request import SearchRequest
    from groundwire.ports import Embedder, Embedders, ModelId, Vector
    from groundwire.services.search.results import SearchResult
    from groundwire.services.search.search import SearchFunction

_Embedded = dict[tuple["ModelId", str, str], "Vector | Unavailable"]


class PerCollectionSearchFunction(Protocol):
    """The call signature of `PerCollectionSearch`."""

    def __call__(self, caller: "Caller", requests: "Sequence[SearchRequest]", /) -> "list[SearchResult]":
        """Return the result of each request, in order."""
        ...


class PerCollectionSearch:
    """Searches of one call that differ in their collections.

    Args:
        build_search: returns a search with these embedders.
        embedders: embedding models.
    """

    def __init__(self, build_search: "Callable[[Embedders], SearchFunction]", embedders: "Embedders") -> None:
        self._build_search = build_search
        self._embedders = embedders

    def __call__(self, caller: "Caller", requests: "Sequence[SearchRequest]", /) -> "list[SearchResult]":
        """Return the result of each request, in order; all of them share the time of one search."""
        search = self._build_search(EmbeddersOfOneCall(self._embedders))
        with time_limit(SEARCH_SECONDS):
            return [search(caller, request) for request in requests]


class EmbeddersOfOneCall:
    """Embedding models whose vectors, or failure to make them, are kept until the call ends."""

    def __init__(self, embedders: "Embedders") -> None:
        self._embedders = embedders
        self._embedded: _Embedded = {}
        self._lock = Lock()

    def for_model(self, model: "ModelId") -> "Embedder":
        """Return the embedder of a model."""
        return _EmbedderOfOneCall(self._embedders.for_model(model), self._embedded, self._lock)

    @property
    def default(self) -> "Embedder":
        """Return the embedder of new indexes."""
        return _EmbedderOfOneCall(self._embedders.default, self._embedded, self._lock)


class _EmbedderOfOneCall:
    def __init__(self, embedder: "Embedder", embedded: _Embedded, lock: "Lock") -> None:
        self._embedder = embedder
        self._embedded = embedded
        self._lock = lock

    @property
    def model(self) -> "ModelId":
        return self._embedder.model

    @property
    def languages(self) -> "ModelLanguages":
        return self._embedder.languages

    def embed(self, texts: Sequence[str], kind: Literal["query", "passage"]) -> "list[Vector]":
        keys = [(self._embedder.model, text, kind) for text in texts]
        # Searches at the same time wait for one batch instead of sending their own.
        with self._lock:
            if new := [text for key, text in zip(keys, texts, strict=True) if key not in self._embedded]:
                self._embedded |= {(self.model, text, kind): vector for text, vector in self._embed(new, kind)}
        found = [self._embedded[key] for key in keys]
        # A model that does not answer is not waited for once for each search.
        for each in found:
            if isinstance(each, Unavailable):
                raise each
        return [each for each in found if not isinstance(each, Unavailable)]

    def _embed(
        self, texts: Sequence[str], kind: Literal["query", "passage"]
    ) -> "list[tuple[str, Vector | Unavailable]]":
        distinct = list(dict.fromkeys(texts))
        try:
            return list(zip(distinct, self._embedder.embed(distinct, kind), strict=True))
        except Unavailable as error:
            return [(text, error) for text in distinct]
