"""The embedding function: texts in, unit vectors out, by the model that lies beside it in its image."""

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
    """Answers the events that `domain.embedding_request` describes.

    Whatever cannot be answered is raised: Lambda gives its type and text to the caller, who is one of the other
    functions, and counts it as an error.
    """

    def __init__(self, load: "Callable[[], Embedder]") -> None:
        self._load = load

    def __call__(self, event: Mapping[str, object], _context: object) -> Mapping[str, object]:
        """The vectors, or that the model is loaded; Raises Invalid, NotFound, Unavailable."""
        if event.get("warm") is True:
            self.warm()
            return WARM_UP_EVENT
        call = parse_request(event)
        embedder = self._load()
        return encode_response(embedder.model.name, embedder.model.dimension, embedder.embed(call.texts, call.kind))

    def warm(self) -> None:
        """The model is loaded and has worked once: what a first call takes longer is behind."""
        self._load().embed(["warm"], "query")


@lru_cache(maxsize=1)
def _load_model() -> "Embedder":
    return embedding.load_embedder()


handler = EmbeddingHandler(_load_model)
"""The Lambda entry point."""


def register_snapshot_hooks() -> None:
    """Lambda calls these before it takes a snapshot of this process, and after it makes another from it.

    The process has no client, connection, credential or clock to renew: it reads texts and multiplies.
    """
    if find_spec(_SNAPSHOT_HOOKS_MODULE) is None:
        return
    hooks = import_module(_SNAPSHOT_HOOKS_MODULE)
    hooks.register_before_snapshot(handler.warm)
    # Every environment that comes of one snapshot would draw the same numbers.
    hooks.register_after_restore(embedding.reseed_random_generators)


register_snapshot_hooks()
