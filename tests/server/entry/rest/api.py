"""A client of the REST API that holds every answer against the API's own specification."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlencode

from jsonschema import Draft202012Validator

from groundwire.domain.access.scopes import Scope
from groundwire.domain.keys.grants import ALL_COLLECTIONS, CollectionGrant, KeyKind
from groundwire.domain.keys.options import USUAL_OPTIONS, KeyOptions
from groundwire.domain.limits import MAX_BURST, MAX_RATE_PER_MINUTE
from groundwire.entry.gateway.dispatch import Dispatcher, RouteTable
from groundwire.entry.gateway.events import GatewayRequest
from groundwire.entry.gateway.template import FunctionSpec, RouteSpec
from groundwire.entry.http.event_paths import plain_path
from groundwire.entry.rest.openapi.document import openapi_document
from groundwire.services.keys.admin import KeySpec, KeyWithSecret
from tests.support.aws.template.routes import deployed_routes
from tests.support.worlds.world import World

JSON: Final = "application/json"
OPENAPI: Final = openapi_document("http://127.0.0.1:8080")
_OPERATIONS: Final = [
    f"{method.upper()} {path}" for path, operations in OPENAPI["paths"].items() for method in operations
]


@dataclass(frozen=True, slots=True)
class Reply:
    """Response of the REST API."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)

    @property
    def code(self) -> str:
        """Return the code of an error response."""
        return str(self.json["error"]["code"])


@dataclass(frozen=True, slots=True)
class Api:
    """The API as one key's holder sees it."""

    headers: Mapping[str, str]

    def get(self, path: str, **query: object) -> Reply:
        return self.send("GET", path, b"", urlencode(query))

    def delete(self, path: str) -> Reply:
        return self.send("DELETE", path, b"")

    def put(self, path: str, **body: object) -> Reply:
        return self.send("PUT", path, json.dumps(body).encode())

    def post(self, path: str, **body: object) -> Reply:
        return self.send("POST", path, json.dumps(body).encode())

    def patch(self, path: str, **body: object) -> Reply:
        return self.send("PATCH", path, json.dumps(body).encode())

    def send(self, method: str, path: str, body: bytes, query: str = "", content_type: str = JSON) -> Reply:
        """Send any request; check the answer against the specification, and return it."""
        sent = (("host", "127.0.0.1:8080"), ("content-type", content_type), *self.headers.items())
        response = dispatcher().answer(GatewayRequest(method, path, query, sent, body, "127.0.0.1"))
        reply = Reply(response.status, dict(response.headers), response.body)
        check(method, path, reply)
        return reply

    def stating(self, **headers: str) -> "Api":
        """The same with further headers."""
        return Api({**self.headers, **{name.replace("_", "-"): value for name, value in headers.items()}})


@cache
def dispatcher() -> Dispatcher:
    return Dispatcher(deployed_routes())


def check(method: str, path: str, reply: Reply) -> None:
    """Fails for an answer that the specification does not know."""
    match = _routes().match(method, plain_path(path))
    operation: dict[str, Any] = {} if match is None else _operation(match.route.key)
    described = operation.get("responses", {})
    assert reply.headers["cache-control"] == "no-store"
    if reply.status < 400 and (kind := reply.headers["content-type"].partition(";")[0]) != JSON:
        assert kind in described[str(reply.status)]["content"], f"{method} {path}: {kind}"
        return
    assert not operation or reply.status == 405 or str(reply.status) in described, f"{method} {path}: {reply.status}"
    schema = {"$ref": "#/components/schemas/ErrorAnswer"}
    if reply.status < 400:
        schema = described[str(reply.status)]["content"][JSON]["schema"]
    assert reply.headers["content-type"] == JSON, reply
    Draft202012Validator({**schema, "components": OPENAPI["components"]}).validate(reply.json)


def key(
    world: World,
    tenant: str,
    *scopes: Scope,
    user: str = "olga",
    tags: frozenset[str] = frozenset(),
    collections: CollectionGrant = ALL_COLLECTIONS,
    options: KeyOptions = USUAL_OPTIONS,
) -> KeyWithSecret:
    """A personal key with these scopes."""
    order = KeySpec(
        tenant=tenant,
        name="owner",
        kind=KeyKind.PERSONAL,
        user=user,
        tags=tags,
        max_tags=(),
        scopes=frozenset(scopes),
        collections=collections,
        options=options,
        rate_per_minute=MAX_RATE_PER_MINUTE,
        burst=MAX_BURST,
    )
    return world.services.administration.key_admin.create(order)


def api(issued: KeyWithSecret) -> Api:
    """For the holder of this key."""
    return Api({"authorization": f"Bearer {issued.secret.reveal()}"})


@cache
def _routes() -> RouteTable:
    nothing = FunctionSpec("", Path(), "", 0, 0)
    routes = [operation.replace("/{user}", "/{user+}") for operation in _OPERATIONS]
    return RouteTable([RouteSpec(route, nothing, None, {}) for route in routes])


def _operation(route: str) -> dict[str, Any]:
    method, _, path = route.replace("/{user+}", "/{user}").partition(" ")
    return OPENAPI["paths"][path][method.lower()]
