"""Backends that the settings name: embedding and reranking in AWS, an image model, search in an index engine."""

from collections.abc import Generator
from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple

from groundwire.domain.errors import InvalidInput, Unavailable
from groundwire.settings.embedding_service import BEDROCK_PREFIX, EmbeddingService

if TYPE_CHECKING:
    from collections.abc import Callable

    from groundwire.adapters.oidc import JwtVerifier
    from groundwire.adapters.oidc.code_exchange import OidcAuthorizationServer
    from groundwire.adapters.opensearch.connection.login import SecretLogin
    from groundwire.adapters.planning.plan_output import PlanningModel
    from groundwire.domain.keys.forms.oauth import IdentityProvider
    from groundwire.ports import (
        Clock,
        Embedder,
        ImageEmbedder,
        IndexGenerations,
        ModelId,
        QueryPlanners,
        Reranker,
        WakeableIndexes,
    )
    from groundwire.ports.indexes import IndexKind
    from groundwire.ports.sources import SourceClient
    from groundwire.settings.egress import EgressSettings
    from groundwire.settings.embedding_service import VectorModel
    from groundwire.settings.environment import Settings
    from groundwire.settings.index_service import IndexService
    from groundwire.settings.query_planner import PlannerService, PlannerSettings
    from groundwire_egress import SendRequest


@contextmanager
def require_extra(name: str, feature: str) -> Generator[None]:
    """Turn a missing module inside the block into an error that names the extra to install.

    Raises:
        Unavailable: a library for `feature` is not installed.
    """
    try:
        yield
    except ModuleNotFoundError as error:
        # Imported on use: a function that starts loads nothing for a message.
        from groundwire.settings.installation import extra_command

        raise Unavailable(f"{feature} needs the extra `{name}`: {extra_command(name)}.") from error


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
    from groundwire.adapters.aws.embedders.lambda_embedder import LambdaEmbedder

    return LambdaEmbedder(clients.lambda_functions, service.address, model)


def build_image_embedder(settings: "Settings") -> "ImageEmbedder | None":
    """Return the image embedder that the settings choose; None without one.

    A model of a folder is checked and loaded, an embedding function is not called.

    Raises:
        NotFound: the model's folder does not exist.
        InvalidInput: a setting or a file of the model cannot be used.
        Unavailable: a library is missing.
    """
    service = settings.embedding_service
    if service is not None and service.image_model is not None:
        if settings.image_model is not None:
            raise InvalidInput("Set GROUNDWIRE_IMAGE_MODEL or GROUNDWIRE_EMBEDDER_IMAGE_MODEL, not both.")
        return _build_function_embedder(service.address, service.image_model)
    if settings.image_model is None:
        return None
    from groundwire.adapters.onnx.images.embedder import load_image_embedder

    return load_image_embedder(settings.image_model, settings.threads)


def _build_function_embedder(address: str, model: "VectorModel") -> "ImageEmbedder":
    with require_extra("aws", "GROUNDWIRE_EMBEDDER"):
        from groundwire.adapters.aws.clients import lambda_functions
        from groundwire.adapters.aws.embedders.lambda_embedder import LambdaImageEmbedder
    from groundwire.ports import ModelId

    return LambdaImageEmbedder(lambda_functions, address, ModelId(model.name, model.dimension))


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


def build_planners(settings: "Settings", open_key: "Callable[[], str | None]") -> "QueryPlanners":
    """Return the query planners that the settings choose, without calling a model.

    Args:
        settings: of this process.
        open_key: returns the API key of the server's own model; None: its service needs none.

    Raises:
        Unavailable: the extra `aws` is not installed.
    """
    from groundwire.adapters.planning.rule_planner import RulePlanners

    planner = settings.planner
    # Without a model that may be called, there is nothing to bound.
    if planner is None or (planner.service is None and not planner.model_hosts):
        return RulePlanners()
    from groundwire.adapters.planning.defined_models import DefinedModels
    from groundwire.adapters.planning.model_planner import ModelPlanners, PlanningLimits
    from groundwire.adapters.planning.token_budget import TokenBudget
    from groundwire_egress import AllowedHosts, EgressClient

    send = EgressClient(AllowedHosts(settings.egress.allowed), settings.egress.ca_file).send
    own = None if planner.service is None else _planning_model(planner.service, planner, open_key, send)
    limits = PlanningLimits(
        planner.timeout_seconds, planner.tokens, TokenBudget(planner.tokens_per_minute, planner.tokens_per_day)
    )
    return ModelPlanners(own, DefinedModels(planner.model_hosts, planner.api_version, send).find, limits)


def _planning_model(
    service: "PlannerService", planner: "PlannerSettings", open_key: "Callable[[], str | None]", send: "SendRequest"
) -> "PlanningModel":
    if service.provider == "bedrock":
        with require_extra("aws", "GROUNDWIRE_PLANNER"):
            from groundwire.adapters.aws.bedrock.converse import ConverseModel
            from groundwire.adapters.aws.clients import bedrock

        return ConverseModel(bedrock, service.model, planner.timeout_seconds)
    from groundwire.adapters.planning.chat_completions import ChatModel, azure_endpoint, openai_endpoint

    names = (service.model, service.model)
    if service.provider == "azure-openai":
        return ChatModel(azure_endpoint(service.url, service.model, planner.api_version), names, open_key, send)
    return ChatModel(openai_endpoint(service.url), names, open_key, send)


def build_source_client(settings: "Settings") -> "SourceClient":
    """Return the client of MCP servers of other systems.

    It calls public hosts, and those that the operator allows for sources; users' tokens go to the operator's issuer.
    """
    from groundwire.adapters.mcp_client import McpSourceClient
    from groundwire.adapters.oidc.provider_http import provider_destination
    from groundwire_egress import AllowedHosts, EgressClient

    rules, provider = settings.egress, settings.sign_in.usable
    # `allowed` does not count here, because a tenant's administrator names these servers.
    egress = EgressClient(AllowedHosts(rules.source_hosts), rules.ca_file)
    if provider is None:
        return McpSourceClient(egress, None)
    issuer = provider_destination(provider.issuer)
    # Users' tokens go to the issuer, which may be at a private address.
    issuer_hosts = AllowedHosts(rules.allowed | {(issuer.host, issuer.port)})
    return McpSourceClient(egress, provider.issuer, EgressClient(issuer_hosts, rules.ca_file))


def build_token_verifier(provider: "IdentityProvider", egress: "EgressSettings") -> "JwtVerifier":
    """Return the verifier of the provider's access tokens."""
    from groundwire.adapters.oidc import JwtVerifier, ProviderDocuments
    from groundwire_egress import AllowedHosts

    documents = ProviderDocuments(provider, AllowedHosts(egress.allowed), egress.ca_file)
    return JwtVerifier(provider, documents.fetch)


def build_authorization_server(
    provider: "IdentityProvider", client_id: str, settings: "Settings", clock: "Clock"
) -> "OidcAuthorizationServer":
    """Return the provider's authorization server for the page, without calling it."""
    from groundwire.adapters.oidc.code_exchange import OidcAuthorizationServer
    from groundwire.adapters.oidc.provider_http import ProviderDocuments
    from groundwire.domain.keys.forms.provider_session import REDIRECT_PATH
    from groundwire_egress import AllowedHosts

    documents = ProviderDocuments(provider, AllowedHosts(settings.egress.allowed), settings.egress.ca_file)
    # Of a setting, never of a request: a code must not be led to a host that somebody else named.
    redirect_uri = f"{settings.public_url}{REDIRECT_PATH}"
    return OidcAuthorizationServer(provider, client_id, redirect_uri, documents, clock)


class _EngineAdapter(NamedTuple):
    """The adapter of an index engine, behind functions that import it.

    Attributes:
        build: returns the indexes without calling the engine; arguments and errors as in `build_indexes`.
        visible_after_seconds: returns the seconds until a search sees a write, from the settings alone.
    """

    build: "Callable[[IndexService, IndexKind, IndexGenerations, Callable[[], ModelId], str | None], WakeableIndexes]"
    visible_after_seconds: "Callable[[IndexService], int]"


def _engine_adapter(index_service: "IndexService") -> _EngineAdapter:
    """Return the adapter of the engine that the settings select."""
    from groundwire.settings.index_service import IndexEngine

    match index_service.engine:
        case IndexEngine.OPENSEARCH:
            return _EngineAdapter(_build_opensearch, _opensearch_visibility_delay)


def build_indexes(
    index_service: "IndexService",
    kind: "IndexKind",
    generations: "IndexGenerations",
    model: "Callable[[], ModelId]",
    *,
    secret: str | None,
) -> "WakeableIndexes":
    """Return the indexes in the engine that the settings select, without calling it.

    Args:
        index_service: address and service of the engine.
        kind: kind of the rows.
        generations: the live generation of each index of this kind, for an engine that cannot keep it itself.
        model: returns the model of a new tenant's index.
        secret: ARN of the secret with the credentials; None: the settings have them, if there are any.

    Raises:
        InvalidInput: a setting is invalid.
        Unavailable: an extra is not installed.
    """
    return _engine_adapter(index_service).build(index_service, kind, generations, model, secret)


def visibility_delay_seconds(index_service: "IndexService") -> int:
    """Return the seconds until a search there sees a write, without calling the engine."""
    return _engine_adapter(index_service).visible_after_seconds(index_service)


def _build_opensearch(
    index_service: "IndexService",
    kind: "IndexKind",
    generations: "IndexGenerations",
    model: "Callable[[], ModelId]",
    secret: str | None,
) -> "WakeableIndexes":
    with require_extra("opensearch", "GROUNDWIRE_INDEX"):
        from groundwire.adapters.opensearch import SERVICES, OpenSearchIndexes, connect

    # By the setting, because a serverless collection does not tell its generation.
    rules = SERVICES[index_service.service]
    with require_extra("aws", f"GROUNDWIRE_INDEX_SERVICE={index_service.service}"):
        login = index_service.credentials if secret is None else _login_from_secret(secret)
        engine = connect(index_service.address, rules, collection=index_service.collection, login=login)
    return OpenSearchIndexes(engine, rules, kind, generations, model)


def _opensearch_visibility_delay(index_service: "IndexService") -> int:
    from groundwire.adapters.opensearch.service_rules import SERVICES

    return SERVICES[index_service.service].visible_after_seconds


def _login_from_secret(secret: str) -> "SecretLogin":
    from groundwire.adapters.aws.clients import secrets_manager
    from groundwire.adapters.opensearch.connection.login import SecretLogin

    return SecretLogin(secrets_manager, secret)
