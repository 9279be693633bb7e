"""Each rule of calls finds a smallest call that breaks it alone, and passes one at its limit."""

from typing import Any, Final

import pytest

from tests.server.adapters.aws.refusals.examples.calls import CALL_EXAMPLES, MB, CallExample
from tests.server.adapters.aws.refusals.examples.tables import TABLE_EXAMPLES
from tests.support.aws.refusals.calls import CALL_RULES
from tests.support.aws.refusals.calls.invocations import Invocation
from tests.support.aws.refusals.calls.items import item_size
from tests.support.aws.refusals.calls.tables import TABLE_RULES, TableCall
from tests.support.aws.refusals.rule import Reading, Rule, findings

EXAMPLES: Final = {**CALL_EXAMPLES, **TABLE_EXAMPLES}


def broken(example: CallExample, call: object, reading: Reading = Reading.REFUSED) -> set[str]:
    return {finding.rule for finding in findings(example.rules, call, reading)}


def test_every_rule_has_an_example() -> None:
    assert EXAMPLES.keys() == {rule.id for rule in CALL_RULES}


@pytest.mark.parametrize("rule", EXAMPLES)
def test_a_call_that_breaks_one_rule_breaks_no_other(rule: str) -> None:
    assert broken(EXAMPLES[rule], EXAMPLES[rule].refused) == {rule}


@pytest.mark.parametrize("rule", EXAMPLES)
def test_a_call_at_the_limit_passes_all(rule: str) -> None:
    assert broken(EXAMPLES[rule], EXAMPLES[rule].accepted) == set()


@pytest.mark.parametrize("rule", CALL_RULES, ids=lambda rule: rule.id)
def test_a_disputed_rule_counts_in_one_reading_alone(rule: Rule[Any]) -> None:
    example = EXAMPLES[rule.id]
    assert broken(example, example.refused, Reading.ACCEPTED) == (set() if rule.doubt else {rule.id})


def test_a_synchronous_call_takes_six_megabytes() -> None:
    example = EXAMPLES["invocation-payload"]
    assert broken(example, Invocation("f", b"x" * 6 * MB)) == set()
    assert broken(example, Invocation("f", b"x" * (6 * MB + 1))) == {"invocation-payload"}


@pytest.mark.parametrize(
    ("action", "order"),
    [
        ("GetItem", {"TableName": "t", "Key": {"p": {"S": ""}}}),
        ("UpdateItem", {"TableName": "t", "Key": {"p": {"S": "x" * 2_049}}}),
        ("DeleteItem", {"TableName": "t", "Key": {"p": {"S": "x" * 2_049}}}),
        ("TransactWriteItems", {"TransactItems": [{"Delete": {"TableName": "t", "Key": {"p": {"S": "x" * 2_049}}}}]}),
        ("BatchWriteItem", {"RequestItems": {"t": [{"DeleteRequest": {"Key": {"p": {"S": "x" * 2_049}}}}]}}),
        ("PutItem", {"TableName": "t", "Item": {"p": {"S": "a"}, "indexed": {"S": "x" * 2_049}}}),
    ],
)
def test_keys_are_judged_in_every_kind_of_request_and_in_indexes(action: str, order: dict[str, Any]) -> None:
    call = TableCall(action, order, {"t": (("p", ""), ("indexed", ""))})
    assert {finding.rule for finding in findings(TABLE_RULES, call, Reading.REFUSED)} == {"key-size"}


def test_the_size_of_an_item_counts_names_values_and_containers() -> None:
    item = {
        "text": {"S": "ä"},
        "number": {"N": "-12.50"},
        "bytes": {"B": "YWJj"},
        "flag": {"BOOL": True},
        "none": {"NULL": True},
        "set": {"SS": ["a", "bc"]},
        "list": {"L": [{"S": "a"}, {"N": "1"}]},
        "map": {"M": {"a": {"S": "b"}}},
    }
    names = len("textnumberbytesflagnonesetlistmap")
    assert item_size(item) == names + 2 + 4 + 3 + 1 + 1 + 3 + (3 + 2 + 1 + 2) + (3 + 1 + 2)
