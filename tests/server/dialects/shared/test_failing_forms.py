"""A dialect whose forms and handlers fail: each call has an answer and an audit line."""

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest
from fastapi import FastAPI
from starlette.routing import Route

from groundwire.dialects import DIALECTS
from groundwire.dialects.declaration.routes import ErrorReply, RestHandler, RestRequest
from groundwire.dialects.declaration.services import DialectServices
from groundwire.domain.errors import DomainError, InvalidInput, Unavailable
from groundwire.entry.rest.middleware.dialect_routes import add_dialect_routes
from groundwire.services.call_context import CallContext
from groundwire_mcp.transport.http import HttpRequest, HttpResponse, json_response
from tests.server.dialects.shared.conftest import ToyWorld
from tests.server.dialects.shared.test_toy import JSON, ask, key
from tests.server.dialects.shared.toy import TOY

DEEP = b"[" * 100_000


def _fail(_request: HttpRequest, _reply: ErrorReply) -> HttpResponse:
    raise ZeroDivisionError


def _serve(world: ToyWorld, handler: RestHandler, **more: Any) -> None:
    def build(_services: DialectServices) -> RestHandler:
        return handler

    routes = tuple(route._replace(build=build) for route in TOY.rest_routes)
    world.switch_on("toy", "default", known=(*DIALECTS, replace(TOY, rest_routes=routes, **more)))


def _audited(world: ToyWorld) -> list[Mapping[str, object]]:
    return [dict(record) for record in world.services.stores.audit.read(1_000)]


def _status(number: int, body: bytes) -> RestHandler:
    def handle(_call: CallContext, _request: RestRequest) -> HttpResponse:
        return HttpResponse(number, {"content-type": "application/json"}, body)

    return handle


@pytest.mark.parametrize(("path", "forbidden_status"), [("/toy/mcp", 200), ("/toy/upper/retrieve", 403)])
def test_a_form_that_fails_leaves_the_answer_and_the_audit_line(
    world: ToyWorld, path: str, forbidden_status: int
) -> None:
    # On MCP the answer to the forbidden key is an internal error, which JSON-RPC sends with 200.
    _serve(world, _status(200, b"{}"), error_form=_fail)
    forbidden = key(world, dialects=frozenset({"default"}))
    for headers, status in ((JSON, 401), (forbidden, forbidden_status)):
        before = len(_audited(world))
        answer = world.request("POST", path, headers, b"{}")
        assert "error" in answer.payload
        assert answer.status == status
        assert len(_audited(world)) == before + 1


@pytest.mark.parametrize("body", [DEEP, b'{"error":{"code":{"a":1}}}', b'{"error":{"code":"' + b"x" * 65 + b'"}}'])
def test_an_error_body_of_a_dialect_never_gets_into_the_outcome(world: ToyWorld, body: bytes) -> None:
    _serve(world, _status(418, body))
    answer = world.request("POST", "/toy/upper/retrieve", key(world), b"oil")
    assert answer.status == 418
    assert _audited(world)[-1]["outcome"] == "418"


@pytest.mark.parametrize(
    ("error", "status"), [(Unavailable("/var/secret", retry_after_s=7), 503), (InvalidInput("No."), 400)]
)
def test_an_error_of_a_handler_has_the_form_of_its_dialect(world: ToyWorld, error: DomainError, status: int) -> None:
    def handle(_call: CallContext, _request: RestRequest) -> HttpResponse:
        raise error

    _serve(world, handle)
    answer = world.request("POST", "/toy/upper/retrieve", key(world), b"oil")
    assert (answer.status, list(answer.payload)) == (status, ["toy_says"])
    assert "secret" not in json.dumps(answer.payload)


@pytest.mark.parametrize(("sent", "path_segment"), [("a%0Ab", "a\nb"), ("%3F", "?")])
def test_a_handler_reads_the_path_by_which_its_route_was_found(world: ToyWorld, sent: str, path_segment: str) -> None:
    def handle(_call: CallContext, request: RestRequest) -> HttpResponse:
        return json_response(200, {"path": request.http.path, "shelf": request.path_parameters["shelf"]})

    _serve(world, handle)
    answer = world.request("POST", f"/toy/{sent}/retrieve", key(world), b"oil")
    assert answer.payload == {"path": f"/toy/{path_segment}/retrieve", "shelf": path_segment}


def test_a_path_pattern_never_covers_the_shared_path(world: ToyWorld) -> None:
    greedy = replace(TOY, mcp_paths=("/{any}",), allows_open_discovery=True)
    world.switch_on("toy", "default", known=(*DIALECTS, greedy), open_discovery="toy")
    assert ask(world, "/mcp", JSON, "tools/list").status == 401
    assert ask(world, "/mcp", JSON, "tools/list").payload["error"]["message"].startswith("A valid API key")


def test_a_head_request_to_a_get_route_is_refused(world: ToyWorld) -> None:
    readable = tuple(route._replace(method="GET") for route in TOY.rest_routes)
    app = FastAPI()
    add_dialect_routes(app, [replace(TOY, rest_routes=readable)], world.services.agents.dialect_services)
    [added] = [route for route in app.router.routes if isinstance(route, Route) and route.path == readable[0].path]
    assert added.methods == {"GET"}


def test_a_server_does_not_start_with_an_unknown_dialect(world: ToyWorld, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GROUNDWIRE_DIALECTS", "defualt")
    world.reopen()
    with pytest.raises(InvalidInput, match="defualt"):
        world.services.upkeep.warm()
