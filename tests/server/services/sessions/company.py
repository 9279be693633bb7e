"""Two tenants in a home folder, and clients that reach them through authorizer and handler, as the gateway does."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from groundwire.entry.gateway.events import GatewayRequest, authorizer_event, function_event
from groundwire.entry.gateway.lambda_runtime import LambdaFunction, load_function
from groundwire.wiring.local.services import LocalServices
from tests.support.aws.template.routes import deployed_route
from tests.support.registry.key_specs import agents_key

ROUTE = "ANY /mcp"
SESSION = "mcp-session-id"
VERSION = "2025-11-25"
_JSON = (("content-type", "application/json"), ("accept", "application/json, text/event-stream"))


class Clock:
    """Clock that changes only when a test moves it."""

    def __init__(self, now: float) -> None:
        self.now = now

    def __call__(self) -> float:
        return self.now


@dataclass(frozen=True)
class Response:
    status: int
    headers: Mapping[str, str]
    body: str

    @property
    def message(self) -> Any:
        return json.loads(self.body)

    @property
    def session(self) -> str:
        return self.headers[SESSION]


@dataclass(frozen=True)
class Client:
    """Who calls: a key, and the user it speaks for; no key sends none."""

    company: "Company"
    key: str | None
    user: str | None

    def initialize(self) -> Response:
        handshake = {"protocolVersion": VERSION, "capabilities": {}, "clientInfo": {"name": "agent", "version": "1.0"}}
        return self.call("initialize", handshake)

    def call(
        self,
        method: str,
        params: Mapping[str, object] | None = None,
        session: str | None = None,
        headers: tuple[tuple[str, str], ...] = (),
    ) -> Response:
        body = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params or {}}
        return self._send("POST", json.dumps(body).encode(), session, headers)

    def leave(self, session: str) -> Response:
        return self._send("DELETE", b"", session, ())

    def _send(self, method: str, body: bytes, session: str | None, more: tuple[tuple[str, str], ...]) -> Response:
        identity = {"authorization": self.key and f"Bearer {self.key}", "x-user-id": self.user, SESSION: session}
        reported = tuple((name, value) for name, value in identity.items() if value is not None)
        return self.company.answer(GatewayRequest(method, "/mcp", "", (*_JSON, *reported, *more), body, "127.0.0.1"))


class Company:
    """The services of a home folder and the two functions before them."""

    def __init__(self, services: LocalServices) -> None:
        self.services = services
        route = deployed_route(ROUTE)
        assert route.authorizer is not None
        self._authorizer: LambdaFunction = load_function(route.authorizer)
        self._mcp: LambdaFunction = load_function(route.function)
        self.acme, self.blue = (services.administration.tenant_admin.create(name).tenant for name in ("acme", "blue"))

    def key(self, tenant: str) -> str:
        order = replace(agents_key(tenant), rate_per_minute=6_000, burst=1_000)
        return self.services.administration.key_admin.create(order).secret.reveal()

    def answer(self, request: GatewayRequest) -> Response:
        event = function_event(request, ROUTE, {})
        decided: Any = self._authorizer.invoke(authorizer_event(event))
        context: Any = event["requestContext"]
        admitted = {**event, "requestContext": {**context, "authorizer": {"lambda": decided["context"]}}}
        answer: Any = self._mcp.invoke(admitted)
        return Response(answer["statusCode"], answer["headers"], answer.get("body") or "")
