"""Embedders and indexes whose searches are counted."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from groundwire.domain.errors import Unavailable
from groundwire.ports import Vector
from tests.support.models.hashed_words import HashedWords
from tests.support.worlds.exchange import exchange
from tests.support.worlds.world import World


@dataclass
class CountedEmbedders:
    """The embedders of the tests, and every batch of queries."""

    batches: list[Sequence[str]] = field(default_factory=list[Sequence[str]])

    @property
    def default(self) -> "CountedEmbedder":
        return CountedEmbedder(self)

    def for_model(self, model: object) -> "CountedEmbedder":
        assert model == HashedWords.model
        return CountedEmbedder(self)


@dataclass
class CountedEmbedder:
    """The embedder of the tests."""

    counted: CountedEmbedders
    model = HashedWords.model
    languages = HashedWords.languages

    def embed(self, texts: Sequence[str], kind: Literal["query", "passage"]) -> list[Vector]:
        if kind == "query":
            self.counted.batches.append(texts)
        return HashedWords().embed(texts, kind)


@dataclass
class CountedIndexes:
    """The indexes of the product, whose searches are counted, and fail from one of them on."""

    real: Any
    searches: int = 0
    works_for: int = 1_000

    def for_tenant(self, tenant: str) -> "CountedIndex":
        return CountedIndex(self, self.real.for_tenant(tenant))


@dataclass
class CountedIndex:
    """An index of the product."""

    counted: CountedIndexes
    real: Any

    def __getattr__(self, name: str) -> Any:
        return getattr(self.real, name)

    @property
    def lexical(self) -> "CountedIndex":
        return self

    def search(self, *arguments: Any) -> Any:
        self.counted.searches += 1
        if self.counted.searches > self.counted.works_for:
            raise Unavailable("the index is away")
        return self.real.search(*arguments)


def counted(world: World) -> tuple[CountedEmbedders, CountedIndexes]:
    """The embedders and indexes of the world from now on."""
    embedders, indexes = CountedEmbedders(), CountedIndexes(world.services.stores.indexes)
    exchange(world.services, embedders=embedders, indexes=indexes)
    return embedders, indexes
