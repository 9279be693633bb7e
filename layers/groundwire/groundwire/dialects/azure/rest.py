"""REST routes: retrieval by agents and knowledge bases, and their definitions."""

from http import HTTPStatus
from typing import TYPE_CHECKING, Final

from groundwire.dialects.azure.agentic_search import Retrieval
from groundwire.dialects.azure.answers.response_headers import response_headers
from groundwire.dialects.azure.definitions.operations import DefinitionOperations
from groundwire.dialects.azure.errors import AzureError, error_response, from_domain_error, refused_response
from groundwire.dialects.azure.requests.json_body import JSON_TYPE, read_json
from groundwire.dialects.azure.requests.resource_paths import OPERATION_VERSIONS, Operation, ResourcePath, parse_path
from groundwire.dialects.azure.requests.retrieve_request import read_retrieve_request
from groundwire.dialects.azure.requests.user_tokens import refuse_unread_token
from groundwire.dialects.azure.targets import Targets
from groundwire.dialects.azure.versions import ApiVersion, read_version
from groundwire.domain.errors import DomainError
from groundwire_mcp.transport.http import HttpResponse, json_response, no_route_response

if TYPE_CHECKING:
    from groundwire.dialects.declaration.routes import RestRequest
    from groundwire.dialects.declaration.services import DialectServices
    from groundwire.services.call_context import CallContext

_EVENT_STREAM: Final = "text/event-stream"
_MILLISECONDS: Final = 1000


class AzureRest:
    """Handler of all REST routes of the dialect."""

    def __init__(self, services: "DialectServices") -> None:
        self._services = services
        self._targets = Targets(services)
        self._retrieve = Retrieval(services)
        self._definitions = DefinitionOperations(services)

    def __call__(self, call: "CallContext", request: "RestRequest") -> HttpResponse:
        """Return the answer; every error has Azure's form."""
        clock = self._services.reading.clock
        started_at = clock()
        try:
            unread = refuse_unread_token(request.http, call.caller)
            response = self._answer(call, request) if unread is None else refused_response(unread, request.http.headers)
        except AzureError as error:
            response = error_response(error)
        except DomainError as error:
            response = error_response(from_domain_error(call, error))
        elapsed_ms = max(0, round((clock() - started_at) * _MILLISECONDS))
        return response._replace(headers={**response.headers, **response_headers(request.http.headers, elapsed_ms)})

    def _answer(self, call: "CallContext", request: "RestRequest") -> HttpResponse:
        path = parse_path(request.http.path)
        if path is None:
            # As the gateway answers a path without a route.
            return no_route_response()
        served = path.kind.versions if path.operation is None else OPERATION_VERSIONS.get(path.operation)
        version = read_version(request.query, served or path.kind.versions, path.kind.value)
        if path.operation is Operation.RETRIEVE:
            return self._answer_retrieve(call, request, path, version)
        if path.operation is Operation.MCP:
            raise AzureError(HTTPStatus.METHOD_NOT_ALLOWED, "This server does not support this method here.")
        return self._definitions(call, request.http, path, version)

    def _answer_retrieve(
        self, call: "CallContext", request: "RestRequest", path: ResourcePath, version: ApiVersion
    ) -> HttpResponse:
        if request.http.method != "POST":
            raise AzureError(HTTPStatus.METHOD_NOT_ALLOWED, "Send a POST request to retrieve.")
        # Streams exist in 2026-08-01-preview alone, and a client that wants one cannot read JSON.
        if not _accepts_json(request.http.headers.get("accept", "")):
            raise AzureError(
                HTTPStatus.NOT_ACCEPTABLE, "This server does not stream retrieval: accept application/json."
            )
        body = read_json(request.http.body)
        target = self._targets.find(call, path, version)
        retrieve = read_retrieve_request(body, version, target.effort)
        found = self._retrieve(call, target, retrieve)
        return json_response(found.status, found.answer, {"content-type": JSON_TYPE})


def _accepts_json(accept: str) -> bool:
    """Return whether a client takes JSON: it names it, or takes anything."""
    types = [each.partition(";")[0].strip().lower() for each in accept.split(",") if each.strip()]
    return not types or any(each != _EVENT_STREAM for each in types)
