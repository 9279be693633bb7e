"""Operations on definitions over HTTP: methods, conditions and answers in Azure's form."""

from http import HTTPStatus
from typing import TYPE_CHECKING, Final
from urllib.parse import quote

from groundwire.dialects.azure.definitions.definition_view import JsonObject
from groundwire.dialects.azure.definitions.entity_tags import entity_tag, read_condition
from groundwire.dialects.azure.definitions.reader import DefinitionReader, DefinitionsOfKind
from groundwire.dialects.azure.definitions.writer import DefinitionChange, DefinitionWriter, check_may_write
from groundwire.dialects.azure.errors import AzureError
from groundwire.dialects.azure.requests.json_body import JSON_TYPE, read_json
from groundwire.dialects.azure.requests.resource_paths import Operation, ResourcePath
from groundwire_mcp.transport.http import HttpResponse, json_response

if TYPE_CHECKING:
    from groundwire.dialects.azure.versions import ApiVersion
    from groundwire.dialects.declaration.services import DialectServices
    from groundwire.services.call_context import CallContext
    from groundwire.services.definitions.admin import Definition, WrittenDefinition
    from groundwire_mcp.transport.http import HttpRequest

_REPRESENTATION: Final = "return=representation"
_MINIMAL: Final = "return=minimal"


class DefinitionOperations:
    """Handler of the routes without `retrieve` and `mcp`."""

    def __init__(self, services: "DialectServices") -> None:
        self._reader = DefinitionReader(services)
        self._writer = DefinitionWriter(services)

    def __call__(
        self, call: "CallContext", request: "HttpRequest", path: ResourcePath, version: "ApiVersion"
    ) -> HttpResponse:
        """Return the answer.

        Raises:
            AzureError: the request is wrong, not allowed, or names what does not exist.
        """
        wanted = DefinitionsOfKind(call, path.kind, version)
        if path.name is None:
            return self._answer_list(wanted, request)
        if path.operation is Operation.STATUS:
            _check_method(request, "GET")
            return json_response(HTTPStatus.OK, self._reader.find_status(call, path.name), {"content-type": JSON_TYPE})
        _check_method(request, "GET", "PUT", "DELETE")
        if request.method == "GET":
            view, found = self._reader.find(wanted, path.name)
            return _definition_response(wanted, HTTPStatus.OK, view, found)
        # Before the body is read: a key without the scope learns nothing about definitions.
        check_may_write(call)
        expected = read_condition(request.headers)
        if request.method == "DELETE":
            self._writer.delete(call, path.kind, path.name, expected)
            return _empty_response({})
        written = self._writer.put(wanted, DefinitionChange(path.name, read_json(request.body), expected))
        return self._written_response(wanted, written, _preference(request))

    def _answer_list(self, wanted: DefinitionsOfKind, request: "HttpRequest") -> HttpResponse:
        _check_method(request, "GET", "POST")
        if request.method == "GET":
            # Python clients ignore `@odata.nextLink`, so that the list is one page.
            body = {"@odata.context": f"$metadata#{wanted.kind}", "value": self._reader.list_all(wanted)}
            return json_response(HTTPStatus.OK, body, {"content-type": JSON_TYPE})
        check_may_write(wanted.call)
        written = self._writer.create(wanted, read_json(request.body))
        return self._written_response(wanted, written, None)

    def _written_response(
        self, wanted: DefinitionsOfKind, written: "WrittenDefinition", preference: str | None
    ) -> HttpResponse:
        """Return the answer to a change; without a preference it has the definition."""
        name, tag = written.definition.name, entity_tag(written.definition.tag)
        headers = {} if preference is None else {"preference-applied": preference}
        if written.is_new:
            headers["location"] = f"/{wanted.kind}('{quote(name)}')?api-version={wanted.version}"
        if preference == _MINIMAL:
            return _empty_response({**headers, "etag": tag})
        status = HTTPStatus.CREATED if written.is_new else HTTPStatus.OK
        view = self._reader.view(wanted, written.definition)
        return _definition_response(wanted, status, view, written.definition, headers)


def _definition_response(
    wanted: DefinitionsOfKind,
    status: int,
    view: JsonObject,
    definition: "Definition | None",
    headers: dict[str, str] | None = None,
) -> HttpResponse:
    body = {"@odata.context": f"$metadata#{wanted.kind}/$entity", **view}
    tag = {} if definition is None else {"etag": entity_tag(definition.tag)}
    return json_response(status, body, {"content-type": JSON_TYPE, **tag, **(headers or {})})


def _empty_response(headers: dict[str, str]) -> HttpResponse:
    return HttpResponse(HTTPStatus.NO_CONTENT, {"cache-control": "no-store", **headers}, b"")


def _preference(request: "HttpRequest") -> str | None:
    """Return what the client prefers to get back from a change; None where it names nothing known."""
    sent = {each.strip().lower().replace('"', "") for each in request.headers.get("prefer", "").split(",")}
    return next((each for each in (_REPRESENTATION, _MINIMAL) if each in sent), None)


def _check_method(request: "HttpRequest", *served: str) -> None:
    if request.method not in served:
        raise AzureError(
            HTTPStatus.METHOD_NOT_ALLOWED, f"This server does not support this method here: send {' or '.join(served)}."
        )
