"""One call: route, authorizer, header mapping, function, response, as API Gateway does them in turn."""

import json
import logging
from collections.abc import Callable, Mapping, Sequence
from typing import cast

from groundwire.entry.gateway import responses
from groundwire.entry.gateway.events import Request, authorizer_event, function_event
from groundwire.entry.gateway.invocation import Function, load
from groundwire.entry.gateway.responses import Response
from groundwire.entry.gateway.routing import Match, RouteTable
from groundwire.entry.gateway.template import FunctionSpec, RouteSpec

_log = logging.getLogger(__name__)


class Dispatcher:
    """The functions of an API, loaded, and the way to them."""

    def __init__(self, routes: Sequence[RouteSpec], load_function: Callable[[FunctionSpec], Function] = load) -> None:
        self._table = RouteTable(routes)
        specs = [spec for route in routes for spec in (route.authorizer, route.function) if spec is not None]
        self._functions = {spec.name: load_function(spec) for spec in dict.fromkeys(specs)}

    def answer(self, request: Request) -> Response:
        """The response to a request; what a function raises is logged."""
        match = self._table.match(request.method, request.raw_path)
        if match is None:
            return responses.NOT_FOUND
        try:
            return self._answer(request, match)
        except Exception:  # noqa: BLE001 - a function may raise anything; its caller gets a plain 500
            _log.exception("%s failed", match.route.key)
            return responses.INTERNAL_ERROR

    def _answer(self, request: Request, match: Match) -> Response:
        route = match.route
        event = function_event(request, route.key, match.parameters)
        if route.authorizer is not None:
            verdict = self._functions[route.authorizer.name].invoke(authorizer_event(event))
            if not _is_authorized(verdict):
                return responses.FORBIDDEN
            _put_context(event, _context_of(verdict), route.overwrites)
        return responses.response_of(self._functions[route.function.name].invoke(event))


def _is_authorized(verdict: object) -> bool:
    """Raises TypeError for anything but a simple response: API Gateway answers that with a 500, not a 403."""
    allowed = cast("dict[str, object]", verdict).get("isAuthorized") if isinstance(verdict, dict) else None
    if not isinstance(allowed, bool):
        raise TypeError("the authorizer's answer has no isAuthorized")
    return allowed


def _context_of(verdict: object) -> dict[str, object]:
    """The context as it is after its way through JSON, so that nothing passes here that cannot pass in the cloud."""
    context: object = json.loads(json.dumps(cast("dict[str, object]", verdict).get("context") or {}))
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
