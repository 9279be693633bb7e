"""Search of several collections in one call, each ranked for itself: the phrases are embedded once."""

from collections.abc import Callable, Sequence
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

_Embedded = dict[tuple["ModelId", tuple[str, ...], str], "list[Vector] | Unavailable"]


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
        search = self._build_search(_EmbeddersOfOneCall(self._embedders))
        with time_limit(SEARCH_SECONDS):
            return [search(caller, request) for request in requests]


class _EmbeddersOfOneCall:
    """Embedding models whose vectors, or failure to make them, are kept until the call ends."""

    def __init__(self, embedders: "Embedders") -> None:
        self._embedders = embedders
        self._embedded: _Embedded = {}

    def for_model(self, model: "ModelId") -> "Embedder":
        return _EmbedderOfOneCall(self._embedders.for_model(model), self._embedded)

    @property
    def default(self) -> "Embedder":
        return _EmbedderOfOneCall(self._embedders.default, self._embedded)


class _EmbedderOfOneCall:
    def __init__(self, embedder: "Embedder", embedded: _Embedded) -> None:
        self._embedder = embedder
        self._embedded = embedded

    @property
    def model(self) -> "ModelId":
        return self._embedder.model

    @property
    def languages(self) -> "ModelLanguages":
        return self._embedder.languages

    def embed(self, texts: Sequence[str], kind: Literal["query", "passage"]) -> "list[Vector]":
        key = self._embedder.model, tuple(texts), kind
        if key not in self._embedded:
            self._embedded[key] = self._embed(texts, kind)
        found = self._embedded[key]
        # A model that does not answer is not waited for once for each collection.
        if isinstance(found, Unavailable):
            raise found
        return found

    def _embed(self, texts: Sequence[str], kind: Literal["query", "passage"]) -> "list[Vector] | Unavailable":
        try:
            return self._embedder.embed(texts, kind)
        except Unavailable as error:
            return error
