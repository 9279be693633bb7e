"""The door of MiniStack: requests that AWS refuses are refused before the emulator sees them.

Run by MiniStack's own interpreter, so it imports the standard library and the rules of calls alone.
"""

import json
import time
from collections import deque
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any, Final

from tests.support.aws.refusals.calls import (
    GATEWAY_RULES,
    INVOCATION_RULES,
    LOG_RULES,
    MESSAGE_RULES,
    STREAM_RULES,
    STREAMS_PER_SECOND,
    GatewayCall,
    Invocation,
    LogBatch,
    Message,
    StreamStarts,
)
from tests.support.aws.refusals.rule import Reading, Rule, findings

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
Application = Callable[[Scope, Receive, Send], Awaitable[None]]

_LOGS: Final = "Logs_20140328."
_QUEUES: Final = "AmazonSQS."
_INVOCATIONS: Final = "/invocations"
_ANSWERS: Final = {
    "header-total": (431, "RequestHeaderFieldsTooLarge"),
    "gateway-payload": (413, "RequestEntityTooLarge"),
    "invocation-payload": (413, "RequestTooLargeException"),
    "tenant-id-form": (400, "InvalidParameterValueException"),
    "log-streams-per-second": (400, "ThrottlingException"),
    "log-batch": (400, "InvalidParameterException"),
    "message-size": (400, "InvalidParameterValue"),
}
"""Status and code of AWS's answer to what breaks a rule."""


class Door:
    """An ASGI application in front of the emulator.

    Args:
        clock: seconds, for the quota of new log streams.
    """

    def __init__(self, emulator: Application, clock: Callable[[], float] = time.monotonic) -> None:
        self._emulator = emulator
        self._clock = clock
        self._stream_starts: deque[float] = deque(maxlen=STREAMS_PER_SECOND)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, or answer it as AWS does."""
        if scope["type"] != "http":
            await self._emulator(scope, receive, send)
            return
        headers = [(name.decode("latin-1"), value.decode("latin-1")) for name, value in scope["headers"]]
        body = await _read(receive)
        rule = self._broken_rule(scope, headers, body)
        if rule:
            await _refuse(send, rule)
        else:
            await self._emulator(scope, _again(body, receive), send)

    def _broken_rule(self, scope: Scope, headers: list[tuple[str, str]], body: bytes) -> str:
        """Return the id of the rule that a request breaks; empty when it breaks none."""
        known = dict(headers)
        path = str(scope["path"])
        if ".execute-api." in known.get("host", ""):
            return _broken(GATEWAY_RULES, GatewayCall(f"{scope['method']} {path} HTTP/1.1", headers, len(body)))
        if path.endswith(_INVOCATIONS):
            is_event = known.get("x-amz-invocation-type") == "Event"
            tenant = known.get("x-amz-tenant-id", "")
            # The emulator does not know which functions separate tenants: the callers of the tests judge that.
            call = Invocation(path, body, isolated=bool(tenant), tenant=tenant, asynchronous=is_event)
            return _broken(INVOCATION_RULES, call)
        return self._broken_by_target(known.get("x-amz-target", ""), body)

    def _broken_by_target(self, target: str, body: bytes) -> str:
        if target == f"{_LOGS}CreateLogStream":
            now = self._clock()
            rule = _broken(STREAM_RULES, StreamStarts([*self._stream_starts, now]))
            if not rule:
                self._stream_starts.append(now)
            return rule
        if target == f"{_LOGS}PutLogEvents":
            lines = [event["message"] for event in json.loads(body)["logEvents"]]
            return _broken(LOG_RULES, LogBatch(lines))
        if target.startswith(f"{_QUEUES}SendMessage"):
            order = json.loads(body)
            texts = [entry["MessageBody"] for entry in order.get("Entries", [order])]
            return next(filter(None, (_broken(MESSAGE_RULES, Message(text)) for text in texts)), "")
        return ""


def _broken(rules: tuple[Rule[Any], ...], call: object) -> str:
    """Return the id of the first broken rule; empty when none is broken."""
    return next((finding.rule for finding in findings(rules, call, Reading.REFUSED)), "")


async def _read(receive: Receive) -> bytes:
    parts: list[bytes] = []
    while True:
        message = await receive()
        parts.append(message.get("body", b""))
        if not message.get("more_body"):
            return b"".join(parts)


def _again(body: bytes, receive: Receive) -> Receive:
    """Return a channel that gives the body once more, and then what comes after it."""
    waiting = [{"type": "http.request", "body": body, "more_body": False}]

    async def given() -> MutableMapping[str, Any]:
        return waiting.pop() if waiting else await receive()

    return given


async def _refuse(send: Send, rule: str) -> None:
    status, code = _ANSWERS[rule]
    text = json.dumps({"__type": code, "message": f"AWS refuses this: {rule}"}).encode()
    headers = [(b"content-type", b"application/x-amz-json-1.1"), (b"x-amzn-errortype", code.encode())]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": text})
