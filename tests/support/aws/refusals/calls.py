"""Rules of calls: what services refuse of a single request, whatever the template.

Only the standard library is imported: MiniStack's own interpreter loads this module, too.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from tests.support.aws.refusals.rule import LOOKED_UP, Rule, Source

_QUOTAS: Final = Source("Lambda developer guide: Lambda quotas; botocore service model lambda, Invoke", LOOKED_UP)
_TENANCY: Final = Source("Lambda developer guide: Tenant isolation; botocore service model lambda, Invoke", LOOKED_UP)
_GATEWAY: Final = Source("API Gateway developer guide: Quotas for configuring and running an HTTP API", LOOKED_UP)
_AUTHORIZER: Final = Source(
    "API Gateway developer guide: Control access to HTTP APIs with Lambda authorizers", LOOKED_UP
)
SYNCHRONOUS_BYTES: Final = 6 * 1_048_576
ASYNCHRONOUS_BYTES: Final = 1_048_576
MESSAGE_BYTES: Final = 1_048_576
HEADER_BYTES: Final = 10_240
BODY_BYTES: Final = 10_485_760
STREAMS_PER_SECOND: Final = 50
BATCH_BYTES: Final = 1_048_576
_EVENT_OVERHEAD: Final = 26
_TENANT: Final = re.compile(r"[a-zA-Z0-9._:/=+\-@ ]{1,256}")
_CONTEXT_BYTES: Final = 8_192


@dataclass(frozen=True, slots=True)
class Invocation:
    """A call of Lambda's `Invoke`, with what the function is.

    Attributes:
        function: name in messages.
        isolated: the function has `TenancyConfig`.
        tenant: `TenantId`; empty for none.
        asynchronous: the invocation type is `Event`.
    """

    function: str
    payload: bytes
    isolated: bool = False
    tenant: str = ""
    asynchronous: bool = False
    answer: bytes = b""


@dataclass(frozen=True, slots=True)
class GatewayCall:
    """A request that reaches an HTTP API."""

    request_line: str
    headers: Sequence[tuple[str, str]]
    body_bytes: int = 0


@dataclass(frozen=True, slots=True)
class Decision:
    """An answer of a Lambda authorizer, version 2.0 with simple responses."""

    answer: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Message:
    """A message to a queue, with its attributes."""

    body: str
    attributes: Mapping[str, str] = field(default_factory=dict[str, str])


@dataclass(frozen=True, slots=True)
class LogBatch:
    """Lines of one `PutLogEvents`."""

    lines: Sequence[str]


@dataclass(frozen=True, slots=True)
class StreamStarts:
    """Times at which an account called `CreateLogStream`, in seconds, in order."""

    times: Sequence[float]


@dataclass(frozen=True, slots=True)
class BulkWrite:
    """Body of a `_bulk` request to a vector collection."""

    body: bytes


def _payload(call: Invocation) -> Iterator[str]:
    limit = ASYNCHRONOUS_BYTES if call.asynchronous else SYNCHRONOUS_BYTES
    kind = "asynchronous" if call.asynchronous else "synchronous"
    if len(call.payload) > limit:
        yield f"{call.function}: {len(call.payload):,} bytes in a {kind} call, at most {limit:,}"


def _answer(call: Invocation) -> Iterator[str]:
    if not call.asynchronous and len(call.answer) > SYNCHRONOUS_BYTES:
        yield f"{call.function}: {len(call.answer):,} bytes of an answer, at most {SYNCHRONOUS_BYTES:,}"


def _tenant_missing(call: Invocation) -> Iterator[str]:
    if call.isolated and not call.tenant:
        yield f"{call.function}: no TenantId"


def _tenant_unwanted(call: Invocation) -> Iterator[str]:
    if call.tenant and not call.isolated:
        yield f"{call.function}: TenantId {call.tenant}"


def _tenant_form(call: Invocation) -> Iterator[str]:
    if call.tenant and not _TENANT.fullmatch(call.tenant):
        yield f"{call.function}: {call.tenant[:300]}"


def _headers(call: GatewayCall) -> Iterator[str]:
    total = len(call.request_line.encode()) + sum(len(f"{name}{value}".encode()) for name, value in call.headers)
    if total > HEADER_BYTES:
        yield f"{call.request_line[:80]}: {total:,} bytes, at most {HEADER_BYTES:,}"


def _body(call: GatewayCall) -> Iterator[str]:
    if call.body_bytes > BODY_BYTES:
        yield f"{call.request_line[:80]}: {call.body_bytes:,} bytes, at most {BODY_BYTES:,}"


def _decision(decision: Decision) -> Iterator[str]:
    if not isinstance(decision.answer.get("isAuthorized"), bool):
        yield "isAuthorized is no boolean"
    if not isinstance(decision.answer.get("context", {}), dict):
        yield "context is no object"


def _context_values(decision: Decision) -> Iterator[str]:
    context = decision.answer.get("context", {})
    if isinstance(context, dict):
        yield from (
            f"{name}: {type(one).__name__}" for name, one in context.items() if not isinstance(one, str | int | float)
        )


def _context_size(decision: Decision) -> Iterator[str]:
    size = len(json.dumps(decision.answer.get("context", {}), ensure_ascii=False).encode())
    if size > _CONTEXT_BYTES:
        yield f"{size:,} bytes, at most {_CONTEXT_BYTES:,}"


def _message(message: Message) -> Iterator[str]:
    size = len(message.body.encode()) + sum(
        len(f"{name}{value}".encode()) for name, value in message.attributes.items()
    )
    if not 0 < size <= MESSAGE_BYTES:
        yield f"{size:,} bytes, 1 to {MESSAGE_BYTES:,}"


def _log_batch(batch: LogBatch) -> Iterator[str]:
    size = sum(len(line.encode()) + _EVENT_OVERHEAD for line in batch.lines)
    if size > BATCH_BYTES:
        yield f"{size:,} bytes, at most {BATCH_BYTES:,}"


def _streams(starts: StreamStarts) -> Iterator[str]:
    for number, time in enumerate(starts.times[STREAMS_PER_SECOND:]):
        if time - starts.times[number] < 1:
            yield f"call {number + STREAMS_PER_SECOND + 1} within a second, at most {STREAMS_PER_SECOND}"
            return


def _custom_ids(write: BulkWrite) -> Iterator[str]:
    for line in write.body.splitlines():
        action: Any = json.loads(line) if line.strip() else {}
        for kind in ("index", "create"):
            if isinstance(action, dict) and len(action) == 1 and "_id" in (action.get(kind) or {}):
                yield f"{kind} with _id {action[kind]['_id']}"
                return


INVOCATION_RULES: Final = (
    Rule(
        "invocation-payload",
        "The payload of an invocation is too large.",
        "6 MB for a synchronous call, 1 MB for an asynchronous one",
        _QUOTAS,
        _payload,
    ),
    Rule(
        "invocation-answer", "The answer of a function is too large.", "6 MB for a synchronous call", _QUOTAS, _answer
    ),
    Rule(
        "tenant-id-missing",
        "A call of a function with tenant isolation names no tenant.",
        '"TenantId is required" (InvalidParameterValueException)',
        _TENANCY,
        _tenant_missing,
    ),
    Rule(
        "tenant-id-unwanted",
        "A call of a function without tenant isolation names a tenant.",
        "InvalidParameterValueException",
        _TENANCY,
        _tenant_unwanted,
    ),
    Rule(
        "tenant-id-form",
        "The id of a tenant has other characters or is too long.",
        "1 to 256 characters of a-z, A-Z, 0-9 and . _ : / = + - @ and space",
        _TENANCY,
        _tenant_form,
    ),
)
GATEWAY_RULES: Final = (
    Rule(
        "header-total",
        "The request line and the headers of a call are too large together.",
        "10,240 bytes for the request line and all header values",
        _GATEWAY,
        _headers,
    ),
    Rule("gateway-payload", "The body of a call is too large.", "10 MB", _GATEWAY, _body),
)
AUTHORIZER_RULES: Final = (
    Rule(
        "authorizer-answer",
        "An authorizer answers without a boolean decision, or with a context that is no object.",
        '{"isAuthorized": true, "context": {…}}; else 500 for the caller',
        _AUTHORIZER,
        _decision,
    ),
    Rule(
        "authorizer-context-values",
        "A value of an authorizer's context is neither text, number nor boolean.",
        "REST APIs refuse objects and arrays; the page of HTTP APIs shows them",
        _AUTHORIZER,
        _context_values,
        doubt="The pages of both kinds of API differ, and $context takes texts alone.",
    ),
    Rule(
        "authorizer-context-size",
        "The context of an authorizer is too large.",
        "8 KB, less than the headers of a call",
        _AUTHORIZER,
        _context_size,
        doubt="No page gives a number; reports name the limit of headers.",
    ),
)
MESSAGE_RULES: Final = (
    Rule(
        "message-size",
        "A message is empty or too large.",
        "1 byte to 1 MiB (1,048,576 bytes), attributes included",
        Source("Amazon SQS developer guide: Message quotas; botocore service model sqs, SendMessage", LOOKED_UP),
        _message,
    ),
)
LOG_RULES: Final = (
    Rule(
        "log-batch",
        "A batch of log events is too large.",
        "1,048,576 bytes, with 26 bytes for each event",
        Source("botocore service model logs, PutLogEvents", LOOKED_UP),
        _log_batch,
    ),
)
STREAM_RULES: Final = (
    Rule(
        "log-streams-per-second",
        "An account creates more log streams in a second than CloudWatch Logs takes.",
        '"There is a limit of 50 TPS on CreateLogStream operations, after which transactions are throttled"',
        Source("botocore service model logs, CreateLogStream", LOOKED_UP),
        _streams,
    ),
)
SEARCH_RULES: Final = (
    Rule(
        "custom-document-id",
        "A write to a vector collection chooses the id of a document.",
        '"Document ID is not supported in create/index operation request"',
        Source(
            "OpenSearch Serverless developer guide: Working with vector search collections; "
            "Migration Assistant: Collection types",
            LOOKED_UP,
        ),
        _custom_ids,
        doubt="On the first page NextGen collections take ids. On the second the server makes them.",
    ),
)
CALL_RULES: Final = (
    *INVOCATION_RULES,
    *GATEWAY_RULES,
    *AUTHORIZER_RULES,
    *MESSAGE_RULES,
    *LOG_RULES,
    *STREAM_RULES,
    *SEARCH_RULES,
)
"""Rules of all kinds of calls."""
