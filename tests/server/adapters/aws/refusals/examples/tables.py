"""Examples of requests to DynamoDB."""

from collections.abc import Mapping
from typing import Any, Final

from tests.server.adapters.aws.refusals.examples.calls import MB, CallExample
from tests.support.aws.refusals.calls.tables import TABLE_RULES, TableCall

_KEYS: Final = {"t": (("p", "s"), ("listed", "s"))}
"""Keys of a table and of its index."""


def _item(name: str, size: int = 0) -> dict[str, Any]:
    """Return an item with this sort key and a value that makes it so large, in bytes."""
    item = {"p": {"S": "p"}, "s": {"S": name}}
    used = len(f"pps{name}v")
    return {**item, "v": {"S": "x" * (size - used)}} if size else item


def _put(item: Mapping[str, Any], **more: Any) -> TableCall:
    return TableCall("PutItem", {"TableName": "t", "Item": item, **more}, _KEYS)


def _transaction(*items: Mapping[str, Any]) -> TableCall:
    actions = [{"Put": {"TableName": "t", "Item": item}} for item in items]
    return TableCall("TransactWriteItems", {"TransactItems": actions}, _KEYS)


def _reads(count: int) -> TableCall:
    keys = [_item(str(number)) for number in range(count)]
    return TableCall("BatchGetItem", {"RequestItems": {"t": {"Keys": keys}}}, _KEYS)


def _writes(*items: Mapping[str, Any]) -> TableCall:
    requests = [{"PutRequest": {"Item": item}} for item in items]
    return TableCall("BatchWriteItem", {"RequestItems": {"t": requests}}, _KEYS)


def _items(count: int, size: int = 0) -> list[dict[str, Any]]:
    return [_item(f"{number:03}", size) for number in range(count)]


def _query(values: Mapping[str, Any], **expressions: str) -> TableCall:
    return TableCall("Query", {"TableName": "t", "ExpressionAttributeValues": values, **expressions}, _KEYS)


def _example(refused: TableCall, accepted: TableCall) -> CallExample:
    return CallExample(TABLE_RULES, refused, accepted)


def _among(count: int) -> TableCall:
    return _query({}, FilterExpression=f"v IN ({', '.join(f':{number}' for number in range(count))})")


_LARGEST: Final = 409_600
TABLE_EXAMPLES: Final[Mapping[str, CallExample]] = {
    "item-size": _example(_put(_item("a", _LARGEST + 1)), _put(_item("a", _LARGEST))),
    "key-size": _example(_put(_item("x" * 1_025)), _put(_item("x" * 1_024))),
    "expression-size": _example(
        _query({}, KeyConditionExpression="x" * 4_097), _query({}, KeyConditionExpression="x" * 4_096)
    ),
    "expression-operands": _example(_among(101), _among(100)),
    "expression-values": _example(_query({":a": {"S": "x" * (2 * MB - 1)}}), _query({":a": {"S": "x" * (2 * MB - 2)}})),
    "transaction-actions": _example(_transaction(*_items(101)), _transaction(*_items(100))),
    "transaction-size": _example(
        _transaction(*_items(10, _LARGEST), _item("a", 4 * MB - 10 * _LARGEST + 1)),
        _transaction(*_items(10, _LARGEST), _item("a", 4 * MB - 10 * _LARGEST)),
    ),
    "transaction-same-item": _example(_transaction(_item("a"), _item("a", 20)), _transaction(_item("a"), _item("b"))),
    "batch-read-keys": _example(_reads(101), _reads(100)),
    "batch-write-requests": _example(_writes(*_items(26)), _writes(*_items(25))),
    "batch-duplicates": _example(_writes(_item("a"), _item("a", 20)), _writes(_item("a"), _item("b"))),
}
