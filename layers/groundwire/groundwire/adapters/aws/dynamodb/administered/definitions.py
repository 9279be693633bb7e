"""Definitions of tenants in DynamoDB: rows beside those of their documents.

The states of MCP sources are in a partition of their own, so that a role can have rights to them alone.

A row of its own per kind counts the tenant's definitions. It changes in the transaction that adds or removes one, so
that concurrent writers cannot exceed the limit.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from groundwire.adapters.aws.dynamodb.client.attributes import blob, number, read_blob, read_number, read_text, text
from groundwire.adapters.aws.dynamodb.client.errors import ConditionFailed
from groundwire.adapters.aws.dynamodb.client.retry import retry_on_conflict
from groundwire.adapters.aws.dynamodb.client.table import DynamoTable
from groundwire.domain import errors
from groundwire.domain.limits import MAX_DEFINITIONS
from groundwire.ports.definitions import (
    DefinitionKey,
    DefinitionKind,
    DefinitionWrite,
    Precondition,
    Presence,
    StoredDefinition,
    check_count,
    check_deletion,
    check_precondition,
)
from groundwire.retry import RetryPolicy, retry_on

if TYPE_CHECKING:
    from types_boto3_dynamodb import DynamoDBClient
    from types_boto3_dynamodb.type_defs import DeleteTypeDef, TransactWriteItemTypeDef

    from groundwire.adapters.aws.dynamodb.client.attributes import Item

DEFINITION_PREFIX: Final = "definition#"
STATE_PARTITION_PREFIX: Final = "source-state#"
"""Prefix of the tenant in the partition of the states of its sources."""
_STATE_KINDS: Final = (DefinitionKind.SOURCE_STATE, DefinitionKind.SOURCE_LISTING)
_COUNT_PREFIX: Final = "definition-count#"
_OF_KIND: Final = "tenant = :tenant AND begins_with(id, :prefix)"
_REPLACE: Final = "SET body = :body, tag = :tag, updated_at = :updated_at"
_COUNT: Final = "ADD definition_count :change"
_CONTENDED: Final = RetryPolicy(8)
"""Attempts of a write that expects nothing while others create and delete the same definition."""


class DynamoDefinitions:
    """Implements `ports.Definitions`."""

    def __init__(self, client: "DynamoDBClient", table: str) -> None:
        self._table = DynamoTable(client, table)

    def find(self, tenant: str, kind: DefinitionKind, name: str) -> StoredDefinition | None:
        """Return the definition, or None."""
        item = self._table.get(_row(tenant, kind, name))
        return None if item is None else _definition(item, kind)

    def read(self, tenant: str, keys: Sequence[DefinitionKey]) -> dict[DefinitionKey, StoredDefinition]:
        """Return the definitions of these keys that exist; one request for up to 100 keys."""
        kinds = {_id(kind, name): kind for kind, name in keys}
        items = self._table.get_all([_row(tenant, kind, name) for kind, name in dict.fromkeys(keys)])
        found = [_definition(item, kinds[read_text(item, "id")]) for item in items]
        return {(each.kind, each.name): each for each in found}

    def list_all(self, tenant: str, kind: DefinitionKind) -> list[StoredDefinition]:
        """Return the definitions by name."""
        values = {":tenant": text(_partition(tenant, kind)), ":prefix": text(_id(kind, ""))}
        return [_definition(item, kind) for item in self._table.query(_OF_KIND, values)]

    def put(self, tenant: str, definition: StoredDefinition, expected: Precondition) -> DefinitionWrite:
        """Create or replace the definition.

        Raises:
            PreconditionFailed: the stored definition is not as expected.
            Conflict: the tenant has as many of this kind as it can have.
        """
        if expected is Presence.ABSENT:
            return self._create(tenant, definition)
        if expected is Presence.ANY:
            return self._create_or_replace(tenant, definition)
        return self._replace(tenant, definition, expected)

    def delete(self, tenant: str, kind: DefinitionKind, name: str, expected: Precondition) -> None:
        """Delete the definition.

        Raises:
            PreconditionFailed: the stored definition is not as expected.
            NotFound: there is none, and `expected` does not refuse that.
        """
        row = _row(tenant, kind, name)
        if expected is Presence.ABSENT:
            check_deletion(expected, _tag(self._table.get(row)))
        condition, values = _stored_condition(expected)
        deletion: DeleteTypeDef = {
            "TableName": self._table.name,
            "Key": row,
            "ConditionExpression": condition,
            "ReturnValuesOnConditionCheckFailure": "ALL_OLD",
        }
        if values:
            deletion["ExpressionAttributeValues"] = values
        try:
            self._table.transact([{"Delete": deletion}, self._uncounted(tenant, kind)])
        except ConditionFailed as failed:
            check_deletion(expected, _tag(failed.items[0]))
            raise

    def _create_or_replace(self, tenant: str, definition: StoredDefinition) -> DefinitionWrite:
        def write() -> DefinitionWrite:
            try:
                return self._replace(tenant, definition, Presence.PRESENT)
            except errors.PreconditionFailed:
                return self._create(tenant, definition)

        try:
            return retry_on(errors.PreconditionFailed, write, _CONTENDED)
        except errors.PreconditionFailed as error:
            raise errors.Unavailable(
                "Other calls create and delete this definition at the same time. Try again soon.", retry_after_s=1
            ) from error

    def _create(self, tenant: str, definition: StoredDefinition) -> DefinitionWrite:
        insertion = self._table.insert_request(_item(tenant, definition), "id")
        try:
            self._table.transact([{"Put": insertion}, self._counted(tenant, definition.kind)])
        except ConditionFailed as failed:
            # The items are in the order of the writes: the definition, then the count.
            check_precondition(Presence.ABSENT, _tag(failed.items[0]))
            check_count(definition.kind, MAX_DEFINITIONS)
            raise
        return DefinitionWrite(definition, is_new=True)

    def _replace(self, tenant: str, definition: StoredDefinition, expected: Precondition) -> DefinitionWrite:
        condition, values = _stored_condition(expected)
        values = {
            **values,
            ":body": blob(definition.body),
            ":tag": text(definition.tag),
            ":updated_at": number(definition.updated_at),
        }
        if isinstance(expected, str):
            # A client that did not get the answer repeats the write, and finds its own content.
            condition = f"{condition} OR tag = :tag"
        row = _row(tenant, definition.kind, definition.name)
        try:
            before = retry_on_conflict(lambda: self._table.update(row, _REPLACE, condition, values))
        except ConditionFailed as failed:
            check_precondition(expected, _tag(failed.items[0]))
            raise
        return DefinitionWrite(definition._replace(created_at=read_number(before, "created_at")), is_new=False)

    def _counted(self, tenant: str, kind: DefinitionKind) -> "TransactWriteItemTypeDef":
        values = {":change": number(1), ":limit": number(MAX_DEFINITIONS)}
        condition = "attribute_not_exists(definition_count) OR definition_count < :limit"
        return {"Update": self._table.update_request(_count_row(tenant, kind), _COUNT, condition, values)}

    def _uncounted(self, tenant: str, kind: DefinitionKind) -> "TransactWriteItemTypeDef":
        # Without a condition: a deletion never fails for the count's sake.
        return {
            "Update": {
                "TableName": self._table.name,
                "Key": _count_row(tenant, kind),
                "UpdateExpression": _COUNT,
                "ExpressionAttributeValues": {":change": number(-1)},
            }
        }


def _id(kind: DefinitionKind, name: str) -> str:
    return f"{DEFINITION_PREFIX}{kind}#{name}"


def _partition(tenant: str, kind: DefinitionKind) -> str:
    return STATE_PARTITION_PREFIX + tenant if kind in _STATE_KINDS else tenant


def _row(tenant: str, kind: DefinitionKind, name: str) -> "Item":
    return {"tenant": text(_partition(tenant, kind)), "id": text(_id(kind, name))}


def _count_row(tenant: str, kind: DefinitionKind) -> "Item":
    return {"tenant": text(_partition(tenant, kind)), "id": text(_COUNT_PREFIX + kind)}


def _stored_condition(expected: Presence | str) -> "tuple[str, Item]":
    """Return the condition that there is a definition, and that it has the expected tag where one is given."""
    if isinstance(expected, str):
        return "tag = :expected", {":expected": text(expected)}
    return "attribute_exists(tag)", {}


def _tag(item: "Item | None") -> str | None:
    return None if item is None else read_text(item, "tag")


def _item(tenant: str, definition: StoredDefinition) -> "Item":
    return {
        **_row(tenant, definition.kind, definition.name),
        "body": blob(definition.body),
        "tag": text(definition.tag),
        "created_at": number(definition.created_at),
        "updated_at": number(definition.updated_at),
    }


def _definition(item: "Item", kind: DefinitionKind) -> StoredDefinition:
    return StoredDefinition(
        kind=kind,
        name=read_text(item, "id").removeprefix(_id(kind, "")),
        body=read_blob(item, "body"),
        tag=read_text(item, "tag"),
        created_at=read_number(item, "created_at"),
        updated_at=read_number(item, "updated_at"),
    )
