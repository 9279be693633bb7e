"""Models that AWS runs, as the settings name them: for a deployment, and for one machine that has credentials."""

from collections.abc import Generator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from groundwire.domain.embedding_service import BEDROCK, EmbeddingService
from groundwire.domain.errors import Unavailable

if TYPE_CHECKING:
    from collections.abc import Callable

    from groundwire.adapters.aws.opensearch import OpenSearchIndexes
    from groundwire.adapters.aws.opensearch.login import SecretLogin
    from groundwire.domain.index_service import IndexService
    from groundwire.ports import Embedder, ModelId, Reranker, Standings


@contextmanager
def extra(name: str, what: str) -> Generator[None]:
    """Raises Unavailable where this installation has not the libraries that `what` needs."""
    try:
        yield
    except ModuleNotFoundError as missing:
        raise Unavailable(f"{what} needs the extra `{name}`: pip install -e '.[{name}]' in the checkout.") from missing


def embedder_of(chosen: EmbeddingService) -> "Embedder":
    """The embedder; nothing is called for that; Raises Invalid."""
    with extra("aws", "GROUNDWIRE_EMBEDDER"):
        from groundwire.adapters.aws import clients
    from groundwire.ports import ModelId

    model = chosen.vectors and ModelId(chosen.vectors.name, chosen.vectors.dimension)
    if chosen.service == "bedrock" or model is None:
        from groundwire.adapters.aws.bedrock import BedrockEmbedder

        return BedrockEmbedder(clients.bedrock, chosen.address, model)
    from groundwire.adapters.aws.lambda_embedder import LambdaEmbedder

    return LambdaEmbedder(clients.functions, chosen.address, model)


def reranker_of(setting: str | None) -> "Reranker | None":
    """The reranker of Bedrock that the setting names; None where it names none, or one of this machine."""
    if setting is None or not setting.startswith(BEDROCK):
        return None
    with extra("aws", "GROUNDWIRE_RERANKER"):
        from groundwire.adapters.aws.bedrock import BedrockReranker
        from groundwire.adapters.aws.clients import bedrock

    return BedrockReranker(bedrock, setting.removeprefix(BEDROCK))


def indexes_of(
    chosen: "IndexService", standings: "Standings", model: "Callable[[], ModelId]", *, secret: str | None
) -> "OpenSearchIndexes":
    """The indexes on an OpenSearch; nothing is called for that; Raises Invalid, Unavailable.

    Args:
        chosen: where it is.
        standings: which generation of each index answers.
        model: of the index that a new tenant gets.
        secret: ARN of that which holds the login; None: the settings say it, where there is one.
    """
    with extra("opensearch", "GROUNDWIRE_INDEX"):
        from groundwire.adapters.aws.opensearch import SERVICES, OpenSearchIndexes, connect

    rules = SERVICES[chosen.service]
    with extra("aws", f"GROUNDWIRE_INDEX_SERVICE={chosen.service}"):
        login = chosen.login if secret is None else _login_in(secret)
        engine = connect(chosen.address, rules, collection=chosen.collection, login=login)
    return OpenSearchIndexes(engine, rules, standings, model)


def _login_in(secret: str) -> "SecretLogin":
    from groundwire.adapters.aws.clients import secrets_manager
    from groundwire.adapters.aws.opensearch.login import SecretLogin

    return SecretLogin(secrets_manager, secret)


def visible_after(chosen: "IndexService") -> int:
    """For how many seconds a write may stay unseen there; nothing is called for that."""
    from groundwire.adapters.aws.opensearch.services import SERVICES

    return SERVICES[chosen.service].visible_after_seconds
