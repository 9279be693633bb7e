"""Before and behind every route of the API: only what the edge admitted comes in, and nothing goes out unrecorded."""

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
    """An ASGI application around the routes."""

    def __init__(self, routes: "ASGIApp") -> None:
        self._routes = routes

    async def __call__(self, scope: "Scope", receive: "Receive", send: "Send") -> None:
        """Answers one call; an answer whose audit line could not be written is not given."""
        started = time.perf_counter()
        try:
            services = wiring.admin_services()
        except DomainError as problem:
            telemetry().error(str(problem))
            await (await buffer_response(error_responses.unavailable_response(), scope, receive)).send(send)
            return
        verdict = decision_from_event(scope[EVENT_KEY])
        answer, record = await self._respond(scope, receive, verdict, services)
        record["time"] = services.clock()
        record["request_id"] = scope[CONTEXT_KEY].aws_request_id
        record["duration_ms"] = round((time.perf_counter() - started) * 1000, 3)
        if not _is_recorded(services, record):
            answer = await buffer_response(
                error_responses.unavailable_response(error_responses.UNRECORDED_MESSAGE), scope, receive
            )
        await answer.send(send)

    async def _respond(
        self, scope: "Scope", receive: "Receive", verdict: "AuthDecision", services: wiring.AdminServices
    ) -> tuple[BufferedResponse, dict[str, object]]:
        if verdict.caller is None:
            refused = error_responses.refused_response(
                auth_error_response(verdict, ProtectedResource.from_settings(services.settings))
            )
            answer = await buffer_response(refused, scope, receive)
            return answer, refused_record(verdict, answer)
        work = RestContext(CallContext(verdict.caller), services)
        answer = await self._call_routes(with_context(scope, work), receive)
        return answer, admitted_record(verdict, work, answer)

    async def _call_routes(self, scope: "Scope", receive: "Receive") -> BufferedResponse:
        try:
            return await buffer_response(self._routes, scope, receive)
        except Exception:  # noqa: BLE001 - nothing of ours may reach the caller as anything but an error answer
            telemetry().exception("a call broke")
            return await buffer_response(error_responses.failed_response(), scope, receive)


def _is_recorded(services: wiring.AdminServices, record: dict[str, object]) -> bool:
    try:
        services.audit.append(record)
        telemetry().record_call(record)
    except Exception:  # noqa: BLE001 - whatever it was, the call must not go by unseen
        telemetry().exception("a call could not be recorded")
        return False
    return True
