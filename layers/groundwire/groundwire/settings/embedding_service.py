"""Who embeds, where it is not this process: a function or a model that AWS runs, as the settings name it."""

import re
from dataclasses import dataclass
from typing import Final, Literal, cast, get_args

from groundwire.domain.errors import InvalidInput

EmbeddingProvider = Literal["lambda", "bedrock"]
BEDROCK_PREFIX: Final = "bedrock:"
"""What stands before the id of a model of Bedrock."""
_MODEL: Final = re.compile(r"(\S+)/([1-9][0-9]{0,4})")


@dataclass(frozen=True, slots=True)
class VectorModel:
    """What vectors are called, and how many values they have: as an index says of its own."""

    name: str
    dimension: int


@dataclass(frozen=True, slots=True)
class EmbeddingService:
    """Where texts become vectors.

    Attributes:
        address: a function's alias by its ARN, or the id of a model.
        vector_model: what comes back; None: what is usual for the model.
    """

    provider: EmbeddingProvider
    address: str
    vector_model: VectorModel | None


def parse_embedding_service(embedder: str, vector_model: str | None) -> EmbeddingService:
    """From the two settings; Raises Invalid, which says what they must be."""
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
