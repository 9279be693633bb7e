"""Routes under `/_plugins`: administration of tools, and the list of their types."""

from collections.abc import Callable, Mapping
from functools import partial
from http import HTTPStatus
from typing import TYPE_CHECKING, Final, NamedTuple
from urllib.parse import quote

from groundwire.dialects.opensearch.errors import JSON_TYPE, NODE_ID, OpenSearchError
from groundwire.dialects.opensearch.http_rules import (
    answered,
    check_parameters,
    content_type_error,
    with_version,
    wrong_method_response,
)
from groundwire.dialects.opensearch.rest.json_bodies import read_json
from groundwire.dialects.opensearch.rest.tool_changes import ToolChanges
from groundwire.dialects.opensearch.tools.registrations import Registrations
from groundwire.dialects.opensearch.tools.types import TOOL_TYPES, ToolType
from groundwire.domain.keys.grants import ALL_COLLECTIONS
from groundwire_mcp.transport.http import HttpResponse, json_response

if TYPE_CHECKING:
    from groundwire.dialects.declaration.routes import RestRequest
    from groundwire.dialects.declaration.services import DialectServices
    from groundwire.services.call_context import CallContext

_TOOLS: Final = "/_plugins/_ml/mcp/tools/"
_TYPES: Final = "/_plugins/_ml/tools"
_MOST_PATH_CHARACTERS: Final = 256
_MOST_NAME_CHARACTERS: Final = 128

_Answer = Callable[["CallContext", "RestRequest"], object]


class _PluginRoute(NamedTuple):
    method: str
    answer: _Answer


class PluginRoutes:
    """Handler of all routes under `/_plugins`; what is not there is answered as the engine does."""

    def __init__(self, services: "DialectServices") -> None:
        self._registrations = Registrations(services)
        changes = ToolChanges(self._registrations)
        self._routes: Mapping[str, _PluginRoute] = {
            f"{_TOOLS}_list": _PluginRoute("GET", self._list),
            f"{_TOOLS}_register": _PluginRoute("POST", partial(_change, changes.register, "created")),
            f"{_TOOLS}_update": _PluginRoute("POST", partial(_change, changes.update, "updated")),
            f"{_TOOLS}_remove": _PluginRoute("POST", partial(_change, changes.remove, "removed")),
            _TYPES: _PluginRoute("GET", _list_types),
        }

    def __call__(self, call: "CallContext", request: "RestRequest") -> HttpResponse:
        """Return the answer; every error has the engine's form."""
        path = request.http.path
        route = self._routes.get(path)
        if route is None and path.startswith(f"{_TYPES}/"):
            route = _PluginRoute("GET", _find_type)
        if route is None:
            return no_handler_response(path, request.http.method)
        if request.http.method != route.method:
            return with_version(wrong_method_response(path, request.http.method, [route.method]))
        error = content_type_error(request.http)
        if error is not None:
            return with_version(error)
        return answered(call, partial(_answer, route.answer, call, request))

    def _list(self, call: "CallContext", _request: "RestRequest") -> object:
        _check_collections(call)
        # Before the first registration a node up to 3.5 fails; ML Commons 3.8 answers an empty list.
        return {"tools": [tool.to_json() for tool in self._registrations.find(call) or []]}


def no_handler_response(path: str, method: str) -> HttpResponse:
    """Return the response to a path that the engine does not have."""
    shown = quote(path[:_MOST_PATH_CHARACTERS])
    payload = {"error": f"no handler found for uri [{shown}] and method [{method}]"}
    return with_version(json_response(HTTPStatus.BAD_REQUEST, payload, {"content-type": JSON_TYPE}))


def _answer(answer: _Answer, call: "CallContext", request: "RestRequest") -> HttpResponse:
    check_parameters(request.http.path, request.query)
    return json_response(HTTPStatus.OK, answer(call, request), {"content-type": JSON_TYPE})


def _change(
    change: "Callable[[CallContext, object], None]", done: str, call: "CallContext", request: "RestRequest"
) -> object:
    _check_collections(call)
    change(call, read_json(request.http.body))
    return {NODE_ID: {done: True}}


def _check_collections(call: "CallContext") -> None:
    """Check that the key is for all collections, as registered tools are, whose presets name collections.

    Raises:
        OpenSearchError: it is for some.
    """
    if call.caller.collections != ALL_COLLECTIONS:
        reason = "no permissions for the registered tools: use a key for every collection, to which tools apply"
        raise OpenSearchError(HTTPStatus.FORBIDDEN, "security_exception", reason)


def _list_types(_call: "CallContext", _request: "RestRequest") -> object:
    return [_described(each) for each in TOOL_TYPES.values()]


def _find_type(_call: "CallContext", request: "RestRequest") -> object:
    name = request.http.path.removeprefix(f"{_TYPES}/")
    found = TOOL_TYPES.get(name)
    if found is None:
        shown = name[:_MOST_NAME_CHARACTERS]
        reason = f"Failed to find tool information with the provided tool name: {shown}"
        raise OpenSearchError(HTTPStatus.NOT_FOUND, "status_exception", reason)
    return _described(found)


def _described(tool_type: ToolType) -> Mapping[str, object]:
    return {"name": tool_type.name, "type": tool_type.name, "description": tool_type.description}
