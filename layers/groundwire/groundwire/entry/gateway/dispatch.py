"""One call: route, authorizer, header mapping, function, response, as API Gateway does them in turn.

The authorizer is a step of its own, so that the server knows whose call it is before the call takes a thread.
"""

import json
import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import cast

from groundwire.domain.keys.auth_decision import AuthStatus
from groundwire.entry.gateway import responses
from groundwire.entry.gateway.events import GatewayRequest, authorizer_event, function_event
from groundwire.entry.gateway.lambda_runtime import LambdaFunction, load_function
from groundwire.entry.gateway.responses import GatewayResponse
from groundwire.entry.gateway.routing import RouteMatch, RouteTable
from groundwire.entry.gateway.template import FunctionSpec, RouteSpec

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class AuthorizedCall:
    """A call that waits for its function.

    Attributes:
        tenant: of a caller that was admitted; None for everybody else.
    """

    route: RouteSpec
    event: dict[str, object]
    tenant: str | None


class Dispatcher:
    """The functions of an API, loaded, and the way to them."""

    def __init__(
        self, routes: Sequence[RouteSpec], load_function: Callable[[FunctionSpec], LambdaFunction] = load_function
    ) -> None:
        self._table = RouteTable(routes)
        specs = [spec for route in routes for spec in (route.authorizer, route.function) if spec is not None]
        self._functions = {spec.name: load_function(spec) for spec in dict.fromkeys(specs)}

    def answer(self, request: GatewayRequest) -> GatewayResponse:
        """The response to a request; what a function raises is logged."""
        call = self.authorize(request)
        return call if isinstance(call, GatewayResponse) else self.invoke(call)

    def authorize(self, request: GatewayRequest) -> AuthorizedCall | GatewayResponse:
        """Asks the route's authorizer, if it has one; a response ends the call here."""
        match = self._table.match(request.method, request.raw_path)
        if match is None:
            return responses.NOT_FOUND
        try:
            return self._run_authorizer(request, match)
        except Exception:  # noqa: BLE001 - a function may raise anything; its caller gets a plain 500
            _log.exception("%s failed", match.route.key)
            return responses.INTERNAL_ERROR

    def invoke(self, call: AuthorizedCall) -> GatewayResponse:
        """Returns what the route's function answers; what it raises is logged."""
        try:
            return responses.response_from_result(self._functions[call.route.function.name].invoke(call.event))
        except Exception:  # noqa: BLE001 - as above
            _log.exception("%s failed", call.route.key)
            return responses.INTERNAL_ERROR

    def _run_authorizer(self, request: GatewayRequest, match: RouteMatch) -> AuthorizedCall | GatewayResponse:
        route = match.route
        event = function_event(request, route.key, match.parameters)
        if route.authorizer is None:
            return AuthorizedCall(route, event, None)
        verdict = self._functions[route.authorizer.name].invoke(authorizer_event(event))
        if not _is_authorized(verdict):
            return responses.FORBIDDEN
        context = _context_of(verdict)
        _put_context(event, context, route.overwrites)
        return AuthorizedCall(route, event, _tenant_of(context))


def _tenant_of(context: Mapping[str, object]) -> str | None:
    """Only an admitted caller stands for its tenant: who merely names a key of it does not."""
    if context.get("decision") != AuthStatus.ADMITTED:
        return None
    return str(context["tenant"]) if context.get("tenant") else None


def _is_authorized(response: object) -> bool:
    """Raises TypeError for anything but a simple response: API Gateway answers that with a 500, not a 403."""
    allowed = cast("dict[str, object]", response).get("isAuthorized") if isinstance(response, dict) else None
    if not isinstance(allowed, bool):
        raise TypeError("the authorizer's answer has no isAuthorized")
    return allowed


def _context_of(response: object) -> dict[str, object]:
    """The context as it is after its way through JSON, so that nothing passes here that cannot pass in the cloud."""
    context: object = json.loads(json.dumps(cast("dict[str, object]", response).get("context") or {}))
    if not isinstance(context, dict):
        raise TypeError("the authorizer's context is not an object")
    return cast("dict[str, object]", context)


def _put_context(event: dict[str, object], context: dict[str, object], overwrites: Mapping[str, str]) -> None:
    request_context = cast("dict[str, object]", event["requestContext"])
    event["requestContext"] = {**request_context, "authorizer": {"lambda": context}}
    replaced = {header: context.get(key) for header, key in overwrites.items()}
    # A mapping without a value leaves the client's own header standing, in the cloud as here.
    mapped = {header: str(value) for header, value in replaced.items() if value not in (None, "")}
    event["headers"] = {**cast("dict[str, str]", event["headers"]), **mapped}
