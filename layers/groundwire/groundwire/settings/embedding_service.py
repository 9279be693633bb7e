"""Settings of an embedding service outside this process: an AWS Lambda function or a Bedrock model."""

from dataclasses import dataclass
from typing import Final, Literal

EmbeddingProvider = Literal["lambda", "bedrock"]
BEDROCK_PREFIX: Final = "bedrock:"
"""Prefix of the id of a Bedrock model."""


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
        image_model: image model of the function and its dimension; None: it has none.
    """

    provider: EmbeddingProvider
    address: str
    vector_model: VectorModel | None
    image_model: VectorModel | None = None
