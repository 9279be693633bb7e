"""The examples of the OpenAPI document are what the server accepts and sends."""

from collections.abc import Mapping
from typing import Any, Final

import pytest
from jsonschema import Draft202012Validator
from openapi_spec_validator import OpenAPIV31SpecValidator

from groundwire.dialects import DIALECTS
from groundwire.domain.access.scopes import ROUTE_SCOPES, Scope
from groundwire.domain.keys.auth_decision import AuthDecision, AuthReason, AuthStatus
from groundwire.entry.http.auth_errors import auth_error_response
from groundwire.entry.rest.middleware.error_responses import FAILED_MESSAGE, UNAVAILABLE_MESSAGE
from groundwire.entry.rest.openapi.document import dialects_document
from groundwire.entry.rest.openapi.examples import ROUTE_EXAMPLES
from tests.server.entry.rest.api import JSON, OPENAPI, Api, Reply, api, key
from tests.support.worlds.world import World

OPERATIONS: Final[Mapping[str, Mapping[str, Any]]] = {
    f"{method.upper()} {path}": operation
    for path, operations in OPENAPI["paths"].items()
    for method, operation in operations.items()
}
SENT: Final = (
    "PUT /v1/collections/{name}",
    "PUT /v1/users/{user}",
    "PATCH /v1/users/{user}",
    "GET /v1/users",
    "DELETE /v1/users/{user}",
    "POST /v1/users/block",
    "GET /v1/users/blocked",
    "POST /v1/users/unblock",
    "POST /v1/users/offboard",
    "POST /v1/keys",
    "POST /v1/uploads",
    "GET /v1/documents",
    "POST /v1/search",
    "POST /v1/search/dialects",
    "GET /v1/keys/policy-tags",
    "GET /v1/status",
    "GET /v1/doctor",
    "GET /v1/audit",
    "GET /v1/audit/verify",
    "GET /v1/audit/callers",
    "GET /v1/usage",
    "GET /v1/whoami",
    "GET /v1/evaluations",
    "GET /v1/ingestions",
    "GET /v1/collections",
    "GET /v1/collections/{name}/proposal",
    "DELETE /v1/collections/{name}",
)
"""Routes whose example a new tenant can send, in this order."""


def valid(schema: Mapping[str, Any], value: object) -> None:
    Draft202012Validator({**schema, "components": OPENAPI["components"]}).validate(value)


def send(api: Api, route: str) -> Reply:
    path, request, _ = ROUTE_EXAMPLES[route]
    place, _, query = path.partition("?")
    if request is None:
        return api.send(route.partition(" ")[0], place, b"", query)
    return {"PUT": api.put, "PATCH": api.patch, "POST": api.post}[route.partition(" ")[0]](path, **request)


def test_both_documents_are_valid_and_no_path_is_in_both() -> None:
    dialects = dialects_document("http://127.0.0.1:8080", DIALECTS)
    for document in (OPENAPI, dialects):
        OpenAPIV31SpecValidator(document).validate()
    assert not OPENAPI["paths"].keys() & dialects["paths"].keys()
    assert {tag for path in dialects["paths"].values() for each in path.values() for tag in each["tags"]} == {
        dialect.name for dialect in DIALECTS if dialect.rest_routes
    }


def test_every_route_has_an_example() -> None:
    assert ROUTE_EXAMPLES.keys() == ROUTE_SCOPES.keys() == OPERATIONS.keys()


@pytest.mark.parametrize("route", OPERATIONS)
def test_every_example_of_the_document_fits_its_schema(route: str) -> None:
    bodies = [response["content"][JSON] for response in OPERATIONS[route]["responses"].values()]
    if "requestBody" in OPERATIONS[route]:
        bodies.append(OPERATIONS[route]["requestBody"]["content"][JSON])
    with_example = [body for body in bodies if "example" in body]
    assert len(bodies) - len(with_example) == 1, "only the unnamed other errors have no example"
    for body in with_example:
        valid(body["schema"], body["example"])


def test_the_server_accepts_the_examples_and_answers_with_the_same_members(admin: Api) -> None:
    for route in SENT:
        reply = send(admin, route)
        assert reply.status in (200, 201), (route, reply.json)
        assert reply.json.keys() == ROUTE_EXAMPLES[route].answer.keys(), route


def test_an_example_of_an_error_is_what_the_server_sends(admin: Api, world: World, tenant: str) -> None:
    assert admin.get("/v1/documents/handbook-2025").json == error_example(404)
    assert admin.post("/v1/search", phrases=["leave"], top_n=21).json == error_example(400)
    assert api(key(world, tenant, Scope.SEARCH)).get("/v1/keys").json == error_example(403)
    assert Api({}).get("/v1/keys").json == error_example(401)


def test_an_example_of_a_failure_is_the_message_that_the_server_has_for_it() -> None:
    assert error_example(500)["error"]["message"] == FAILED_MESSAGE
    assert error_example(503)["error"]["message"] == UNAVAILABLE_MESSAGE
    over_limit = auth_error_response(AuthDecision(AuthStatus.OVER_LIMIT, AuthReason.KEY_RATE))
    assert error_example(429)["error"]["message"] == over_limit.message


def error_example(status: int) -> dict[str, Any]:
    operation = OPERATIONS["GET /v1/documents/{doc_id}"]
    return operation["responses"][str(status)]["content"][JSON]["example"]


def test_every_error_status_of_a_route_is_described() -> None:
    for operation in OPERATIONS.values():
        assert {"400", "401", "403", "429", "500", "503"} <= operation["responses"].keys()
