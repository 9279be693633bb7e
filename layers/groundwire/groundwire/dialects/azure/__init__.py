"""The `azure` dialect: agentic retrieval for clients of Azure AI Search's knowledge agents and knowledge bases."""

from typing import TYPE_CHECKING, Final

from groundwire.dialects.declaration.dialect import Dialect, DialectTool, McpEndpoint, lazy_handler
from groundwire.dialects.declaration.routes import ErrorReply, RestRoute
from groundwire.dialects.declaration.services import DialectServices
from groundwire.domain.access.call_headers import USER_TOKEN_HEADER
from groundwire.domain.access.scopes import Scope

if TYPE_CHECKING:
    from groundwire.dialects.declaration.dialect import ToolHandler
    from groundwire.dialects.declaration.replay import Replay
    from groundwire.dialects.declaration.routes import RestHandler
    from groundwire.services.call_context import CallContext
    from groundwire_mcp.definitions.server import ServerDefinition, ServerDependencies
    from groundwire_mcp.definitions.tools import Tool
    from groundwire_mcp.transport.http import HttpRequest, HttpResponse

_MCP: Final = "/mcp"
_RESOURCE_KEY: Final = "ANY /{resource}"
_RETRIEVE_KEYS: Final = (_RESOURCE_KEY, "ANY /{resource}/retrieve")
_STATUS_KEYS: Final = (_RESOURCE_KEY, "ANY /{resource}/status")
_SCOPES: Final = frozenset({Scope.SEARCH, Scope.ADMIN})


def _rest(services: DialectServices) -> "RestHandler":
    from groundwire.dialects.azure.rest import AzureRest

    return AzureRest(services)


def _knowledge_base_retrieve(services: DialectServices) -> "Tool[CallContext]":
    from groundwire.dialects.azure.tool import knowledge_base_retrieve_tool

    def build() -> "ToolHandler":
        from groundwire.dialects.azure.tool import KnowledgeBaseRetrieve

        return KnowledgeBaseRetrieve(services)

    return knowledge_base_retrieve_tool(lazy_handler(build))


def _serve_mcp(
    definition: "ServerDefinition[CallContext]",
    dependencies: "ServerDependencies[CallContext]",
    _services: DialectServices,
) -> McpEndpoint:
    from groundwire.dialects.azure.mcp_endpoint import KnowledgeBaseEndpoint

    return KnowledgeBaseEndpoint(definition, dependencies)


def _refuse(request: "HttpRequest", reply: ErrorReply) -> "HttpResponse":
    if request.path.endswith(_MCP):
        from groundwire.dialects.azure.mcp_endpoint import refused_mcp_response

        return refused_mcp_response(request, reply)
    from groundwire.dialects.azure.answers.response_headers import response_headers
    from groundwire.dialects.azure.errors import refused_response

    response = refused_response(reply, request.headers)
    return response._replace(headers={**response.headers, **response_headers(request.headers)})


def _has_path(path: str) -> bool:
    from groundwire.dialects.azure.requests.resource_paths import parse_path

    return parse_path(path) is not None


def _route(path: str, *forms: str) -> RestRoute:
    return RestRoute("ANY", path, _SCOPES, _rest, forms=forms, has_path=_has_path)


def _single_forms(path: str) -> tuple[str, ...]:
    return tuple(f"{method} {path}" for method in ("GET", "PUT", "DELETE"))


def _routes(kind: str, operation: str, gateway_keys: tuple[str, ...]) -> tuple[RestRoute, ...]:
    """Return the routes of a kind: its list, names as a segment, and names in parentheses.

    The gateway covers the last by a parameter for the whole segment.
    """
    plain, quoted = f"{kind}/{{name}}", f"{kind}('{{name}}')"
    return (
        _route(kind, f"GET {kind}", f"POST {kind}"),
        _route(f"{kind}/{{proxy+}}", *_single_forms(plain), f"{operation.format(plain)}"),
        _route(f"{kind}({{proxy+}}", *_single_forms(quoted), f"{operation.format(quoted)}")._replace(
            gateway_keys=gateway_keys
        ),
    )


def _replay() -> "Replay":
    from groundwire.dialects.azure.replay import REPLAY

    return REPLAY


AZURE: Final = Dialect(
    name="azure",
    tools=(DialectTool("knowledge_base_retrieve", Scope.SEARCH, _knowledge_base_retrieve),),
    mcp_paths=("/knowledgebases/{name}/mcp", "/{resource}/mcp"),
    rest_routes=(
        *_routes("/agents", "POST {}/retrieve", _RETRIEVE_KEYS),
        *_routes("/knowledgebases", "POST {}/retrieve", _RETRIEVE_KEYS),
        *_routes("/knowledgesources", "GET {}/status", _STATUS_KEYS),
    ),
    serve_mcp=_serve_mcp,
    # Clients with a key credential send it in this header and not in `Authorization`.
    credential_header="api-key",
    user_token_header=USER_TOKEN_HEADER,
    error_form=_refuse,
    # Callers of a knowledge base's MCP server may call its tool without `initialize`.
    keeps_sessions=False,
    limits_are_results=True,
    is_on_by_default=True,
    replay=_replay,
)
