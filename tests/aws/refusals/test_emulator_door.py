"""The door of the emulator answers as AWS what AWS refuses, and passes everything else on unchanged."""

import asyncio
import json
from collections.abc import MutableMapping
from typing import Any, Final

import pytest

from tests.support.aws.refusals.emulator_door import Door

MB: Final = 1_048_576
INVOKE: Final = "/2015-03-31/functions/f/invocations"


class Emulator:
    """Keeps the bodies that reach it, and answers 200."""

    def __init__(self) -> None:
        self.bodies: list[bytes] = []

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        message = await receive()
        self.bodies.append(message["body"])
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b""})


def ask(door: Door, path: str, body: bytes, **headers: str) -> tuple[int, str]:
    """Send a request in two parts; return the status and the type of the error."""
    named = [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
    waiting = [{"body": body[:1], "more_body": True}, {"body": body[1:], "more_body": False}]
    sent: list[MutableMapping[str, Any]] = []

    async def receive() -> MutableMapping[str, Any]:
        return {"type": "http.request", **waiting.pop(0)}

    async def send(message: MutableMapping[str, Any]) -> None:
        sent.append(message)

    asyncio.run(door({"type": "http", "method": "POST", "path": path, "headers": named}, receive, send))
    code = dict(sent[0]["headers"]).get(b"x-amzn-errortype", b"").decode()
    return sent[0]["status"], code


LONG_MESSAGE: Final = json.dumps({"MessageBody": "x" * (MB + 1)}).encode()
LONG_LINE: Final = json.dumps({"logEvents": [{"message": "x" * MB}]}).encode()
LONG_HEADER: Final = {"host": "a.execute-api.localhost", "a": "x" * 10_240}
SEND: Final = {"x_amz_target": "AmazonSQS.SendMessage"}
LOG: Final = {"x_amz_target": "Logs_20140328.PutLogEvents"}
EVENT: Final = {"x_amz_invocation_type": "Event"}


@pytest.mark.parametrize(
    ("path", "body", "headers", "answer"),
    [
        (INVOKE, b"x" * (6 * MB + 1), {}, (413, "RequestTooLargeException")),
        (INVOKE, b"x" * (MB + 1), EVENT, (413, "RequestTooLargeException")),
        (INVOKE, b"{}", {"x_amz_tenant_id": "a#b"}, (400, "InvalidParameterValueException")),
        ("/mcp", b"{}", LONG_HEADER, (431, "RequestHeaderFieldsTooLarge")),
        ("/", LONG_MESSAGE, SEND, (400, "InvalidParameterValue")),
        ("/", LONG_LINE, LOG, (400, "InvalidParameterException")),
    ],
    ids=["synchronous", "asynchronous", "tenant", "headers", "message", "log"],
)
def test_what_aws_refuses_does_not_reach_the_emulator(
    path: str, body: bytes, headers: dict[str, str], answer: tuple[int, str]
) -> None:
    emulator = Emulator()
    assert ask(Door(emulator), path, body, **headers) == answer
    assert emulator.bodies == []


def test_what_aws_accepts_reaches_the_emulator_whole() -> None:
    emulator = Emulator()
    door = Door(emulator)
    assert ask(door, INVOKE, b"x" * 6 * MB, x_amz_tenant_id="t_acme") == (200, "")
    assert ask(door, "/bucket/key", b"content") == (200, "")
    assert emulator.bodies == [b"x" * 6 * MB, b"content"]


def test_the_51st_log_stream_within_a_second_is_throttled_and_a_later_one_is_not() -> None:
    now = 0.0
    emulator = Emulator()
    door = Door(emulator, lambda: now)
    target = {"x_amz_target": "Logs_20140328.CreateLogStream"}
    assert {ask(door, "/", b"{}", **target) for _ in range(50)} == {(200, "")}
    assert ask(door, "/", b"{}", **target) == (400, "ThrottlingException")
    now = 1.0
    assert ask(door, "/", b"{}", **target) == (200, "")
