"""Embedding function: returns unit vectors of texts and thumbnails, using the models in its container image."""

from collections.abc import Callable, Mapping
from functools import lru_cache
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Final

from groundwire.domain.errors import InvalidInput
from groundwire.domain.passages.embedding_request import (
    WARM_UP_EVENT,
    ImageQueryRequest,
    ThumbnailRequest,
    encode_response,
    parse_image_request,
    parse_request,
)
from groundwire.wiring.cloud import embedding, image_models

if TYPE_CHECKING:
    from groundwire.ports import Embedder, ImageEmbedder

_SNAPSHOT_HOOKS_MODULE: Final = "snapshot_restore_py"


class EmbeddingHandler:
    """Handler of the events that `domain.passages.embedding_request` defines.

    It raises its errors: Lambda returns their type and text to the calling function and counts them.
    """

    def __init__(
        self, load: "Callable[[], Embedder]", load_images: "Callable[[], ImageEmbedder | None]" = lambda: None
    ) -> None:
        """Take functions that load the model of texts and the image model, if the function has one."""
        self._load = load
        self._load_images = load_images

    def __call__(self, event: Mapping[str, object], _context: object) -> Mapping[str, object]:
        """Return the vectors; for a warm-up event, load the model and return the event.

        Raises:
            InvalidInput: the event is malformed.
            NotFound: there is no such model.
            Unavailable: the model cannot be loaded or used.
        """
        if event.get("warm") is True:
            self.warm()
            return WARM_UP_EVENT
        image_call = parse_image_request(event)
        if image_call is not None:
            return self._image_vectors(image_call)
        call = parse_request(event)
        embedder = self._load()
        return encode_response(embedder.model.name, embedder.model.dimension, embedder.embed(call.texts, call.kind))

    def _image_vectors(self, call: ImageQueryRequest | ThumbnailRequest) -> Mapping[str, object]:
        embedder = self._load_images()
        if embedder is None:
            raise InvalidInput("This function has no image model: name one in the stack's parameter ImageModel.")
        vectors = (
            embedder.embed_queries(call.texts)
            if isinstance(call, ImageQueryRequest)
            else embedder.embed_images(call.thumbnails)
        )
        return encode_response(embedder.model.name, embedder.model.dimension, vectors)

    def warm(self) -> None:
        """Load the models and embed one text with each, so that no later call pays for the first use."""
        self._load().embed(["warm"], "query")
        images = self._load_images()
        if images is not None:
            images.embed_queries(["warm"])


@lru_cache(maxsize=1)
def _load_model() -> "Embedder":
    return embedding.load_embedder()


@lru_cache(maxsize=1)
def _load_image_model() -> "ImageEmbedder | None":
    return image_models.load_image_embedder()


handler = EmbeddingHandler(_load_model, _load_image_model)
"""The Lambda entry point."""


def register_snapshot_hooks() -> None:
    """Register what Lambda calls before it takes a snapshot of this process, and after it restores one.

    The process has no client, connection, credential or clock to renew.
    """
    if find_spec(_SNAPSHOT_HOOKS_MODULE) is None:
        return
    hooks = import_module(_SNAPSHOT_HOOKS_MODULE)
    hooks.register_before_snapshot(handler.warm)
    # Otherwise all environments restored from one snapshot would draw the same random numbers.
    hooks.register_after_restore(embedding.reseed_random_generators)


register_snapshot_hooks()
