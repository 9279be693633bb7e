"""The `opensearch` dialect: indexes of OpenSearch over MCP and REST, each collection one index.

Wire format: OpenSearch's page "MCP Streamable HTTP Server API", and what a node with that server answers.
"""

from functools import partial
from typing import TYPE_CHECKING, Final

from groundwire.dialects.declaration.dialect import Dialect, DialectTool, McpEndpoint
from groundwire.dialects.declaration.routes import ErrorReply, RestRoute
from groundwire.dialects.declaration.services import DialectServices
from groundwire.domain.access.scopes import Scope

if TYPE_CHECKING:
    from groundwire.dialects.declaration.replay import RestReplay
    from groundwire.dialects.declaration.routes import RestHandler
    from groundwire.services.call_context import CallContext
    from groundwire_mcp.definitions.server import ServerDefinition, ServerDependencies
    from groundwire_mcp.definitions.tools import Tool
    from groundwire_mcp.transport.http import HttpRequest, HttpResponse

_MCP: Final = "/_plugins/_ml/mcp"
_PLUGINS: Final = "/_plugins/{proxy+}"
_SETTINGS: Final = "/_cluster/settings"
_ENGINE: Final = "/opensearch"
_ENGINE_PATHS: Final = f"{_ENGINE}/{{proxy+}}"
_ADMIN: Final = frozenset({Scope.ADMIN})
_SEARCH: Final = frozenset({Scope.SEARCH})
_ANY: Final = _SEARCH | _ADMIN


def _data_tool(name: str, services: DialectServices) -> "Tool[CallContext]":
    from groundwire.dialects.opensearch.tools.registered import declared_tool
    from groundwire.dialects.opensearch.tools.types import TOOL_TYPES

    return declared_tool(TOOL_TYPES[name], services)


def _serve_mcp(
    definition: "ServerDefinition[CallContext]",
    dependencies: "ServerDependencies[CallContext]",
    services: DialectServices,
) -> McpEndpoint:
    from groundwire.dialects.opensearch.mcp.endpoint import StatelessMcpEndpoint

    return StatelessMcpEndpoint(definition, dependencies, services)


def _plugins(services: DialectServices) -> "RestHandler":
    from groundwire.dialects.opensearch.rest.plugin_routes import PluginRoutes

    return PluginRoutes(services)


def _settings(_services: DialectServices) -> "RestHandler":
    from groundwire.dialects.opensearch.rest.cluster_settings import put_settings

    return put_settings


def _engine(services: DialectServices) -> "RestHandler":
    from groundwire.dialects.opensearch.rest.engine_routes import EngineRoutes

    return EngineRoutes(services)


def _refuse(request: "HttpRequest", reply: ErrorReply) -> "HttpResponse":
    if request.path == _MCP:
        from groundwire.dialects.opensearch.mcp.endpoint import refused_mcp_response

        return refused_mcp_response(request, reply)
    from groundwire.dialects.opensearch.errors import refused_response
    from groundwire.dialects.opensearch.http_rules import with_version

    # opensearch-mcp-server-py can send its key as the password of HTTP Basic.
    takes_basic = request.path.startswith(_ENGINE)
    return with_version(refused_response(reply, takes_basic=takes_basic))


def _replay() -> "RestReplay":
    from groundwire.dialects.opensearch.replay import REPLAY

    return REPLAY


def _declared(name: str, *, is_listed: bool = False) -> DialectTool:
    return DialectTool(name, Scope.SEARCH, partial(_data_tool, name), is_listed)


def _plugin_route(method: str, path: str, scopes: frozenset[Scope]) -> RestRoute:
    # All methods: another one is answered in the engine's form.
    return RestRoute("ANY", path, scopes, _plugins, gateway_keys=(f"ANY {_PLUGINS}",), forms=(f"{method} {path}",))


def _settings_route(prefix: str = "", gateway_keys: tuple[str, ...] = ()) -> RestRoute:
    path = f"{prefix}{_SETTINGS}"
    forms = (f"PUT {path}",)
    return RestRoute("ANY", path, _ADMIN, _settings, gateway_keys, forms, takes_basic=bool(prefix))


def _engine_route(path: str, *forms: str) -> RestRoute:
    return RestRoute("ANY", path, _SEARCH, _engine, forms=forms, takes_basic=True)


def _engine_forms() -> tuple[str, ...]:
    """Return the operations under the prefix, each once."""
    read = ("_cat/indices", "_cat/shards", "_cluster/health")
    requested = ("_search", "_count", "_msearch")
    index = f"{_ENGINE}/{{index}}"
    return (
        *(f"GET {_ENGINE}/{each}{names}" for each in read for names in ("", "/{index}")),
        *(f"GET {path}" for path in (index, f"{index}/_mapping", f"{_ENGINE}/_mapping")),
        f"HEAD {index}",
        f"GET {_ENGINE}/_resolve/index/{{index}}",
        *(f"{method} {path}/{each}" for each in requested for path in (_ENGINE, index) for method in ("GET", "POST")),
    )


OPENSEARCH: Final = Dialect(
    name="opensearch",
    tools=(
        _declared("ListIndexTool", is_listed=True),
        _declared("IndexMappingTool"),
        _declared("SearchIndexTool"),
        _declared("VectorDBTool"),
        _declared("CountTool"),
    ),
    mcp_paths=(_MCP,),
    rest_routes=(
        _plugin_route("GET", f"{_MCP}/tools/_list", _ADMIN),
        _plugin_route("POST", f"{_MCP}/tools/_register", _ADMIN),
        _plugin_route("POST", f"{_MCP}/tools/_update", _ADMIN),
        _plugin_route("POST", f"{_MCP}/tools/_remove", _ADMIN),
        _plugin_route("GET", "/_plugins/_ml/tools", _ANY),
        _plugin_route("GET", "/_plugins/_ml/tools/{name}", _ANY),
        RestRoute("ANY", _PLUGINS, _ANY, _plugins, forms=(f"POST {_PLUGINS}",)),
        _settings_route(),
        _settings_route(_ENGINE, (f"ANY {_ENGINE_PATHS}",)),
        # A gateway's route with `{proxy+}` does not match the prefix alone.
        _engine_route(_ENGINE, f"GET {_ENGINE}", f"HEAD {_ENGINE}"),
        _engine_route(_ENGINE_PATHS, *_engine_forms()),
    ),
    serve_mcp=_serve_mcp,
    credential_header="authorization",
    error_form=_refuse,
    keeps_sessions=False,
    is_on_by_default=True,
    replay=_replay,
)
"""Tools other than `ListIndexTool` can be called once they are registered."""
