"""Backends that the settings name: embedding and reranking in AWS, search in OpenSearch."""

from collections.abc import Generator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from groundwire.domain.errors import Unavailable
from groundwire.settings.embedding_service import BEDROCK_PREFIX, EmbeddingService

if TYPE_CHECKING:
    from collections.abc import Callable

    from groundwire.adapters.aws.opensearch import OpenSearchIndexes
    from groundwire.adapters.aws.opensearch.connection.login import SecretLogin
    from groundwire.ports import Embedder, IndexGenerations, ModelId, Reranker
    from groundwire.settings.index_service import IndexService


@contextmanager
def require_extra(name: str, feature: str) -> Generator[None]:
    """Turn a missing module inside the block into an error that names the extra to install.

    Raises:
        Unavailable: a library for `feature` is not installed.
    """
    try:
        yield
    except ModuleNotFoundError as error:
        raise Unavailable(f"{feature} needs the extra `{name}`: pip install -e '.[{name}]' in the checkout.") from error


def build_embedder(service: EmbeddingService) -> "Embedder":
    """Return the embedder without calling its service.

    Raises:
        InvalidInput: a setting is invalid.
        Unavailable: the extra `aws` is not installed.
    """
    with require_extra("aws", "GROUNDWIRE_EMBEDDER"):
        from groundwire.adapters.aws import clients
    from groundwire.ports import ModelId

    model = service.vector_model and ModelId(service.vector_model.name, service.vector_model.dimension)
    if service.provider == "bedrock" or model is None:
        from groundwire.adapters.aws.bedrock import BedrockEmbedder

        return BedrockEmbedder(clients.bedrock, service.address, model)
    from groundwire.adapters.aws.lambda_embedder import LambdaEmbedder

    return LambdaEmbedder(clients.lambda_functions, service.address, model)


def build_reranker(setting: str | None) -> "Reranker | None":
    """Return the Bedrock reranker that the setting names; None for no reranker or a local one.

    Raises:
        InvalidInput: the setting is invalid.
        Unavailable: the extra `aws` is not installed.
    """
    if setting is None or not setting.startswith(BEDROCK_PREFIX):
        return None
    with require_extra("aws", "GROUNDWIRE_RERANKER"):
        from groundwire.adapters.aws.bedrock import BedrockReranker
        from groundwire.adapters.aws.clients import bedrock

    return BedrockReranker(bedrock, setting.removeprefix(BEDROCK_PREFIX))


def build_indexes(
    index_service: "IndexService",
    generations: "IndexGenerations",
    model: "Callable[[], ModelId]",
    *,
    secret: str | None,
) -> "OpenSearchIndexes":
    """Return the indexes in an OpenSearch without calling it.

    Args:
        index_service: address and service of the OpenSearch.
        generations: the live generation of each index.
        model: returns the model of a new tenant's index.
        secret: ARN of the secret with the credentials; None: the settings have them, if there are any.

    Raises:
        InvalidInput: a setting is invalid.
        Unavailable: an extra is not installed.
    """
    with require_extra("opensearch", "GROUNDWIRE_INDEX"):
        from groundwire.adapters.aws.opensearch import SERVICES, OpenSearchIndexes, connect

    rules = SERVICES[index_service.service]
    with require_extra("aws", f"GROUNDWIRE_INDEX_SERVICE={index_service.service}"):
        login = index_service.credentials if secret is None else _login_from_secret(secret)
        engine = connect(index_service.address, rules, collection=index_service.collection, login=login)
    return OpenSearchIndexes(engine, rules, generations, model)


def _login_from_secret(secret: str) -> "SecretLogin":
    from groundwire.adapters.aws.clients import secrets_manager
    from groundwire.adapters.aws.opensearch.connection.login import SecretLogin

    return SecretLogin(secrets_manager, secret)


def visibility_delay_seconds(index_service: "IndexService") -> int:
    """Return the seconds until a search there sees a write, from the service's rules alone."""
    from groundwire.adapters.aws.opensearch.service_rules import SERVICES

    return SERVICES[index_service.service].visible_after_seconds
