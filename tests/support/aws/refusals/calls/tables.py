"""Rules of calls to DynamoDB: sizes of items, keys, transactions, batches and expressions."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from tests.support.aws.refusals.calls.items import item_size, value_size
from tests.support.aws.refusals.rule import LOOKED_UP, Rule, Source, above

_CONSTRAINTS: Final = Source(
    "https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Constraints.html", LOOKED_UP
)
_MB: Final = 1_048_576
ITEM_BYTES: Final = 409_600
ACTIONS: Final = 100
TRANSACTION_BYTES: Final = 4 * _MB
READ_AT_ONCE: Final = 100
WRITTEN_AT_ONCE: Final = 25
PARTITION_BYTES: Final = 2_048
SORT_BYTES: Final = 1_024
EXPRESSION_BYTES: Final = 4_096
OPERANDS: Final = 100
VALUE_BYTES: Final = 2 * _MB
_EXPRESSIONS: Final = (
    *("ConditionExpression", "FilterExpression", "KeyConditionExpression", "ProjectionExpression"),
    "UpdateExpression",
)
_OPERANDS: Final = re.compile(r"\bIN\s*\(([^)]*)\)", re.IGNORECASE)

Item = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class TableCall:
    """A request to DynamoDB.

    Attributes:
        action: such as `PutItem`.
        keys: attributes of the partition and the sort key of each table, first, and of its indexes; the second is
            empty where there is none. A table that nobody knows is left out.
    """

    action: str
    order: Mapping[str, Any]
    keys: Mapping[str, tuple[tuple[str, str], ...]] = field(default_factory=dict[str, tuple[tuple[str, str], ...]])

    def parts(self) -> Iterator[tuple[str, Item]]:
        """Yield the parts of the request that name items, each with its table: actions, puts, deletions, reads."""
        if "TransactItems" in self.order:
            for action in self.order["TransactItems"]:
                yield from ((part["TableName"], part) for part in action.values())
        elif "RequestItems" in self.order:
            for table, requested in self.order["RequestItems"].items():
                yield from ((table, part) for part in _of_batch(requested))
        else:
            yield self.order.get("TableName", ""), self.order

    def puts(self) -> Iterator[tuple[str, Item]]:
        """Yield the items that the request puts, each with its table."""
        return ((table, part["Item"]) for table, part in self.parts() if "Item" in part)

    def named(self) -> Iterator[tuple[str, Item]]:
        """Yield the key of each item that the request names; of a put, where the key of the table is known."""
        for table, part in self.parts():
            if "Key" in part:
                yield table, part["Key"]
            elif "Item" in part and table in self.keys:
                yield table, {name: part["Item"].get(name) for name in self.keys[table][0] if name}


def _of_batch(requested: Any) -> Iterator[Item]:
    if isinstance(requested, Mapping):
        yield from ({"Key": key} for key in requested.get("Keys", []))
        return
    for request in requested:
        yield request.get("PutRequest") or request["DeleteRequest"]


def _items(call: TableCall) -> Iterator[str]:
    return above(ITEM_BYTES, ((table, item_size(item)) for table, item in call.puts()), "bytes")


def _keys(call: TableCall) -> Iterator[str]:
    for table, item in (*call.puts(), *call.named()):
        for partition, sort in call.keys.get(table, ()):
            yield from _key(f"{table}: {partition}", item.get(partition), PARTITION_BYTES)
            yield from _key(f"{table}: {sort}", item.get(sort), SORT_BYTES)


def _key(place: str, value: Any, limit: int) -> Iterator[str]:
    if value is not None and not 0 < value_size(value) <= limit:
        yield f"{place} has {value_size(value):,} bytes, 1 to {limit:,}"


def _actions(call: TableCall) -> Iterator[str]:
    return above(ACTIONS, [(call.action, len(call.order.get("TransactItems", [])))], "actions")


def _same_item(call: TableCall) -> Iterator[str]:
    if "TransactItems" in call.order:
        yield from (f"{call.action}: two actions on {key}" for key in _repeated(call.named()))


def _duplicates(call: TableCall) -> Iterator[str]:
    if "RequestItems" in call.order:
        yield from (f"{call.action}: {key} twice" for key in _repeated(call.named()))


def _repeated(named: Iterable[tuple[str, Item]]) -> Iterator[str]:
    seen: set[str] = set()
    for table, key in named:
        text = json.dumps([table, key], sort_keys=True)
        if text in seen:
            yield text
        seen.add(text)


def _transaction_size(call: TableCall) -> Iterator[str]:
    if "TransactItems" in call.order:
        size = sum(_content(part) for _, part in call.parts())
        yield from above(TRANSACTION_BYTES, [(call.action, size)], "bytes")


def _content(part: Item) -> int:
    return sum(item_size(part.get(member, {})) for member in ("Item", "Key", "ExpressionAttributeValues"))


def _read_at_once(call: TableCall) -> Iterator[str]:
    if call.action == "BatchGetItem":
        yield from above(READ_AT_ONCE, [(call.action, sum(1 for _ in call.parts()))], "keys")


def _written_at_once(call: TableCall) -> Iterator[str]:
    if call.action == "BatchWriteItem":
        yield from above(WRITTEN_AT_ONCE, [(call.action, sum(1 for _ in call.parts()))], "requests")


def _expressions(call: TableCall) -> Iterator[tuple[str, str]]:
    for _, part in call.parts():
        yield from ((name, part[name]) for name in _EXPRESSIONS if part.get(name))


def _expression_sizes(call: TableCall) -> Iterator[str]:
    return above(EXPRESSION_BYTES, ((name, len(text.encode())) for name, text in _expressions(call)), "bytes")


def _operands(call: TableCall) -> Iterator[str]:
    counted = ((name, found.count(",") + 1) for name, text in _expressions(call) for found in _OPERANDS.findall(text))
    return above(OPERANDS, counted, "operands of IN")


def _expression_values(call: TableCall) -> Iterator[str]:
    for _, part in call.parts():
        names = part.get("ExpressionAttributeNames", {})
        size = item_size(part.get("ExpressionAttributeValues", {}))
        size += sum(len(f"{name}{text}".encode()) for name, text in names.items())
        yield from above(VALUE_BYTES, [(call.action, size)], "bytes of names and values")


def _rule(name: str, refuses: str, figure: str, check: Any) -> Rule[TableCall]:
    return Rule(name, refuses, figure, _CONSTRAINTS, check)


def _model_rule(name: str, refuses: str, figure: str, action: str, check: Any) -> Rule[TableCall]:
    return Rule(name, refuses, figure, Source(f"botocore service model dynamodb, {action}", LOOKED_UP), check)


TABLE_RULES: Final = (
    _rule("item-size", "An item is too large.", "400 KB, names of attributes included", _items),
    _rule(
        "key-size",
        "A key of a table or index is empty or too long.",
        "partition key 1 to 2,048 bytes, sort key 1 to 1,024 bytes",
        _keys,
    ),
    _rule("expression-size", "An expression is too long.", "4 KB for any expression string", _expression_sizes),
    _rule("expression-operands", "A condition compares with too many values.", "100 operands of IN", _operands),
    _rule(
        "expression-values",
        "The names and values of an expression are too large.",
        "2 MB for all substitution variables in an expression",
        _expression_values,
    ),
    _model_rule(
        "transaction-actions", "A transaction has too many actions.", "100 actions", "TransactWriteItems", _actions
    ),
    _model_rule(
        "transaction-size",
        "The items of a transaction are too large together.",
        "4 MB, the aggregate size of the items",
        "TransactWriteItems",
        _transaction_size,
    ),
    _model_rule(
        "transaction-same-item",
        "Two actions of a transaction are about one item.",
        '"Transaction request cannot include multiple operations on one item"',
        "TransactWriteItems",
        _same_item,
    ),
    _model_rule(
        "batch-read-keys",
        "A call reads too many items at once.",
        '"Too many items requested for the BatchGetItem call" beyond 100',
        "BatchGetItem",
        _read_at_once,
    ),
    _model_rule(
        "batch-write-requests",
        "A call writes too many items at once.",
        "25 put or delete operations",
        "BatchWriteItem",
        _written_at_once,
    ),
    _model_rule(
        "batch-duplicates",
        "A call names one item twice.",
        '"Provided list of item keys contains duplicates"',
        "BatchGetItem and BatchWriteItem",
        _duplicates,
    ),
)
