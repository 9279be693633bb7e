"""The proxy of the emulator refuses what AWS refuses, in the form of AWS, and passes on everything else unchanged."""

import asyncio
import json
import time
from collections.abc import Mapping, MutableMapping
from typing import Any, Final
from urllib.parse import urlencode

import pytest

from tests.support.aws.refusals.door.door import Door

MB: Final = 1_048_576
INVOKE: Final = "/2015-03-31/functions/f/invocations"
INVOKE_ISOLATED: Final = "/2015-03-31/functions/isolated/invocations"
CONFIGURATIONS: Final[Mapping[str, object]] = {
    "/2015-03-31/functions/f/configuration": {},
    "/2015-03-31/functions/isolated/configuration": {"TenancyConfig": {"TenantIsolationMode": "PER_TENANT"}},
}
TABLE: Final = {"Table": {"KeySchema": [{"AttributeName": "k", "KeyType": "HASH"}]}}


class Emulator:
    """Knows two functions and a table, keeps the bodies of other requests, and answers them 200."""

    def __init__(self) -> None:
        self.bodies: list[bytes] = []

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        message = await receive()
        answer = CONFIGURATIONS.get(scope["path"])
        if dict(scope["headers"]).get(b"x-amz-target", b"").endswith(b".DescribeTable"):
            answer = TABLE
        if answer is None:
            self.bodies.append(message["body"])
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": json.dumps(answer).encode() if answer is not None else b""})


async def judge(form: bytes) -> str:
    return "routes-per-api: the API" if b"TooMany" in form else ""


def door(emulator: Emulator, clock: Any = time.monotonic) -> Door:
    return Door(emulator, judge, "123456789012", "eu-central-1", clock)


def ask(door: Door, path: str, body: bytes, **headers: str) -> tuple[int, str]:
    """Send a request in two parts; return the status and the code of the error."""
    path, _, query = path.partition("?")
    named = [(name.replace("_", "-").encode(), value.encode()) for name, value in {"host": "h", **headers}.items()]
    waiting = [{"body": body[:1], "more_body": True}, {"body": body[1:], "more_body": False}]
    sent: list[MutableMapping[str, Any]] = []

    async def receive() -> MutableMapping[str, Any]:
        return {"type": "http.request", **waiting.pop(0)}

    async def send(message: MutableMapping[str, Any]) -> None:
        sent.append(message)

    scope = {"type": "http", "method": "POST", "path": path, "query_string": query.encode(), "headers": named}
    asyncio.run(door(scope, receive, send))
    code = dict(sent[0]["headers"]).get(b"x-amzn-errortype", b"").decode()
    return sent[0]["status"], code or sent[1]["body"].partition(b"<Code>")[2].partition(b"</Code>")[0].decode()


def lines(size: int) -> bytes:
    events = [{"message": "x" * size, "timestamp": int(time.time() * 1000)}]
    return json.dumps({"logEvents": events}).encode()


def order(**fields: Any) -> bytes:
    return json.dumps(fields).encode()


EVENT: Final = {"x_amz_invocation_type": "Event"}
LONG_HEADER: Final = {"host": "a.execute-api.localhost", "a": "x" * 10_240}
SIGNED: Final = {"authorization": "AWS4-HMAC-SHA256 Credential=a/20260101/eu-central-1/s3/aws4_request, Signature=0"}
PRESIGNED: Final = "/b/k?X-Amz-Credential=a%2F20260101%2Feu-central-1%2Fs3%2Faws4_request&X-Amz-Expires=604801"
DELETED: Final = b"<Delete>" + b"<Object><Key>k</Key></Object>" * 1_001 + b"</Delete>"


def target(name: str) -> dict[str, str]:
    return {"x_amz_target": name}


SEND, SEND_BATCH = target("AmazonSQS.SendMessage"), target("AmazonSQS.SendMessageBatch")
RECEIVE, LOG, SECRET = (
    target("AmazonSQS.ReceiveMessage"),
    target("Logs_20140328.PutLogEvents"),
    target("secretsmanager.PutSecretValue"),
)
PUT, BATCH = target("DynamoDB_20120810.PutItem"), target("DynamoDB_20120810.BatchWriteItem")
KEY: Final = {"k": {"S": "x" * 2_049}}
REFUSED: Final = {
    "synchronous": (INVOKE, b"x" * (6 * MB + 1), {}, (413, "RequestTooLargeException")),
    "asynchronous": (INVOKE, b"x" * (MB + 1), EVENT, (413, "RequestTooLargeException")),
    "tenant's form": (INVOKE_ISOLATED, b"{}", {"x_amz_tenant_id": "a#b"}, (400, "InvalidParameterValueException")),
    "no tenant": (INVOKE_ISOLATED, b"{}", {}, (400, "InvalidParameterValueException")),
    "tenant": (INVOKE, b"{}", {"x_amz_tenant_id": "t_acme"}, (400, "InvalidParameterValueException")),
    "headers": ("/mcp", b"{}", LONG_HEADER, (431, "RequestHeaderFieldsTooLarge")),
    "message": ("/", order(MessageBody="x" * (MB + 1)), SEND, (400, "InvalidParameterValue")),
    "batch": (
        "/",
        order(Entries=[{"Id": str(number), "MessageBody": "x"} for number in range(11)]),
        SEND_BATCH,
        (400, "TooManyEntriesInBatchRequest"),
    ),
    "visibility": ("/", order(VisibilityTimeout=43_201), RECEIVE, (400, "InvalidParameterValue")),
    "log": ("/", lines(MB), LOG, (400, "InvalidParameterException")),
    "secret": ("/", order(SecretString="x" * 65_537), SECRET, (400, "InvalidParameterException")),
    "key": ("/", order(TableName="t", Item=KEY), PUT, (400, "ValidationException")),
    "items": (
        "/",
        order(RequestItems={"t": [{"PutRequest": {"Item": {"k": {"N": str(number)}}}} for number in range(26)]}),
        BATCH,
        (400, "ValidationException"),
    ),
    "object's key": ("/b/" + "k" * 1_025, b"", SIGNED, (400, "KeyTooLongError")),
    "metadata": ("/b/k", b"", {**SIGNED, "x_amz_meta_a": "x" * 2_048}, (400, "MetadataTooLarge")),
    "age": (PRESIGNED, b"", {}, (400, "AuthorizationQueryParametersError")),
    "deletion": ("/b?delete", DELETED, SIGNED, (400, "MalformedXML")),
    "new stack": ("/", b"Action=CreateStack&StackName=TooMany", {}, (400, "ValidationError")),
    "change set": ("/", urlencode({"StackName": "TooMany", "Action": "CreateChangeSet", "a": "b"}).encode(), {}, ()),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_aws_refuses_does_not_reach_the_emulator(name: str) -> None:
    path, body, headers, answer = REFUSED[name]
    emulator = Emulator()
    assert ask(door(emulator), path, body, **headers) == (answer or (400, "ValidationError"))
    assert emulator.bodies == []


def test_what_aws_accepts_reaches_the_emulator_whole() -> None:
    emulator = Emulator()
    passed = door(emulator)
    bodies = [
        (INVOKE_ISOLATED, b"x" * 6 * MB, {"x_amz_tenant_id": "t_acme"}),
        (INVOKE, b"{}", {}),
        ("/b/" + "k" * 1_024, b"content", SIGNED),
        ("/", order(TableName="t", Item={"k": {"S": "x" * 2_048}}), PUT),
        ("/", lines(1_000), LOG),
        ("/", b"Action=CreateStack&StackName=s", {}),
        ("/", b"Action=DescribeStacks&StackName=TooMany", {}),
    ]
    assert {ask(passed, path, body, **headers) for path, body, headers in bodies} == {(200, "")}
    assert emulator.bodies == [body for _, body, _ in bodies]


def test_the_51st_log_stream_within_a_second_is_throttled_and_a_later_one_is_not() -> None:
    now = 0.0
    emulator = Emulator()
    passed = door(emulator, lambda: now)
    create = target("Logs_20140328.CreateLogStream")
    assert {ask(passed, "/", b"{}", **create) for _ in range(50)} == {(200, "")}
    assert ask(passed, "/", b"{}", **create) == (400, "ThrottlingException")
    now = 1.0
    assert ask(passed, "/", b"{}", **create) == (200, "")
