"""Dispatch of one call as in API Gateway: route, authorizer, header mapping, function, response.

Authorization is a separate step, so that the server knows the tenant before the call takes a thread.
"""

import json
import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import cast

from groundwire.domain.keys.auth_decision import AuthStatus
from groundwire.domain.text.json_values import mapping_or_empty, require_mapping
from groundwire.entry.gateway import responses
from groundwire.entry.gateway.events import GatewayRequest, authorizer_event, function_event
from groundwire.entry.gateway.lambda_runtime import LambdaFunction, load_function
from groundwire.entry.gateway.responses import GatewayResponse
from groundwire.entry.gateway.routing import RouteMatch, RouteTable
from groundwire.entry.gateway.template import FunctionSpec, RouteSpec

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class AuthorizedCall:
    """A call that is ready for its function.

    Attributes:
        tenant: tenant of an admitted caller; None for other callers.
    """

    route: RouteSpec
    event: dict[str, object]
    tenant: str | None


class Dispatcher:
    """The loaded functions of an API and its routes."""

    def __init__(
        self, routes: Sequence[RouteSpec], load_function: Callable[[FunctionSpec], LambdaFunction] = load_function
    ) -> None:
        self._table = RouteTable(routes)
        specs = [spec for route in routes for spec in (route.authorizer, route.function) if spec is not None]
        self._functions = {spec.name: load_function(spec) for spec in dict.fromkeys(specs)}

    def route_of(self, method: str, raw_path: str) -> str:
        """Return the key of the route that a request has; empty where none has it."""
        match = self._table.match(method, raw_path)
        return "" if match is None else match.route.key

    def answer(self, request: GatewayRequest) -> GatewayResponse:
        """Return the response to a request; an exception of a function is logged and gives a 500."""
        call = self.authorize(request)
        return call if isinstance(call, GatewayResponse) else self.invoke(call)

    def authorize(self, request: GatewayRequest) -> AuthorizedCall | GatewayResponse:
        """Return the authorized call, or the response that ends it."""
        match = self._table.match(request.method, request.raw_path)
        if match is None:
            return responses.NOT_FOUND
        try:
            return self._run_authorizer(request, match)
        except Exception:  # noqa: BLE001 - a function may raise anything; its caller gets a plain 500
            _log.exception("%s failed", match.route.key)
            return responses.INTERNAL_ERROR

    def invoke(self, call: AuthorizedCall) -> GatewayResponse:
        """Return the response of the route's function; its exception is logged and gives a 500."""
        try:
            return responses.response_from_result(self._functions[call.route.function.name].invoke(call.event))
        except Exception:  # noqa: BLE001 - a handler may raise anything; AWS answers a plain 500, too
            _log.exception("%s failed", call.route.key)
            return responses.INTERNAL_ERROR

    def _run_authorizer(self, request: GatewayRequest, match: RouteMatch) -> AuthorizedCall | GatewayResponse:
        route = match.route
        event = function_event(request, route.key, match.parameters)
        if route.authorizer is None:
            return AuthorizedCall(route, event, None)
        decision = self._functions[route.authorizer.name].invoke(authorizer_event(event))
        if not _is_authorized(decision):
            return responses.FORBIDDEN
        context = _context_of(decision)
        _put_context(event, context, route.overwrites)
        return AuthorizedCall(route, event, _tenant_of(context))


def _tenant_of(context: Mapping[str, object]) -> str | None:
    """Return the tenant of an admitted caller, else None: naming a tenant's key is not enough."""
    if context.get("decision") != AuthStatus.ADMITTED:
        return None
    return str(context["tenant"]) if context.get("tenant") else None


def _is_authorized(response: object) -> bool:
    """Return the authorizer's `isAuthorized`.

    Raises:
        TypeError: the response is not a simple response, which API Gateway answers with a 500, not a 403.
    """
    allowed = mapping_or_empty(response).get("isAuthorized")
    if not isinstance(allowed, bool):
        raise TypeError("the authorizer's answer has no isAuthorized")
    return allowed


def _context_of(response: object) -> Mapping[str, object]:
    """Return the context as it passes in the cloud: after a JSON round trip, which leaves texts as they are."""
    context: object = mapping_or_empty(response).get("context") or {}
    if isinstance(context, dict):
        texts = cast("dict[str, object]", context)
        if {*map(type, texts), *map(type, texts.values())} == {str}:
            return texts
    context = json.loads(json.dumps(context))
    return require_mapping(context, TypeError("the authorizer's context is not an object"))


def _put_context(event: dict[str, object], context: Mapping[str, object], overwrites: Mapping[str, str]) -> None:
    request_context = cast("dict[str, object]", event["requestContext"])
    event["requestContext"] = {**request_context, "authorizer": {"lambda": context}}
    replaced = {header: context.get(key) for header, key in overwrites.items()}
    # As in the cloud, a mapping without a value does not overwrite the client's header.
    mapped = {header: str(value) for header, value in replaced.items() if value not in (None, "")}
    event["headers"] = {**cast("dict[str, str]", event["headers"]), **mapped}
