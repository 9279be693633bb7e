"""MCP server of a knowledge base: JSON for clients that accept it, else one event, and no handshake is needed."""

from http import HTTPStatus
from typing import TYPE_CHECKING, Final

from groundwire.dialects.azure.errors import AzureError
from groundwire.dialects.azure.requests.resource_paths import parse_path
from groundwire.dialects.azure.requests.user_tokens import refuse_unread_token
from groundwire.dialects.azure.versions import KNOWLEDGE_BASES, ApiVersion, read_version
from groundwire.dialects.router import mcp_error_response
from groundwire_mcp.jsonrpc.errors import ERROR_CODES, ResultCode
from groundwire_mcp.server import McpServer
from groundwire_mcp.transport.exchanges import McpResponse
from groundwire_mcp.transport.http import HttpResponse, error_response, no_route_response

if TYPE_CHECKING:
    from groundwire.dialects.declaration.routes import ErrorReply
    from groundwire.services.call_context import CallContext
    from groundwire_mcp.definitions.server import ServerDefinition, ServerDependencies
    from groundwire_mcp.transport.http import HttpRequest

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
            return McpResponse(no_route_response(), ResultCode.UNKNOWN_PATH, None, None, None)
        unread = refuse_unread_token(request, caller.caller)
        if unread is not None:
            return McpResponse(mcp_error_response(request, unread), ResultCode.NOT_ADMITTED, None, None, None)
        try:
            read_version(request.query, KNOWLEDGE_BASES, "knowledgebases", default=ApiVersion.APRIL_2026)
        except AzureError as error:
            return McpResponse(_bad_version_response(request, error), ResultCode.INVALID_REQUEST, None, None, None)
        if _JSON in request.headers.get("accept", "").lower():
            return self._server.handle(request, caller)
        # Public callers send no `Accept` at all and read an event stream.
        answer = self._server.handle(request._replace(headers={**request.headers, "accept": _ANYTHING}), caller)
        return answer._replace(response=_as_event_stream(answer.response))


def refused_mcp_response(request: "HttpRequest", reply: "ErrorReply") -> HttpResponse:
    """Return the response to a call that was refused before the server got it."""
    return no_route_response() if parse_path(request.path) is None else mcp_error_response(request, reply)


def _bad_version_response(request: "HttpRequest", error: AzureError) -> HttpResponse:
    code, status = ERROR_CODES[ResultCode.INVALID_REQUEST]
    return error_response(request, status, code, str(error))


def _as_event_stream(response: HttpResponse) -> HttpResponse:
    """Return the JSON of a successful response as the only event of a stream."""
    if response.status != HTTPStatus.OK or not response.headers.get("content-type", "").startswith(_JSON):
        return response
    body = b"event: message\ndata: " + response.body + b"\n\n"
    return HttpResponse(response.status, {**response.headers, **_EVENT_HEADERS}, body)
