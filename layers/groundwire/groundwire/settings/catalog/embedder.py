"""Settings of an embedding service outside this process."""

import re
from typing import TYPE_CHECKING, Final, cast, get_args

from groundwire.domain.errors import InvalidInput
from groundwire.settings.catalog.setting import (
    PREFIX,
    Audience,
    Environment,
    GroupValue,
    Setting,
    SettingGroup,
    Variable,
)

if TYPE_CHECKING:
    from groundwire.settings.embedding_service import EmbeddingProvider, EmbeddingService, VectorModel

_NAME_AND_DIMENSION: Final = r"(\S+)/([1-9][0-9]{0,4})"


def _provider_and_address(variable: Variable) -> "tuple[EmbeddingProvider, str]":
    # Lazy import: a server that embeds by itself starts without it.
    from groundwire.settings.embedding_service import EmbeddingProvider

    provider, _, address = variable.text.partition(":")
    if provider not in get_args(EmbeddingProvider) or not address:
        raise variable.refusal("be lambda:<ARN of an alias> or bedrock:<id of a model>")
    return cast("EmbeddingProvider", provider), address


def _vector_model(variable: Variable) -> "VectorModel | None":
    if not variable.text:
        return None
    # Lazy import: only a remote embedder has this setting.
    from groundwire.settings.embedding_service import VectorModel

    match = re.fullmatch(_NAME_AND_DIMENSION, variable.text)
    if match is None:
        raise variable.refusal("be <name>/<dimension>")
    return VectorModel(match[1], int(match[2]))


def _embedding_service(environment: Environment) -> "EmbeddingService | None":
    if not _EMBEDDER.is_given(environment):
        return None
    # Lazy import: a server that embeds by itself has no such service.
    from groundwire.settings.embedding_service import EmbeddingService

    provider, address = _EMBEDDER.read(environment)
    if provider == "lambda" and not _MODEL.is_given(environment):
        raise InvalidInput(
            f"With an embedding function, also set {PREFIX}{_MODEL.name}: <name>/<dimension> of its model."
        )
    if provider != "lambda" and _IMAGE_MODEL.is_given(environment):
        raise InvalidInput(f"{PREFIX}{_IMAGE_MODEL.name} names the image model of an embedding function: unset it.")
    return EmbeddingService(provider, address, **EMBEDDER.values(environment))


_EMBEDDER: Final = Setting(
    "EMBEDDER",
    "Service that embeds: `lambda:` with the ARN of the alias of the embedding function, or `bedrock:` with a "
    "model. The models are `amazon.titan-embed-text-v2:0`, `cohere.embed-english-v3`, "
    "`cohere.embed-multilingual-v3` and `cohere.embed-v4:0`.",
    _provider_and_address,
    default_note="none; this process embeds",
)
_MODEL: Final = Setting(
    "EMBEDDER_MODEL",
    "Model of the service as `<name>/<dimension>`, such as `all-MiniLM-L6-v2-int8/384`. With `lambda:` you "
    "must set it. The server checks every answer of the service against it.",
    _vector_model,
    "vector_model",
    default_note="the usual size of a Bedrock model",
)
_IMAGE_MODEL: Final = Setting(
    "EMBEDDER_IMAGE_MODEL",
    "Image model of the embedding function as `<name>/<dimension>`. It replaces `GROUNDWIRE_IMAGE_MODEL`.",
    _vector_model,
    "image_model",
)
EMBEDDER: Final = SettingGroup(
    Audience.SERVER_OPERATOR,
    "Embedding service",
    (_EMBEDDER, _MODEL, _IMAGE_MODEL),
    GroupValue("embedding_service", _embedding_service),
)
