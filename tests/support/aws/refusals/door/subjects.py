"""Subjects of the rules in a request: the items, messages, lines, objects and secrets that it is about."""

import base64
import json
from collections.abc import Iterator, Mapping
from typing import Any, Final
from urllib.parse import parse_qs

from tests.support.aws.refusals.calls.gateway import GATEWAY_RULES, GatewayCall
from tests.support.aws.refusals.calls.logs import LOG_RULES, LogBatch
from tests.support.aws.refusals.calls.objects import OBJECT_RULES, ObjectCall
from tests.support.aws.refusals.calls.queues import (
    BATCH_RULES,
    MESSAGE_RULES,
    ORDER_RULES,
    Batch,
    Message,
    QueueOrder,
)
from tests.support.aws.refusals.calls.secrets import SECRET_RULES, SecretValue
from tests.support.aws.refusals.door.exchange import Request
from tests.support.aws.refusals.rule import Rule

Judged = tuple[tuple[Rule[Any], ...], object]
"""Rules, and what they are about."""
TABLES: Final = "DynamoDB_20120810."
_LOGS: Final = "Logs_20140328."
_QUEUES: Final = "AmazonSQS."
_SECRETS: Final = "secretsmanager."
_METADATA: Final = "x-amz-meta-"


def subjects(request: Request, now_ms: int) -> Iterator[Judged]:
    """Yield what the rules judge of a request by itself: neither tenants of functions nor keys of tables."""
    if ".execute-api." in request.headers.get("host", ""):
        line = f"{request.method} {request.path} HTTP/1.1"
        yield GATEWAY_RULES, GatewayCall(line, list(request.headers.items()), len(request.body))
    elif request.target.startswith(_LOGS):
        yield from _of_logs(request, now_ms)
    elif request.target.startswith(_QUEUES):
        yield from _of_queues(json.loads(request.body))
    elif request.target.startswith(_SECRETS):
        yield from _of_secrets(json.loads(request.body))
    elif _is_of_s3(request):
        yield OBJECT_RULES, _object_call(request)


def _of_logs(request: Request, now_ms: int) -> Iterator[Judged]:
    if request.target == f"{_LOGS}PutLogEvents":
        events = json.loads(request.body)["logEvents"]
        lines = [event["message"] for event in events]
        yield LOG_RULES, LogBatch(lines, [event["timestamp"] for event in events], now_ms)


def _of_queues(order: Mapping[str, Any]) -> Iterator[Judged]:
    entries = order.get("Entries", [order])
    for entry in entries:
        numbers = {name: value for name, value in entry.items() if isinstance(value, int)}
        yield ORDER_RULES, QueueOrder(numbers)
    messages = [(entry.get("Id", ""), _message(entry)) for entry in entries if "MessageBody" in entry]
    yield from ((MESSAGE_RULES, message) for _, message in messages)
    if "Entries" in order and messages:
        yield BATCH_RULES, Batch(messages)


def _message(entry: Mapping[str, Any]) -> Message:
    given = entry.get("MessageAttributes", {})
    attributes = {name: str(each.get("StringValue", each.get("BinaryValue"))) for name, each in given.items()}
    return Message(entry["MessageBody"], attributes)


def _of_secrets(order: Mapping[str, Any]) -> Iterator[Judged]:
    if "SecretString" in order:
        yield SECRET_RULES, SecretValue(order["SecretString"].encode())
    elif "SecretBinary" in order:
        yield SECRET_RULES, SecretValue(base64.b64decode(order["SecretBinary"]))


def _is_of_s3(request: Request) -> bool:
    """Return whether the request is for the bucket service, which its header or presigned address names."""
    query = parse_qs(request.query)
    signed = request.headers.get("authorization", "") + "".join(query.get("X-Amz-Credential", []))
    return "/s3/aws4_request" in signed


def _object_call(request: Request) -> ObjectCall:
    query = parse_qs(request.query, keep_blank_values=True)
    metadata = {
        name.removeprefix(_METADATA): value for name, value in request.headers.items() if name.startswith(_METADATA)
    }
    lasts = query.get("X-Amz-Expires", [""])[0]
    deleted = request.body.count(b"<Key>") if "delete" in query else 0
    return ObjectCall(
        request.path.removeprefix("/").partition("/")[2], metadata, int(lasts) if lasts.isdecimal() else None, deleted
    )
