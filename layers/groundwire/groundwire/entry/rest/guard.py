"""Before and behind every route of the API: only what the edge admitted comes in, and nothing goes out unrecorded."""

import time
from typing import TYPE_CHECKING, Final

from groundwire import wiring
from groundwire.domain.errors import Problem
from groundwire.entry.caller_context import from_event
from groundwire.entry.refusals import refusal
from groundwire.entry.rest import faults
from groundwire.entry.rest.buffered import Buffered, buffered
from groundwire.entry.rest.record import of_admitted, of_refused
from groundwire.entry.rest.telling import telemetry
from groundwire.entry.rest.work import Work, put
from groundwire.entry.sign_in import SignIn
from groundwire.services.call import Call

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Receive, Scope, Send

    from groundwire.domain.verdict import Verdict

EVENT: Final = "aws.event"
CONTEXT: Final = "aws.context"


class Guard:
    """An ASGI application around the routes."""

    def __init__(self, routes: "ASGIApp") -> None:
        self._routes = routes

    async def __call__(self, scope: "Scope", receive: "Receive", send: "Send") -> None:
        """Answers one call; an answer whose audit line could not be written is not given."""
        started = time.perf_counter()
        try:
            services = wiring.administration()
        except Problem as problem:
            telemetry().problem(str(problem))
            await (await buffered(faults.not_now(), scope, receive)).send(send)
            return
        verdict = from_event(scope[EVENT])
        answer, record = await self._answer(scope, receive, verdict, services)
        record["time"] = services.clock()
        record["request_id"] = scope[CONTEXT].aws_request_id
        record["duration_ms"] = round((time.perf_counter() - started) * 1000, 3)
        if not _is_recorded(services, record):
            answer = await buffered(faults.not_now(faults.UNRECORDED), scope, receive)
        await answer.send(send)

    async def _answer(
        self, scope: "Scope", receive: "Receive", verdict: "Verdict", services: wiring.CareServices
    ) -> tuple[Buffered, dict[str, object]]:
        if verdict.caller is None:
            refused = faults.refused(refusal(verdict, SignIn.of(services.settings)))
            answer = await buffered(refused, scope, receive)
            return answer, of_refused(verdict, answer)
        work = Work(Call(verdict.caller), services)
        answer = await self._routed(put(scope, work), receive)
        return answer, of_admitted(verdict, work, answer)

    async def _routed(self, scope: "Scope", receive: "Receive") -> Buffered:
        try:
            return await buffered(self._routes, scope, receive)
        except Exception:  # noqa: BLE001 - nothing of ours may reach the caller as anything but an error answer
            telemetry().failure("a call broke")
            return await buffered(faults.failed(), scope, receive)


def _is_recorded(services: wiring.CareServices, record: dict[str, object]) -> bool:
    try:
        services.audit.append(record)
        telemetry().call(record)
    except Exception:  # noqa: BLE001 - whatever it was, the call must not go by unseen
        telemetry().failure("a call could not be recorded")
        return False
    return True
