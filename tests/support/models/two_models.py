"""Two embedding models at hand, and something that happens while one of them is at work."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Literal

from groundwire.domain.errors import NotFound
from groundwire.domain.search.model_languages import ALL_LANGUAGES, ModelLanguages
from groundwire.ports import ModelId, Vector
from tests.support.models.hashed_words import HashedWords


@dataclass
class Watched:
    """Implements `ports.Embedder`: notes what it embeds, and lets something happen after each call."""

    model: ModelId
    passages: list[str] = field(default_factory=list[str])
    queries: list[str] = field(default_factory=list[str])
    meanwhile: Callable[[], None] = lambda: None
    languages: ModelLanguages = ALL_LANGUAGES

    def embed(self, texts: Sequence[str], kind: Literal["query", "passage"]) -> list[Vector]:
        """Vectors of hashed words, cut to the dimension."""
        (self.queries if kind == "query" else self.passages).extend(texts)
        happens, self.meanwhile = self.meanwhile, lambda: None
        happens()
        # The first value alone would be all of a vector whose words fall beyond the cut: it is never 0.
        return [vector[: 4 * self.model.dimension] for vector in HashedWords().embed(texts, kind)]


@dataclass
class TwoModels:
    """Implements `ports.Embedders`."""

    default: Watched = field(default_factory=lambda: Watched(ModelId("hashed-words", 64)))
    other: Watched = field(default_factory=lambda: Watched(ModelId("maker/other@v1/48/f32", 48)))

    def for_model(self, model: ModelId) -> Watched:
        """Raises NotFound for a third."""
        for embedder in (self.default, self.other):
            if embedder.model == model:
                return embedder
        raise NotFound(f"There is no model {model.name!r} here.")
