"""What the embedding models of Bedrock are asked and answer, each as the Bedrock user guide describes it."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Protocol, cast

from groundwire.domain.embedding_call import Kind
from groundwire.domain.errors import Invalid

Fields = Mapping[str, object]
Values = Sequence[float]


class Family(Protocol):
    """How a family of models is asked."""

    @property
    def texts_a_call(self) -> int:
        """How many texts one call takes."""
        ...

    @property
    def characters(self) -> int:
        """Of each text; more is cut."""
        ...

    @property
    def dimensions(self) -> Sequence[int]:
        """That vectors may have, the usual one first."""
        ...

    def body(self, texts: Sequence[str], kind: Kind, dimension: int) -> Fields:
        """What a call says."""
        ...

    def vectors(self, answer: Fields) -> object:
        """Where the vectors stand in the answer, one for each text; Raises KeyError, TypeError."""
        ...


class Titan:
    """Amazon Titan Text Embeddings V2: one text a call; query and passage are embedded alike."""

    texts_a_call = 1
    characters = 50_000
    dimensions = (1024, 512, 256)

    def body(self, texts: Sequence[str], kind: Kind, dimension: int) -> Fields:  # noqa: ARG002 - Cohere's wants it
        """See `Family`."""
        # An empty text is refused; one without a word is not.
        return {"inputText": texts[0] or " ", "dimensions": dimension, "normalize": True}

    def vectors(self, answer: Fields) -> object:
        """See `Family`."""
        return [answer["embedding"]]


@dataclass(frozen=True, slots=True)
class Cohere:
    """Cohere Embed: versions differ in length, sizes, and in what they call the end of a text."""

    characters: int
    dimensions: Sequence[int]
    truncate: str
    says_dimension: bool
    texts_a_call: int = 96

    def body(self, texts: Sequence[str], kind: Kind, dimension: int) -> Fields:
        """See `Family`."""
        return {
            "texts": [text or " " for text in texts],
            "input_type": "search_query" if kind == "query" else "search_document",
            "truncate": self.truncate,
            "embedding_types": ["float"],
            **({"output_dimension": dimension} if self.says_dimension else {}),
        }

    def vectors(self, answer: Fields) -> object:
        """See `Family`."""
        return cast("Fields", answer["embeddings"])["float"]


_FAMILIES: Final[Mapping[str, Family]] = {
    r"amazon\.titan-embed-text-v2:\d+": Titan(),
    r"cohere\.embed-(english|multilingual)-v3(:\d+)?": Cohere(2_048, (1024,), "END", says_dimension=False),
    r"cohere\.embed-v4:\d+": Cohere(200_000, (1536, 1024, 512, 256), "RIGHT", says_dimension=True),
}
_WHERE: Final = r"(?:arn:[^/]+/)?(?:[a-z]{2,6}(?:-[a-z]+)?\.)?"
"""A model may be called by its ARN, or by an inference profile over several regions."""


def family_of(model_id: str) -> Family:
    """How the model is asked; Raises Invalid for one that is not known here."""
    for pattern, family in _FAMILIES.items():
        if re.fullmatch(_WHERE + pattern, model_id):
            return family
    raise Invalid(
        f"{model_id} is no embedding model of Bedrock that can be asked here: amazon.titan-embed-text-v2:0,"
        " cohere.embed-english-v3, cohere.embed-multilingual-v3 and cohere.embed-v4:0 can."
    )
