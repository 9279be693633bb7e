"""Access and audit of the API: the routes see only admitted calls, and only recorded responses leave."""

import time
from typing import TYPE_CHECKING, Final

from groundwire import wiring
from groundwire.domain.errors import DomainError
from groundwire.entry.http.auth_errors import auth_error_response
from groundwire.entry.http.authorizer_context import decision_from_event
from groundwire.entry.http.oauth_metadata import ProtectedResource
from groundwire.entry.rest.middleware import error_responses
from groundwire.entry.rest.middleware.audit_record import admitted_record, refused_record
from groundwire.entry.rest.middleware.buffered_response import BufferedResponse, buffer_response
from groundwire.entry.rest.middleware.context import RestContext, with_context
from groundwire.entry.rest.telemetry import telemetry
from groundwire.services.call_context import CallContext

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Receive, Scope, Send

    from groundwire.domain.keys.auth_decision import AuthDecision

EVENT_KEY: Final = "aws.event"
CONTEXT_KEY: Final = "aws.context"


class AccessMiddleware:
    """ASGI application around the routes."""

    def __init__(self, routes: "ASGIApp") -> None:
        self._routes = routes

    async def __call__(self, scope: "Scope", receive: "Receive", send: "Send") -> None:
        """Answer one call; a response without a written audit record is replaced by a 503."""
        started = time.perf_counter()
        try:
            services = wiring.admin_services()
        except DomainError as error:
            telemetry().error(str(error))
            await (await buffer_response(error_responses.unavailable_response(), scope, receive)).send(send)
            return
        decision = decision_from_event(scope[EVENT_KEY])
        response, record = await self._respond(scope, receive, decision, services)
        record["time"] = services.clock()
        record["request_id"] = scope[CONTEXT_KEY].aws_request_id
        record["duration_ms"] = round((time.perf_counter() - started) * 1000, 3)
        if not _is_recorded(services, record):
            response = await buffer_response(
                error_responses.unavailable_response(error_responses.UNRECORDED_MESSAGE), scope, receive
            )
        await response.send(send)

    async def _respond(
        self, scope: "Scope", receive: "Receive", decision: "AuthDecision", services: wiring.AdminServices
    ) -> tuple[BufferedResponse, dict[str, object]]:
        if decision.caller is None:
            error_application = error_responses.refused_response(
                auth_error_response(decision, ProtectedResource.from_settings(services.settings))
            )
            response = await buffer_response(error_application, scope, receive)
            return response, refused_record(decision, response)
        context = RestContext(CallContext(decision.caller), services)
        response = await self._call_routes(with_context(scope, context), receive)
        return response, admitted_record(decision, context, response)

    async def _call_routes(self, scope: "Scope", receive: "Receive") -> BufferedResponse:
        try:
            return await buffer_response(self._routes, scope, receive)
        except Exception:  # noqa: BLE001 - the caller gets an error response for any exception
            telemetry().exception("a call broke")
            return await buffer_response(error_responses.failed_response(), scope, receive)


def _is_recorded(services: wiring.AdminServices, record: dict[str, object]) -> bool:
    try:
        services.audit.append(record)
        telemetry().record_call(record)
    except Exception:  # noqa: BLE001 - after any exception the call counts as unrecorded
        telemetry().exception("a call could not be recorded")
        return False
    return True
