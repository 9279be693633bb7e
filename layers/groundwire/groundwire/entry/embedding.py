"""Embedding function: returns unit vectors of texts, using the model in its container image."""

from collections.abc import Callable, Mapping
from functools import lru_cache
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Final

from groundwire.domain.embedding_request import WARM_UP_EVENT, encode_response, parse_request
from groundwire.wiring.cloud import embedding

if TYPE_CHECKING:
    from groundwire.ports import Embedder

_SNAPSHOT_HOOKS_MODULE: Final = "snapshot_restore_py"


class EmbeddingHandler:
    """Handler of the events that `domain.embedding_request` defines.

    It raises its errors: Lambda returns their type and text to the calling function and counts them.
    """

    def __init__(self, load: "Callable[[], Embedder]") -> None:
        self._load = load

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
        call = parse_request(event)
        embedder = self._load()
        return encode_response(embedder.model.name, embedder.model.dimension, embedder.embed(call.texts, call.kind))

    def warm(self) -> None:
        """Load the model and embed one text, so that no later call pays for the first use."""
        self._load().embed(["warm"], "query")


@lru_cache(maxsize=1)
def _load_model() -> "Embedder":
    return embedding.load_embedder()


handler = EmbeddingHandler(_load_model)
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
