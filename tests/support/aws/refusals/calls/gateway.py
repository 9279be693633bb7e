"""Rules of calls to an HTTP API, and of the answers of its authorizers."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from tests.support.aws.refusals.rule import LOOKED_UP, Rule, Source

_GATEWAY: Final = Source("API Gateway developer guide: Quotas for configuring and running an HTTP API", LOOKED_UP)
_AUTHORIZER: Final = Source(
    "API Gateway developer guide: Control access to HTTP APIs with Lambda authorizers", LOOKED_UP
)
HEADER_BYTES: Final = 10_240
BODY_BYTES: Final = 10_485_760
_CONTEXT_BYTES: Final = 8_192


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
