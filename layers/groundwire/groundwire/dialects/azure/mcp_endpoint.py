"""MCP server of a knowledge base: JSON for clients that accept it, else one event, and no handshake is needed."""

from http import HTTPStatus
from typing import TYPE_CHECKING, Final

from groundwire.dialects.azure.resource_paths import parse_path
from groundwire.dialects.router import mcp_error_response
from groundwire.protocol.jsonrpc.errors import ResultCode
from groundwire.protocol.server import McpServer
from groundwire.protocol.transport.exchanges import McpResponse
from groundwire.protocol.transport.http import HttpResponse, json_response

if TYPE_CHECKING:
    from groundwire.dialects.declaration.routes import ErrorReply
    from groundwire.protocol.definitions.server import ServerDefinition, ServerDependencies
    from groundwire.protocol.transport.http import HttpRequest
    from groundwire.services.call_context import CallContext

_JSON: Final = "application/json"
_ANYTHING: Final = "application/json, text/event-stream"
_EVENT_HEADERS: Final = {"content-type": "text/event-stream", "x-accel-buffering": "no"}


class KnowledgeBaseEndpoint:
    """Server behind the MCP routes of all knowledge bases; the path names the one that a tool searches."""

    def __init__(
        self, definition: "ServerDefinition[CallContext]", dependencies: "ServerDependencies[CallContext]"
    ) -> None:
        self._server = McpServer(definition, dependencies)

    def handle(self, request: "HttpRequest", caller: "CallContext") -> McpResponse:
        """Return the answer to the request of an admitted caller."""
        if parse_path(request.path) is None:
            return McpResponse(_no_route_response(), ResultCode.UNKNOWN_PATH, None, None, None)
        if _JSON in request.headers.get("accept", "").lower():
            return self._server.handle(request, caller)
        # Public callers send no `Accept` at all and read an event stream.
        answer = self._server.handle(request._replace(headers={**request.headers, "accept": _ANYTHING}), caller)
        return answer._replace(response=_as_event_stream(answer.response))


def refused_mcp_response(request: "HttpRequest", reply: "ErrorReply") -> HttpResponse:
    """Return the response to a call that was refused before the server got it."""
    return _no_route_response() if parse_path(request.path) is None else mcp_error_response(request, reply)


def _no_route_response() -> HttpResponse:
    """Return the gateway's own response to a path without a route."""
    return json_response(HTTPStatus.NOT_FOUND, {"message": "Not Found"})


def _as_event_stream(response: HttpResponse) -> HttpResponse:
    """Return the JSON of a successful response as the only event of a stream."""
    if response.status != HTTPStatus.OK or not response.headers.get("content-type", "").startswith(_JSON):
        return response
    body = b"event: message\ndata: " + response.body + b"\n\n"
    return HttpResponse(response.status, {**response.headers, **_EVENT_HEADERS}, body)
