"""Request and answer formats of Bedrock's embedding models, as the Bedrock user guide describes them."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Protocol, cast

from groundwire.domain.errors import InvalidInput
from groundwire.domain.passages.embedding_request import EmbeddingKind
from groundwire.domain.search.model_languages import ALL_LANGUAGES, ENGLISH, ModelLanguages

JsonObject = Mapping[str, object]
Values = Sequence[float]


class EmbeddingFormat(Protocol):
    """Request and answer format of a group of models."""

    @property
    def max_texts_per_call(self) -> int:
        """Texts that one call takes."""
        ...

    @property
    def max_characters(self) -> int:
        """Length of a text, in characters; the rest is cut."""
        ...

    @property
    def dimensions(self) -> Sequence[int]:
        """Sizes that vectors may have, the default first."""
        ...

    @property
    def languages(self) -> ModelLanguages:
        """Languages of the model, as the user guide states them."""
        ...

    def request_body(self, texts: Sequence[str], kind: EmbeddingKind, dimension: int) -> JsonObject:
        """Return the JSON body of a call."""
        ...

    def vectors(self, answer: JsonObject) -> object:
        """Return the vectors of an answer, one per text.

        Raises:
            KeyError: the answer lacks a member.
            TypeError: a member has another type.
        """
        ...


class TitanFormat:
    """Amazon Titan Text Embeddings V2: one text a call; query and passage are embedded alike."""

    max_texts_per_call = 1
    max_characters = 50_000
    dimensions = (1024, 512, 256)
    languages = ALL_LANGUAGES

    def request_body(self, texts: Sequence[str], kind: EmbeddingKind, dimension: int) -> JsonObject:  # noqa: ARG002 - Cohere's wants it
        """Return the JSON body of a call with one text."""
        # The model refuses an empty text, but accepts a space.
        return {"inputText": texts[0] or " ", "dimensions": dimension, "normalize": True}

    def vectors(self, answer: JsonObject) -> object:
        """Return the vectors of an answer."""
        return [answer["embedding"]]


@dataclass(frozen=True, slots=True)
class CohereFormat:
    """Cohere Embed: versions differ in text length, sizes, and the name for cutting the end of a text."""

    max_characters: int
    dimensions: Sequence[int]
    truncate: str
    sends_dimension: bool
    max_texts_per_call: int = 96
    languages: ModelLanguages = ALL_LANGUAGES

    def request_body(self, texts: Sequence[str], kind: EmbeddingKind, dimension: int) -> JsonObject:
        """Return the JSON body of a call."""
        return {
            "texts": [text or " " for text in texts],
            "input_type": "search_query" if kind == "query" else "search_document",
            "truncate": self.truncate,
            # Without this member the answer has another form.
            "embedding_types": ["float"],
            **({"output_dimension": dimension} if self.sends_dimension else {}),
        }

    def vectors(self, answer: JsonObject) -> object:
        """Return the vectors of an answer."""
        return cast("JsonObject", answer["embeddings"])["float"]


_FORMATS: Final[Mapping[str, EmbeddingFormat]] = {
    r"amazon\.titan-embed-text-v2:\d+": TitanFormat(),
    r"cohere\.embed-english-v3(:\d+)?": CohereFormat(2_048, (1024,), "END", sends_dimension=False, languages=ENGLISH),
    r"cohere\.embed-multilingual-v3(:\d+)?": CohereFormat(2_048, (1024,), "END", sends_dimension=False),
    r"cohere\.embed-v4:\d+": CohereFormat(200_000, (1536, 1024, 512, 256), "RIGHT", sends_dimension=True),
}
_ID_PREFIX: Final = r"(?:arn:[^/]+/)?(?:[a-z]{2,6}(?:-[a-z]+)?\.)?"
"""Prefix of an ARN, or of an inference profile over several regions."""


def embedding_format(model_id: str) -> EmbeddingFormat:
    """Return the format of the model.

    Raises:
        InvalidInput: no format is known for this model id.
    """
    for pattern, model_format in _FORMATS.items():
        if re.fullmatch(_ID_PREFIX + pattern, model_id):
            return model_format
    raise InvalidInput(
        f"{model_id} is not a supported embedding model of Bedrock. Supported: "
        "amazon.titan-embed-text-v2:0, cohere.embed-english-v3, cohere.embed-multilingual-v3 and "
        "cohere.embed-v4:0."
    )
