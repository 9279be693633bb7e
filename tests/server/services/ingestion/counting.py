"""An embedder that counts, and may be down."""

from collections.abc import Sequence
from typing import Literal

from groundwire.domain.errors import Unavailable
from groundwire.ports import ModelId, Vector
from tests.support.models.hashed_words import HashedWords


class Counting:
    """Implements `Embedder` and `Embedders`: counts each text, and may be down."""

    model = HashedWords.model
    languages = HashedWords.languages

    def __init__(self) -> None:
        self.texts: list[str] = []
        self.is_down = False

    @property
    def default(self) -> "Counting":
        return self

    def for_model(self, model: ModelId) -> "Counting":
        return self

    def embed(self, texts: Sequence[str], kind: Literal["query", "passage"]) -> list[Vector]:
        if self.is_down:
            raise Unavailable("The embedder does not answer: try again soon.")
        self.texts += texts
        return HashedWords().embed(texts, kind)
