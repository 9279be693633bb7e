"""Vectors of the phrases of a search: the call's own, else those of the embedding model of the index."""

import math
import unicodedata
from array import array
from collections.abc import Sequence

from groundwire.domain.errors import InvalidInput
from groundwire.domain.search.phrases import truncate_phrase
from groundwire.domain.search.request import SearchRequest
from groundwire.ports import Embedders, ModelId, Phrase, Vector


def embed_phrases(embedders: Embedders, model: ModelId, request: SearchRequest) -> list[Phrase]:
    """Return the phrases with vectors: the call's own, else those of the embedder.

    Raises:
        InvalidInput: a vector of the call has another number of dimensions than the index.
    """
    if not request.vectors:
        vectors = embedders.for_model(model).embed([*map(_fold, request.phrases)], "query")
        return [Phrase(text, vector) for text, vector in zip(request.phrases, vectors, strict=True)]
    given = [None if each is None else _unit_vector(each, model.dimension) for each in request.vectors]
    given += [None] * (len(request.phrases) - len(given))
    texts = [phrase for phrase, vector in zip(request.phrases, given, strict=True) if vector is None]
    embedded = iter(embedders.for_model(model).embed([*map(_fold, texts)], "query") if texts else ())
    vectors = [next(embedded) if vector is None else vector for vector in given]
    return [Phrase(text, vector) for text, vector in zip(request.phrases, vectors, strict=True)]


def _fold(phrase: str) -> str:
    """Return the phrase as words are folded: models have seldom seen full-width letters, ligatures or bold ones."""
    folded = unicodedata.normalize("NFKC", phrase)
    return phrase if folded == phrase else truncate_phrase(folded)


def _unit_vector(values: Sequence[float], dimension: int) -> Vector:
    """Return the values as a vector of length 1."""
    if len(values) != dimension:
        raise InvalidInput(f"Query vector has invalid dimension: {len(values)}. Dimension should be: {dimension}")
    largest = max(map(abs, values))
    scaled = [value / largest for value in values]
    length = math.hypot(*scaled)
    return array("f", [value / length for value in scaled]).tobytes()
