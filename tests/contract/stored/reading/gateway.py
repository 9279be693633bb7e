"""Calls to a server, by its routes and authorizer, as API Gateway would hand them on."""

import json
from dataclasses import dataclass
from functools import cache
from typing import Any, Final, cast
from urllib.parse import urlencode

from groundwire.entry.gateway.dispatch import Dispatcher
from groundwire.entry.gateway.events import GatewayRequest, authorizer_event, function_event
from groundwire.entry.gateway.lambda_runtime import LocalLambdaContext, load_function
from groundwire.entry.gateway.template import RouteSpec, read_routes

from .sidecars import checkout

_NO_RUNTIME: Final = cast("LocalLambdaContext", None)
_JSON: Final = (("content-type", "application/json"), ("accept", "application/json, text/event-stream"))


@dataclass(frozen=True, slots=True)
class Reply:
    """Answer to a call."""

    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)


def ask(method: str, path: str, key: str | None = None, body: object = None, **headers: str) -> Reply:
    """The answer to a call with this key."""
    target, _, query = path.partition("?")
    response = _dispatcher().answer(
        GatewayRequest(method, target, query, _headers(key, headers), _content(body), "127.0.0.1")
    )
    return Reply(response.status, dict(response.headers), response.body)


def rest(method: str, path: str, key: str, body: object = None, **query: object) -> Any:
    """Return the answer of the API, which must not be an error."""
    reply = ask(method, f"{path}?{urlencode(query)}" if query else path, key, body)
    assert reply.status < 400, reply
    return reply.json


def mcp(key: str, method: str, params: object, **headers: str) -> Reply:
    """The answer to a message of a client that opened with a handshake."""
    return ask("POST", "/mcp", key, {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}, **headers)


def context(key: str | None, **headers: str) -> dict[str, str]:
    """Return the authorizer's context of a call, as the gateway hands it on."""
    request = GatewayRequest("POST", "/mcp", "", _headers(key, headers), b"{}", "127.0.0.1")
    route = next(route for route in _routes() if route.authorizer is not None)
    assert route.authorizer is not None
    event = authorizer_event(function_event(request, route.key, {}))
    # Without the local runtime, in whose process a decision is handed on as it is.
    decided: Any = load_function(route.authorizer).handler(event, _NO_RUNTIME)
    return dict(json.loads(json.dumps(decided["context"])))


def _headers(key: str | None, headers: dict[str, str]) -> tuple[tuple[str, str], ...]:
    named = tuple((name.replace("_", "-"), value) for name, value in headers.items())
    shown = () if key is None else (("authorization", f"Bearer {key}"),)
    return (("host", "rag.example"), *_JSON, *shown, *named)


def _content(body: object) -> bytes:
    return b"" if body is None else json.dumps(body).encode()


@cache
def _routes() -> list[RouteSpec]:
    return list(read_routes(checkout() / "template.yaml"))


@cache
def _dispatcher() -> Dispatcher:
    return Dispatcher(_routes())
