"""Examples of calls: for each rule a smallest call that breaks it alone, beside one at its limit."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from tests.support.aws.refusals.calls import gateway, invocations, logs, metrics, objects, queues, search, secrets
from tests.support.aws.refusals.calls.gateway import Decision, GatewayCall
from tests.support.aws.refusals.calls.invocations import Invocation
from tests.support.aws.refusals.calls.logs import LogBatch, StreamStarts
from tests.support.aws.refusals.calls.metrics import MetricLine
from tests.support.aws.refusals.calls.objects import ObjectCall
from tests.support.aws.refusals.calls.queues import Batch, Message, QueueOrder
from tests.support.aws.refusals.calls.search import BulkWrite
from tests.support.aws.refusals.calls.secrets import SecretValue
from tests.support.aws.refusals.rule import Rule


@dataclass(frozen=True, slots=True)
class CallExample:
    """Rules of one kind of calls, a call that one of them refuses, and one that all accept."""

    rules: tuple[Rule[Any], ...]
    refused: object
    accepted: object


def _invocations(refused: Invocation, accepted: Invocation) -> CallExample:
    return CallExample(invocations.INVOCATION_RULES, refused, accepted)


def _decisions(refused: Mapping[str, Any], accepted: Mapping[str, Any]) -> CallExample:
    return CallExample(gateway.AUTHORIZER_RULES, Decision(refused), Decision(accepted))


def _gateway(refused: int, accepted: int) -> CallExample:
    line = "POST /mcp HTTP/1.1"

    def call(size: int) -> GatewayCall:
        return GatewayCall(line, [("a", "x" * (size - len(line) - 1))])

    return CallExample(gateway.GATEWAY_RULES, call(refused), call(accepted))


def _bulk(*actions: Mapping[str, Any]) -> BulkWrite:
    return BulkWrite("".join(f"{json.dumps(line)}\n" for line in actions).encode())


def _context(**values: Any) -> dict[str, Any]:
    return {"isAuthorized": True, "context": values}


def _logs(refused: LogBatch, accepted: LogBatch) -> CallExample:
    return CallExample(logs.LOG_RULES, refused, accepted)


def _messages(refused: Message, accepted: Message) -> CallExample:
    return CallExample(queues.MESSAGE_RULES, refused, accepted)


def _batches(refused: Mapping[str, str], accepted: Mapping[str, str]) -> CallExample:
    def batch(bodies: Mapping[str, str]) -> Batch:
        return Batch([(name, Message(body)) for name, body in bodies.items()])

    return CallExample(queues.BATCH_RULES, batch(refused), batch(accepted))


def _objects(refused: ObjectCall, accepted: ObjectCall) -> CallExample:
    return CallExample(objects.OBJECT_RULES, refused, accepted)


def _metrics(refused: Mapping[str, Any], accepted: Mapping[str, Any]) -> CallExample:
    return CallExample(metrics.METRIC_RULES, MetricLine(refused), MetricLine(accepted))


def _line(metric_count: int = 1, dimension_count: int = 1, value_count: int = 1) -> dict[str, Any]:
    names = [f"m{number}" for number in range(metric_count)]
    dimensions = [f"d{number}" for number in range(dimension_count)]
    directive = {"Namespace": "n", "Dimensions": [dimensions], "Metrics": [{"Name": name} for name in names]}
    values: dict[str, Any] = {name: [1] * value_count for name in names}
    return {"_aws": {"CloudWatchMetrics": [directive]}, **values, **dict.fromkeys(dimensions, "x")}


def _attributes(count: int) -> dict[str, str]:
    return {str(number): "x" for number in range(count)}


MB: Final = 1_048_576
DAY_MS: Final = 86_400_000
_FRAME: Final = len('{"a": ""}')
_FOUR: Final = ["x" * (262_144 - 26)] * 4
"""Log lines that are as large as a batch together, each as large as a line in the stricter reading."""
CALL_EXAMPLES: Final[Mapping[str, CallExample]] = {
    "invocation-payload": _invocations(
        Invocation("f", b"x" * (MB + 1), asynchronous=True), Invocation("f", b"x" * MB, asynchronous=True)
    ),
    "invocation-answer": _invocations(
        Invocation("f", b"", answer=b"x" * (6 * MB + 1)), Invocation("f", b"", answer=b"x" * 6 * MB)
    ),
    "tenant-id-missing": _invocations(
        Invocation("f", b"", isolated=True), Invocation("f", b"", isolated=True, tenant="t")
    ),
    "tenant-id-unwanted": _invocations(Invocation("f", b"", tenant="t"), Invocation("f", b"")),
    "tenant-id-form": _invocations(
        Invocation("f", b"", isolated=True, tenant="t" * 257),
        Invocation("f", b"", isolated=True, tenant="t_a-1.b" * 36),
    ),
    "header-total": _gateway(10_241, 10_240),
    "gateway-payload": CallExample(
        gateway.GATEWAY_RULES,
        GatewayCall("POST / HTTP/1.1", [], 10 * MB + 1),
        GatewayCall("POST / HTTP/1.1", [], 10 * MB),
    ),
    "authorizer-answer": _decisions({"isAuthorized": "yes"}, {"isAuthorized": True}),
    "authorizer-context-values": _decisions(_context(tags=["a"]), _context(tags="a", count=1, is_admin=True)),
    "authorizer-context-size": _decisions(_context(a="x" * (8_193 - _FRAME)), _context(a="x" * (8_192 - _FRAME))),
    "message-size": _messages(Message("x" * MB, {"a": "b"}), Message("x" * MB)),
    "message-attributes": _messages(Message("x", _attributes(11)), Message("x", _attributes(10))),
    "message-characters": _messages(Message("a\x00b"), Message("a\t\n\r ä\U0001f600")),
    "batch-entries": _batches(_attributes(11), _attributes(10)),
    "batch-ids": _batches({"a b": "x"}, {"a-b_1" * 16: "x"}),
    "batch-size": _batches({"a": "x" * MB, "b": "x"}, {"a": "x" * (MB - 1), "b": "x"}),
    "queue-order": CallExample(
        queues.ORDER_RULES,
        QueueOrder({"VisibilityTimeout": 43_201}),
        QueueOrder({"VisibilityTimeout": 43_200, "DelaySeconds": 900, "MaxNumberOfMessages": 10}),
    ),
    "object-key": _objects(ObjectCall("ä" * 512 + "x"), ObjectCall("ä" * 512)),
    "object-metadata": _objects(ObjectCall("a", {"b": "x" * 2_048}), ObjectCall("a", {"b": "x" * 2_047})),
    "presigned-age": _objects(ObjectCall("a", lasts_s=604_801), ObjectCall("a", lasts_s=604_800)),
    "objects-deleted": _objects(ObjectCall("", deleted=1_001), ObjectCall("", deleted=1_000)),
    "secret-size": CallExample(secrets.SECRET_RULES, SecretValue(b"x" * 65_537), SecretValue(b"x" * 65_536)),
    "log-batch": _logs(LogBatch([*_FOUR, ""]), LogBatch(_FOUR)),
    "log-event": _logs(LogBatch(["x" * (262_144 - 25)]), LogBatch(["x" * (262_144 - 26)])),
    "log-events": _logs(LogBatch([""] * 10_001), LogBatch([""] * 10_000)),
    "log-order": _logs(LogBatch(["a", "b"], [1, 0]), LogBatch(["a", "b"], [1, 1])),
    "log-span": _logs(LogBatch(["a", "b"], [0, DAY_MS + 1], DAY_MS), LogBatch(["a", "b"], [0, DAY_MS], DAY_MS)),
    "log-age": _logs(LogBatch(["a"], [0], 14 * DAY_MS + 1), LogBatch(["a"], [0], 14 * DAY_MS)),
    "log-streams-per-second": CallExample(
        logs.STREAM_RULES, StreamStarts([0.0] * 51), StreamStarts([0.0] * 50 + [1.0])
    ),
    "metrics-per-line": _metrics(_line(metric_count=101), _line(metric_count=100)),
    "metric-dimensions": _metrics(_line(dimension_count=31), _line(dimension_count=30)),
    "metric-values": _metrics(_line(value_count=101), _line(value_count=100)),
    "custom-document-id": CallExample(
        search.SEARCH_RULES,
        _bulk({"index": {"_index": "i", "_id": "a"}}, {"text": "x"}),
        _bulk({"index": {"_index": "i"}}, {"text": "x"}, {"delete": {"_index": "i", "_id": "a"}}),
    ),
}
