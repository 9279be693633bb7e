"""Rules of Lambda's `Invoke`."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from tests.support.aws.refusals.rule import LOOKED_UP, Rule, Source

_QUOTAS: Final = Source("Lambda developer guide: Lambda quotas; botocore service model lambda, Invoke", LOOKED_UP)
_TENANCY: Final = Source("Lambda developer guide: Tenant isolation; botocore service model lambda, Invoke", LOOKED_UP)
SYNCHRONOUS_BYTES: Final = 6 * 1_048_576
ASYNCHRONOUS_BYTES: Final = 1_048_576
_TENANT: Final = re.compile(r"[a-zA-Z0-9._:/=+\-@ ]{1,256}")


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
