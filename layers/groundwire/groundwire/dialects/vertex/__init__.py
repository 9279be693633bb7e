"""The `vertex` dialect: contexts for clients of Vertex AI RAG Engine, over MCP and over Google's REST routes."""

from typing import TYPE_CHECKING, Final

from groundwire.dialects.declaration.dialect import Dialect, DialectTool, lazy_handler
from groundwire.dialects.declaration.routes import ErrorReply, RestRoute
from groundwire.dialects.declaration.services import DialectServices
from groundwire.domain.access.scopes import Scope

if TYPE_CHECKING:
    from groundwire.dialects.declaration.dialect import ToolHandler
    from groundwire.dialects.declaration.replay import RestReplay
    from groundwire.dialects.declaration.routes import RestHandler
    from groundwire.services.call_context import CallContext
    from groundwire_mcp.definitions.tools import Tool
    from groundwire_mcp.transport.http import HttpRequest, HttpResponse

# The tool's page has the first path, and the list of Google's servers the second.
_MCP_PATHS: Final = ("/mcp/generate", "/mcp/retrieval")
_FORMS: Final = (
    "POST {parent}:retrieveContexts",
    # `agentplatform` and ADK put a slash before the colon.
    "POST {parent}/:retrieveContexts",
    "GET {parent}/ragCorpora",
    "GET {parent}/ragCorpora/{corpus}",
    "GET {parent}/ragCorpora/{corpus}/ragFiles",
    "GET {parent}/ragCorpora/{corpus}/ragFiles/{file}",
)
_PARENT: Final = "projects/{project}/locations/{location}"


def _retrieve_contexts(services: DialectServices) -> "Tool[CallContext]":
    from groundwire.dialects.vertex.tool import retrieve_contexts_tool

    def build() -> "ToolHandler":
        from groundwire.dialects.vertex.context_search import ContextSearch
        from groundwire.dialects.vertex.tool import RetrieveContexts

        return RetrieveContexts(ContextSearch(services))

    return retrieve_contexts_tool(lazy_handler(build))


def _rest(services: DialectServices) -> "RestHandler":
    from groundwire.dialects.vertex.rest import VertexRest

    return VertexRest(services)


def _refuse(request: "HttpRequest", reply: ErrorReply) -> "HttpResponse":
    if request.path in _MCP_PATHS:
        from groundwire.dialects.router import mcp_error_response

        return mcp_error_response(request, reply)
    from groundwire.dialects.vertex.errors import refused_response

    return refused_response(reply)


def _forms_of(version: str) -> tuple[str, ...]:
    return tuple(form.replace("{parent}", f"/{version}/{_PARENT}") for form in _FORMS)


def _route(path: str, forms: tuple[str, ...]) -> RestRoute:
    return RestRoute("ANY", path, frozenset({Scope.SEARCH}), _rest, forms=forms)


def _replay() -> "RestReplay":
    from groundwire.dialects.vertex.replay import REPLAY

    return REPLAY


VERTEX: Final = Dialect(
    name="vertex",
    tools=(DialectTool("retrieve_contexts", Scope.SEARCH, _retrieve_contexts),),
    mcp_paths=_MCP_PATHS,
    rest_routes=(
        _route("/v1/projects/{proxy+}", _forms_of("v1")),
        # `agentplatform` names no parent where it has an API key and no project.
        _route("/v1beta1/{proxy+}", ("POST /v1beta1/:retrieveContexts", *_forms_of("v1beta1"))),
    ),
    credential_header="x-goog-api-key",
    error_form=_refuse,
    keeps_sessions=False,
    limits_are_results=True,
    is_on_by_default=True,
    replay=_replay,
)
