"""HTTP of the MCP server: one message in, one JSON object out, no session, no event stream."""

from http import HTTPStatus
from typing import TYPE_CHECKING, Final

from groundwire.dialects.opensearch.errors import OpenSearchError, error_response
from groundwire.dialects.opensearch.http_rules import (
    check_parameters,
    content_type_error,
    with_version,
    wrong_method_response,
)
from groundwire.dialects.opensearch.mcp.messages import McpCallError, McpRequest, call_error_message, read_message
from groundwire.dialects.opensearch.mcp.methods import McpMethods, MethodAnswer
from groundwire.dialects.opensearch.tools.registered import RegisteredTools
from groundwire_mcp.jsonrpc.errors import ProtocolError, ResultCode
from groundwire_mcp.jsonrpc.messages import error_message, result_message
from groundwire_mcp.limits import MAX_BODY_BYTES
from groundwire_mcp.transport.exchanges import McpResponse, MessageInfo, message_info_from_body
from groundwire_mcp.transport.http import HttpResponse, json_response
from groundwire_mcp.transport.request_checks import check_origin

if TYPE_CHECKING:
    from groundwire.dialects.declaration.routes import ErrorReply
    from groundwire.dialects.declaration.services import DialectServices
    from groundwire.services.call_context import CallContext
    from groundwire_mcp.definitions.server import ServerDefinition, ServerDependencies
    from groundwire_mcp.transport.http import HttpRequest

_ALLOWED_METHODS: Final = ("POST", "GET")


class StatelessMcpEndpoint:
    """Server behind the dialect's MCP route."""

    def __init__(
        self,
        definition: "ServerDefinition[CallContext]",
        dependencies: "ServerDependencies[CallContext]",
        services: "DialectServices",
    ) -> None:
        self._allowed_origins = dependencies.allowed_origins
        registered = RegisteredTools(services, definition.tools)
        self._methods = McpMethods(registered.list_tools, dependencies.missing_scope)

    def handle(self, request: "HttpRequest", caller: "CallContext") -> McpResponse:
        """Return the answer to the request of an admitted caller."""
        answer = self._handle(request, caller)
        return answer._replace(response=with_version(answer.response))

    def _handle(self, request: "HttpRequest", caller: "CallContext") -> McpResponse:
        info = message_info_from_body(request.body)
        try:
            # A node ignores `Origin`; pages in a browser must not reach a local server by DNS rebinding.
            check_origin(request, self._allowed_origins)
        except ProtocolError as error:
            return _refusal(MessageInfo(), error)
        if request.method != "POST":
            return _answer(info, _other_method(request), ResultCode.METHOD_NOT_ALLOWED)
        error = content_type_error(request)
        if error is not None:
            return _answer(info, error, ResultCode.WRONG_CONTENT_TYPE)
        try:
            check_parameters(request.path, request.query)
        except OpenSearchError as error:
            return _answer(info, error_response(error), ResultCode.INVALID_REQUEST)
        if len(request.body) > MAX_BODY_BYTES:
            reason = f"Invalid request: the body is over {MAX_BODY_BYTES} bytes."
            return _refusal(info, ProtocolError(ResultCode.TOO_LARGE, reason))
        return self._handle_message(request.body, caller, info)

    def _handle_message(self, body: bytes, caller: "CallContext", info: MessageInfo) -> McpResponse:
        try:
            message = read_message(body)
            if message is None:
                # A node takes any message without an id, `tools/list` too, for a notification.
                return _answer(info, HttpResponse(HTTPStatus.ACCEPTED, {}, b""), ResultCode.ACCEPTED)
            answer = self._methods.answer(caller, message)
        except McpCallError as error:
            # New clients fall back from `server/discover` to `initialize` at an error with status 200.
            response = json_response(HTTPStatus.OK, call_error_message(error, info.id))
            return _answer(info, response, error.result_code, error.tool)
        except ProtocolError as error:
            return _refusal(info, error)
        return _success(info, message, answer)


def refused_mcp_response(request: "HttpRequest", reply: "ErrorReply") -> HttpResponse:
    """Return the response to a call that was refused before the server got it.

    Its id is that of the message, or null: no version that a client names counts on this path.
    """
    # This system's clients repeat a 503 three times at once.
    is_away = reply.status == HTTPStatus.SERVICE_UNAVAILABLE
    status = HTTPStatus.TOO_MANY_REQUESTS if is_away else reply.status
    identifier = message_info_from_body(request.body).id
    payload = error_message(identifier, reply.code, reply.message, reply.data)
    return with_version(json_response(status, payload, reply.headers))


def _other_method(request: "HttpRequest") -> HttpResponse:
    if request.method == "GET":
        # A node answers GET without `Allow` and body, unlike other methods.
        return HttpResponse(HTTPStatus.METHOD_NOT_ALLOWED, {}, b"")
    response = wrong_method_response(request.path, request.method, _ALLOWED_METHODS)
    return response._replace(body=b"") if request.method == "HEAD" else response


def _success(info: MessageInfo, message: McpRequest, answer: MethodAnswer) -> McpResponse:
    response = json_response(HTTPStatus.OK, result_message(message.id, answer.result))
    return _answer(info, response, ResultCode.ANSWERED, answer.tool)


def _refusal(info: MessageInfo, error: ProtocolError) -> McpResponse:
    payload = error_message(info.id, error.code, str(error), error.data)
    return _answer(info, json_response(error.status, payload, error.headers), error.result_code, error.tool)


def _answer(info: MessageInfo, response: HttpResponse, result: ResultCode, tool: str | None = None) -> McpResponse:
    return McpResponse(response, result, info.method, tool, info.traceparent)
