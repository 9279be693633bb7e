"""Settings of an embedding service outside this process: an AWS Lambda function or a Bedrock model."""

import re
from dataclasses import dataclass
from typing import Final, Literal, cast, get_args

from groundwire.domain.errors import InvalidInput

EmbeddingProvider = Literal["lambda", "bedrock"]
BEDROCK_PREFIX: Final = "bedrock:"
"""Prefix of the id of a Bedrock model."""
_MODEL: Final = re.compile(r"(\S+)/([1-9][0-9]{0,4})")


@dataclass(frozen=True, slots=True)
class VectorModel:
    """Name of the embedding model and the dimension of its vectors, as an index records them."""

    name: str
    dimension: int


@dataclass(frozen=True, slots=True)
class EmbeddingService:
    """Service that turns texts into vectors.

    Attributes:
        address: ARN of a function's alias, or the id of a model.
        vector_model: model and dimension of the vectors; None: the default of the model.
    """

    provider: EmbeddingProvider
    address: str
    vector_model: VectorModel | None


def parse_embedding_service(embedder: str, vector_model: str | None) -> EmbeddingService:
    """Parse the two settings.

    Raises:
        InvalidInput: a value is not valid; the message says what it must be.
    """
    service, _, address = embedder.partition(":")
    if service not in get_args(EmbeddingProvider) or not address:
        raise InvalidInput(
            f"GROUNDWIRE_EMBEDDER must be lambda:<ARN of an alias> or bedrock:<id of a model>, not {embedder!r}."
        )
    if vector_model is None and service == "lambda":
        raise InvalidInput(
            "With an embedding function, also set GROUNDWIRE_EMBEDDER_MODEL: <name>/<dimension> of its model."
        )
    return EmbeddingService(
        cast("EmbeddingProvider", service), address, None if vector_model is None else _parse_vector_model(vector_model)
    )


def _parse_vector_model(text: str) -> VectorModel:
    match = _MODEL.fullmatch(text)
    if match is None:
        raise InvalidInput(f"GROUNDWIRE_EMBEDDER_MODEL must be <name>/<dimension>, not {text!r}.")
    return VectorModel(match[1], int(match[2]))
