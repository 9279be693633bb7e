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
        image_model: image model of the function and its dimension; None: it has none.
    """

    provider: EmbeddingProvider
    address: str
    vector_model: VectorModel | None
    image_model: VectorModel | None = None


def parse_embedding_service(
    embedder: str, vector_model: str | None, image_model: str | None = None
) -> EmbeddingService:
    """Parse the three settings.

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
    if image_model is not None and service != "lambda":
        raise InvalidInput("GROUNDWIRE_EMBEDDER_IMAGE_MODEL names the image model of an embedding function: unset it.")
    return EmbeddingService(
        cast("EmbeddingProvider", service),
        address,
        _parse_vector_model("EMBEDDER_MODEL", vector_model),
        _parse_vector_model("EMBEDDER_IMAGE_MODEL", image_model),
    )


def _parse_vector_model(setting: str, text: str | None) -> VectorModel | None:
    if text is None:
        return None
    match = _MODEL.fullmatch(text)
    if match is None:
        raise InvalidInput(f"GROUNDWIRE_{setting} must be <name>/<dimension>, not {text!r}.")
    return VectorModel(match[1], int(match[2]))
