"""Models that AWS runs, as the settings name them: for a deployment, and for one machine that has credentials."""

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
    """Raises Unavailable where this installation has not the libraries that `feature` needs."""
    try:
        yield
    except ModuleNotFoundError as missing:
        raise Unavailable(
            f"{feature} needs the extra `{name}`: pip install -e '.[{name}]' in the checkout."
        ) from missing


def build_embedder(chosen: EmbeddingService) -> "Embedder":
    """The embedder; nothing is called for that; Raises Invalid."""
    with require_extra("aws", "GROUNDWIRE_EMBEDDER"):
        from groundwire.adapters.aws import clients
    from groundwire.ports import ModelId

    model = chosen.vector_model and ModelId(chosen.vector_model.name, chosen.vector_model.dimension)
    if chosen.provider == "bedrock" or model is None:
        from groundwire.adapters.aws.bedrock import BedrockEmbedder

        return BedrockEmbedder(clients.bedrock, chosen.address, model)
    from groundwire.adapters.aws.lambda_embedder import LambdaEmbedder

    return LambdaEmbedder(clients.lambda_functions, chosen.address, model)


def build_reranker(setting: str | None) -> "Reranker | None":
    """The reranker of Bedrock that the setting names; None where it names none, or one of this machine."""
    if setting is None or not setting.startswith(BEDROCK_PREFIX):
        return None
    with require_extra("aws", "GROUNDWIRE_RERANKER"):
        from groundwire.adapters.aws.bedrock import BedrockReranker
        from groundwire.adapters.aws.clients import bedrock

    return BedrockReranker(bedrock, setting.removeprefix(BEDROCK_PREFIX))


def build_indexes(
    chosen: "IndexService", generations: "IndexGenerations", model: "Callable[[], ModelId]", *, secret: str | None
) -> "OpenSearchIndexes":
    """The indexes on an OpenSearch; nothing is called for that; Raises Invalid, Unavailable.

    Args:
        chosen: where it is.
        generations: which generation of each index answers.
        model: of the index that a new tenant gets.
        secret: ARN of that which holds the login; None: the settings say it, where there is one.
    """
    with require_extra("opensearch", "GROUNDWIRE_INDEX"):
        from groundwire.adapters.aws.opensearch import SERVICES, OpenSearchIndexes, connect

    rules = SERVICES[chosen.service]
    with require_extra("aws", f"GROUNDWIRE_INDEX_SERVICE={chosen.service}"):
        login = chosen.credentials if secret is None else _login_from_secret(secret)
        engine = connect(chosen.address, rules, collection=chosen.collection, login=login)
    return OpenSearchIndexes(engine, rules, generations, model)


def _login_from_secret(secret: str) -> "SecretLogin":
    from groundwire.adapters.aws.clients import secrets_manager
    from groundwire.adapters.aws.opensearch.connection.login import SecretLogin

    return SecretLogin(secrets_manager, secret)


def visibility_delay_seconds(chosen: "IndexService") -> int:
    """For how many seconds a write may stay unseen there; nothing is called for that."""
    from groundwire.adapters.aws.opensearch.service_rules import SERVICES

    return SERVICES[chosen.service].visible_after_seconds
