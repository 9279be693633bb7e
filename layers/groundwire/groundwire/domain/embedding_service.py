"""Who embeds, where it is not this process: a function or a model that AWS runs, as the settings name it."""

import re
from dataclasses import dataclass
from typing import Final, Literal, cast, get_args

from groundwire.domain.errors import Invalid

Service = Literal["lambda", "bedrock"]
BEDROCK: Final = "bedrock:"
"""What stands before the id of a model of Bedrock."""
_MODEL: Final = re.compile(r"(\S+)/([1-9][0-9]{0,4})")


@dataclass(frozen=True, slots=True)
class VectorsName:
    """What vectors are called, and how many values they have: as an index says of its own."""

    name: str
    dimension: int


@dataclass(frozen=True, slots=True)
class EmbeddingService:
    """Where texts become vectors.

    Attributes:
        address: a function's alias by its ARN, or the id of a model.
        vectors: what comes back; None: what is usual for the model.
    """

    service: Service
    address: str
    vectors: VectorsName | None


def read_embedding_service(embedder: str, vectors: str | None) -> EmbeddingService:
    """From the two settings; Raises Invalid, which says what they must be."""
    service, _, address = embedder.partition(":")
    if service not in get_args(Service) or not address:
        raise Invalid(
            f"GROUNDWIRE_EMBEDDER must be lambda:<ARN of an alias> or bedrock:<id of a model>, not {embedder!r}."
        )
    if vectors is None and service == "lambda":
        raise Invalid(
            "With an embedding function, also set GROUNDWIRE_EMBEDDER_MODEL: <name>/<dimension> of its model."
        )
    return EmbeddingService(cast("Service", service), address, None if vectors is None else _vectors(vectors))


def _vectors(text: str) -> VectorsName:
    match = _MODEL.fullmatch(text)
    if match is None:
        raise Invalid(f"GROUNDWIRE_EMBEDDER_MODEL must be <name>/<dimension>, not {text!r}.")
    return VectorsName(match[1], int(match[2]))
