"""An embedder that costs nothing: each word adds one to the dimension that its hash names."""

import hashlib
import math
import re
import struct
from collections.abc import Sequence
from typing import Final, Literal

from groundwire.domain.errors import NotFound
from groundwire.domain.search.model_languages import ALL_LANGUAGES
from groundwire.ports import ModelId, Vector

_DIMENSION: Final = 64
_WORD: Final = re.compile(r"\w+")


class HashedWords:
    """Implements `ports.Embedder`: texts with words in common are near each other."""

    model: Final = ModelId("hashed-words", _DIMENSION)
    languages: Final = ALL_LANGUAGES

    def embed(self, texts: Sequence[str], kind: Literal["query", "passage"]) -> list[Vector]:
        """One unit vector per text, the same for the same text on every machine."""
        return [_vector(text) for text in texts]


class OnlyHashedWords:
    """Implements `ports.Embedders`: there is no other model."""

    default: Final = HashedWords()

    def for_model(self, model: ModelId) -> HashedWords:
        """Raises NotFound for any other."""
        if model != HashedWords.model:
            raise NotFound(f"There is no model {model.name!r} here.")
        return self.default


def _vector(text: str) -> Vector:
    # A text without a word needs a direction too.
    counts = [1e-3] + [0.0] * (_DIMENSION - 1)
    for word in _WORD.findall(text.lower()):
        counts[hashlib.sha256(word.encode()).digest()[0] % _DIMENSION] += 1.0
    length = math.sqrt(sum(count * count for count in counts))
    return struct.pack(f"<{_DIMENSION}f", *(count / length for count in counts))
