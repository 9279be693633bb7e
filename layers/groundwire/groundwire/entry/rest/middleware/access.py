"""Access and audit of the API: the routes see only admitted calls, and only recorded responses leave."""

import time
from typing import TYPE_CHECKING, Final, NamedTuple

from starlette.datastructures import Headers

from groundwire import wiring
from groundwire.dialects.declaration.routes import ErrorReply
from groundwire.domain.audit.lines import CallLine, LineTime, UnknownTarget, stored_form
from groundwire.domain.errors import DomainError
from groundwire.entry.http.api_gateway_event import source_address
from groundwire.entry.http.auth_errors import auth_error_response
from groundwire.entry.http.authorizer_context import decision_from_event
from groundwire.entry.http.oauth_metadata import CHALLENGE_COPY_HEADER, CHALLENGE_HEADER, ProtectedResource
from groundwire.entry.rest.middleware import error_responses
from groundwire.entry.rest.middleware.audit_record import admitted_line, refused_line
from groundwire.entry.rest.middleware.buffered_response import BufferedResponse, buffer_response
from groundwire.entry.rest.middleware.context import RestContext, with_context
from groundwire.entry.rest.middleware.found_route import (
    FORBIDDEN_ORIGIN,
    FoundRoute,
    denied_route,
    find_route,
    has_route,
    refusal,
)
from groundwire.entry.rest.telemetry import telemetry
from groundwire.entry.runtime.header_comparison import HeaderComparison
from groundwire.services.call_context import CallContext
from groundwire_mcp.transport.http import no_route_response

if TYPE_CHECKING:
    from collections.abc import Callable

    from fastapi import Response
    from starlette.types import ASGIApp, Receive, Scope, Send

    from groundwire.domain.keys.auth_decision import AuthDecision
    from groundwire.wiring.services import ApiServices

EVENT_KEY: Final = "aws.event"
CONTEXT_KEY: Final = "aws.context"


class AccessMiddleware:
    """ASGI application around the routes that the services of a call have."""

    def __init__(self, routes: "Callable[[ApiServices], ASGIApp]") -> None:
        self._routes = routes

    async def __call__(self, scope: "Scope", receive: "Receive", send: "Send") -> None:
        """Answer one call; a response without a written audit record is replaced by a 503."""
        started = time.perf_counter()
        try:
            services = wiring.admin_services()
            found = find_route(services.agents.dialects, scope["path"])
        except DomainError as error:
            telemetry().error(str(error))
            await (await buffer_response(error_responses.unavailable_response(), scope, receive)).send(send)
            return
        if not has_route(found, scope["path"]):
            await (await buffer_response(error_responses.to_response(no_route_response()), scope, receive)).send(send)
            return
        decision = decision_from_event(scope[EVENT_KEY])
        response, line = await self._respond(_RestCall(scope, receive, services, found), decision)
        milliseconds = round((time.perf_counter() - started) * 1000, 3)
        line_time = LineTime(services.clock(), scope[CONTEXT_KEY].aws_request_id, milliseconds)
        if not _is_recorded(services, stored_form(line, line_time)):
            unrecorded = _refuse(found, error_responses.UNRECORDED, scope)
            response = await buffer_response(unrecorded, scope, receive)
        cors = services.agents.allowed_origins.response_headers(_origin(scope))
        challenge = Headers(raw=response.start_message["headers"]).get(CHALLENGE_HEADER)
        # API Gateway renames `WWW-Authenticate` of a function; a copy reaches the client under its own name.
        copied = {} if challenge is None else {CHALLENGE_COPY_HEADER: challenge}
        await response.send(send, {**cors, **copied})

    async def _respond(self, call: "_RestCall", decision: "AuthDecision") -> tuple[BufferedResponse, CallLine]:
        scope, receive, services, found = call
        if decision.caller is None:
            refused = auth_error_response(decision, ProtectedResource.from_settings(services.settings))
            reply = ErrorReply(
                refused.status, refused.code, refused.message, refused.headers, refused.data, refused.header
            )
            response = await buffer_response(_refuse(found, reply, scope), scope, receive)
            route = denied_route(found, scope["method"], scope["path"])
            return response, refused_line(decision, response, route, source_address(scope[EVENT_KEY]))
        _compare_headers(services, decision.caller.principal.tenant, scope)
        context = RestContext(CallContext(decision.caller), services)
        if services.agents.allowed_origins.allows(_origin(scope)):
            response = await self._call_routes(call, context)
        else:
            response = await buffer_response(_refuse(found, FORBIDDEN_ORIGIN, scope), scope, receive)
        return response, admitted_line(decision, context, response, UnknownTarget(scope["method"], scope["path"]))

    async def _call_routes(self, call: "_RestCall", context: RestContext) -> BufferedResponse:
        try:
            routes = self._routes(call.services)
            return await buffer_response(routes, with_context(call.scope, context), call.receive)
        except Exception:  # noqa: BLE001 - the caller gets an error response for any exception
            telemetry().exception("a call failed")
            return await buffer_response(
                _refuse(call.found, error_responses.FAILED, call.scope), call.scope, call.receive
            )


def _origin(scope: "Scope") -> str | None:
    return Headers(scope=scope).get("origin")


class _RestCall(NamedTuple):
    """A call, and the dialect's route that it is for; None: a route of the REST API."""

    scope: "Scope"
    receive: "Receive"
    services: "ApiServices"
    found: "FoundRoute | None"


def _refuse(found: "FoundRoute | None", reply: ErrorReply, scope: "Scope") -> "Response":
    """Return the reply in the form of the route."""
    return error_responses.to_response(refusal(found, reply, Headers(scope=scope)))


def _compare_headers(services: "ApiServices", tenant: str, scope: "Scope") -> None:
    if (checks := services.stores.header_checks) is not None:
        headers = dict(Headers(scope=scope))
        HeaderComparison(checks, services.clock, telemetry()).compare(tenant, scope[EVENT_KEY], headers)


def _is_recorded(services: "ApiServices", record: dict[str, object]) -> bool:
    try:
        services.stores.audit.append(record)
        telemetry().record_call(record)
    except Exception:  # noqa: BLE001 - after any exception the call counts as unrecorded
        telemetry().exception("a call could not be recorded")
        return False
    return True
