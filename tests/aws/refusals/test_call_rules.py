"""Each rule of calls finds a smallest call that breaks it alone, and passes one at its limit."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import pytest

from tests.support.aws.refusals import calls
from tests.support.aws.refusals.calls import (
    BulkWrite,
    Decision,
    GatewayCall,
    Invocation,
    LogBatch,
    Message,
    StreamStarts,
)
from tests.support.aws.refusals.rule import Reading, Rule, findings


@dataclass(frozen=True, slots=True)
class Example:
    """Rules of one kind of calls, a call that one of them refuses, and one that all accept."""

    rules: tuple[Rule[Any], ...]
    refused: object
    accepted: object


def invocations(refused: Invocation, accepted: Invocation) -> Example:
    return Example(calls.INVOCATION_RULES, refused, accepted)


def decisions(refused: Mapping[str, Any], accepted: Mapping[str, Any]) -> Example:
    return Example(calls.AUTHORIZER_RULES, Decision(refused), Decision(accepted))


def gateway(refused: int, accepted: int) -> Example:
    line = "POST /mcp HTTP/1.1"

    def call(size: int) -> GatewayCall:
        return GatewayCall(line, [("a", "x" * (size - len(line) - 1))])

    return Example(calls.GATEWAY_RULES, call(refused), call(accepted))


def bulk(*actions: Mapping[str, Any]) -> BulkWrite:
    return BulkWrite("".join(f"{json.dumps(line)}\n" for line in actions).encode())


def context(**values: Any) -> dict[str, Any]:
    return {"isAuthorized": True, "context": values}


MB: Final = 1_048_576
FRAME: Final = len('{"a": ""}')
EXAMPLES: Final[Mapping[str, Example]] = {
    "invocation-payload": invocations(
        Invocation("f", b"x" * (MB + 1), asynchronous=True), Invocation("f", b"x" * MB, asynchronous=True)
    ),
    "invocation-answer": invocations(
        Invocation("f", b"", answer=b"x" * (6 * MB + 1)), Invocation("f", b"", answer=b"x" * 6 * MB)
    ),
    "tenant-id-missing": invocations(
        Invocation("f", b"", isolated=True), Invocation("f", b"", isolated=True, tenant="t")
    ),
    "tenant-id-unwanted": invocations(Invocation("f", b"", tenant="t"), Invocation("f", b"")),
    "tenant-id-form": invocations(
        Invocation("f", b"", isolated=True, tenant="t" * 257),
        Invocation("f", b"", isolated=True, tenant="t_a-1.b" * 36),
    ),
    "header-total": gateway(10_241, 10_240),
    "gateway-payload": Example(
        calls.GATEWAY_RULES,
        GatewayCall("POST / HTTP/1.1", [], 10 * MB + 1),
        GatewayCall("POST / HTTP/1.1", [], 10 * MB),
    ),
    "authorizer-answer": decisions({"isAuthorized": "yes"}, {"isAuthorized": True}),
    "authorizer-context-values": decisions(context(tags=["a"]), context(tags="a", count=1, is_admin=True)),
    "authorizer-context-size": decisions(context(a="x" * (8_193 - FRAME)), context(a="x" * (8_192 - FRAME))),
    "message-size": Example(calls.MESSAGE_RULES, Message("x" * MB, {"a": "b"}), Message("x" * MB)),
    "log-batch": Example(calls.LOG_RULES, LogBatch(["x" * (MB - 25)]), LogBatch(["x" * (MB - 26)])),
    "log-streams-per-second": Example(calls.STREAM_RULES, StreamStarts([0.0] * 51), StreamStarts([0.0] * 50 + [1.0])),
    "custom-document-id": Example(
        calls.SEARCH_RULES,
        bulk({"index": {"_index": "i", "_id": "a"}}, {"text": "x"}),
        bulk({"index": {"_index": "i"}}, {"text": "x"}, {"delete": {"_index": "i", "_id": "a"}}),
    ),
}


def broken(example: Example, call: object, reading: Reading = Reading.REFUSED) -> set[str]:
    return {finding.rule for finding in findings(example.rules, call, reading)}


def test_every_rule_has_an_example() -> None:
    assert EXAMPLES.keys() == {rule.id for rule in calls.CALL_RULES}


@pytest.mark.parametrize("rule", EXAMPLES)
def test_a_call_that_breaks_one_rule_breaks_no_other(rule: str) -> None:
    assert broken(EXAMPLES[rule], EXAMPLES[rule].refused) == {rule}


@pytest.mark.parametrize("rule", EXAMPLES)
def test_a_call_at_the_limit_passes_all(rule: str) -> None:
    assert broken(EXAMPLES[rule], EXAMPLES[rule].accepted) == set()


@pytest.mark.parametrize("rule", calls.CALL_RULES, ids=lambda rule: rule.id)
def test_a_disputed_rule_counts_in_one_reading_alone(rule: Rule[Any]) -> None:
    example = EXAMPLES[rule.id]
    assert broken(example, example.refused, Reading.ACCEPTED) == (set() if rule.doubt else {rule.id})


def test_a_synchronous_call_takes_six_megabytes() -> None:
    example = EXAMPLES["invocation-payload"]
    assert broken(example, Invocation("f", b"x" * 6 * MB)) == set()
    assert broken(example, Invocation("f", b"x" * (6 * MB + 1))) == {"invocation-payload"}
