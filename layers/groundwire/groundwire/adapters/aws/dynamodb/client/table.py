"""One DynamoDB table, always read consistently, with the errors of `client.errors`."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Final

from groundwire.adapters.aws.dynamodb.client.errors import translated_errors
from groundwire.adapters.aws.dynamodb.client.retry import retry_on_conflict
from groundwire.domain import errors

if TYPE_CHECKING:
    from types_boto3_dynamodb import DynamoDBClient
    from types_boto3_dynamodb.type_defs import (
        AttributeValueTypeDef,
        PutItemInputTypeDef,
        PutTypeDef,
        QueryInputTypeDef,
        ScanInputTypeDef,
        TransactWriteItemTypeDef,
        UpdateTypeDef,
        WriteRequestUnionTypeDef,
    )

    from groundwire.adapters.aws.dynamodb.client.attributes import Item

_READS_A_BATCH: Final = 100
_WRITES_A_BATCH: Final = 25
_MAX_BATCH_ATTEMPTS: Final = 10
"""Requests for the unprocessed rest of a batch."""


class DynamoTable:
    """Rows of one table.

    Every method raises Unavailable. A method with a condition raises `ConditionFailed`, with the current row, when the
    condition does not hold.
    """

    def __init__(self, client: "DynamoDBClient", name: str) -> None:
        self.client: Final = client
        self.name: Final = name

    def get(self, row: "Item") -> "Item | None":
        """Return the row of this key, or None."""
        with translated_errors(self.name):
            return self.client.get_item(TableName=self.name, Key=row, ConsistentRead=True).get("Item")

    def get_all(self, rows: Iterable["Item"]) -> "list[Item]":
        """Return the rows that exist, in any order."""
        found: list[Item] = []
        for batch in _batches(rows, _READS_A_BATCH):
            found.extend(self._get_batch(batch))
        return found

    def query(self, condition: str, values: "Item", attributes: Sequence[str] = ()) -> "Iterator[Item]":
        """Return the rows of one partition by sort key, page by page; whole rows, or only these attributes."""
        request: QueryInputTypeDef = {
            "TableName": self.name,
            "KeyConditionExpression": condition,
            "ExpressionAttributeValues": values,
            "ConsistentRead": True,
        }
        if attributes:
            # Placeholders for the names, because many names are reserved words.
            names = {f"#{number}": name for number, name in enumerate(attributes)}
            request["ProjectionExpression"] = ", ".join(names)
            request["ExpressionAttributeNames"] = names
        while True:
            with translated_errors(self.name):
                page = self.client.query(**request)
            yield from page["Items"]
            if "LastEvaluatedKey" not in page:
                return
            request["ExclusiveStartKey"] = page["LastEvaluatedKey"]

    def scan(self, condition: str, values: "Item") -> "Iterator[Item]":
        """Return the rows for which the condition holds; reads the whole table."""
        request: ScanInputTypeDef = {
            "TableName": self.name,
            "FilterExpression": condition,
            "ExpressionAttributeValues": values,
            "ConsistentRead": True,
        }
        while True:
            with translated_errors(self.name):
                page = self.client.scan(**request)
            yield from page["Items"]
            if "LastEvaluatedKey" not in page:
                return
            request["ExclusiveStartKey"] = page["LastEvaluatedKey"]

    def put(self, item: "Item") -> None:
        """Write the row, whatever it was before."""
        with translated_errors(self.name):
            self.client.put_item(TableName=self.name, Item=item)

    def insert(self, item: "Item", condition: str, values: "Item | None" = None) -> None:
        """Write the row, if the condition on the stored one holds."""
        request: PutItemInputTypeDef = {"TableName": self.name, "Item": item, "ConditionExpression": condition}
        if values:
            request["ExpressionAttributeValues"] = values
        with translated_errors(self.name):
            self.client.put_item(**request)

    def update(self, row: "Item", change: str, condition: str, values: "Item") -> "Item":
        """Update the row and return its previous attributes."""
        with translated_errors(self.name):
            answer = self.client.update_item(
                **self.update_request(row, change, condition, values),
                ReturnValues="ALL_OLD",
            )
        return answer.get("Attributes", {})

    def delete(self, row: "Item", condition: str) -> None:
        """Delete the row, if the condition holds."""
        with translated_errors(self.name):
            self.client.delete_item(TableName=self.name, Key=row, ConditionExpression=condition)

    def transact(self, writes: "Sequence[TransactWriteItemTypeDef]") -> None:
        """Write all or nothing; repeats after a conflict with another transaction.

        The client's own repeats of one request carry one token, so that they count as one.
        """
        retry_on_conflict(lambda: self.transact_once(writes))

    def transact_once(self, writes: "Sequence[TransactWriteItemTypeDef]") -> None:
        """Write all or nothing; raises `TransactionConflict` where another transaction is writing."""
        with translated_errors(self.name):
            self.client.transact_write_items(TransactItems=writes)

    def delete_all(self, rows: Iterable["Item"]) -> int:
        """Delete the rows of these keys; return the number of keys."""
        deleted = 0
        for batch in _batches(rows, _WRITES_A_BATCH):
            self._delete_batch(batch)
            deleted += len(batch)
        return deleted

    def insert_request(self, item: "Item", id_name: str) -> "PutTypeDef":
        """Build the transaction part that inserts a row, which must not exist yet."""
        return {
            "TableName": self.name,
            "Item": item,
            "ConditionExpression": f"attribute_not_exists({id_name})",
            "ReturnValuesOnConditionCheckFailure": "ALL_OLD",
        }

    def update_request(self, row: "Item", change: str, condition: str, values: "Item") -> "UpdateTypeDef":
        """Build the transaction part that updates a row for which the condition holds."""
        return {
            "TableName": self.name,
            "Key": row,
            "UpdateExpression": change,
            "ConditionExpression": condition,
            "ExpressionAttributeValues": values,
            "ReturnValuesOnConditionCheckFailure": "ALL_OLD",
        }

    def _get_batch(self, rows: "list[Item]") -> "Iterator[Item]":
        wanted: Mapping[str, list[Mapping[str, AttributeValueTypeDef]]] = {self.name: rows}
        for _ in range(_MAX_BATCH_ATTEMPTS):
            with translated_errors(self.name):
                answer = self.client.batch_get_item(
                    RequestItems={self.name: {"Keys": wanted[self.name], "ConsistentRead": True}}
                )
            yield from answer["Responses"].get(self.name, [])
            unprocessed = answer["UnprocessedKeys"].get(self.name)
            if unprocessed is None:
                return
            wanted = {self.name: [*unprocessed["Keys"]]}
        raise _busy(self.name)

    def _delete_batch(self, rows: "list[Item]") -> None:
        wanted: Sequence[WriteRequestUnionTypeDef] = [{"DeleteRequest": {"Key": row}} for row in rows]
        for _ in range(_MAX_BATCH_ATTEMPTS):
            with translated_errors(self.name):
                answer = self.client.batch_write_item(RequestItems={self.name: wanted})
            wanted = answer["UnprocessedItems"].get(self.name, [])
            if not wanted:
                return
        raise _busy(self.name)


def _busy(table: str) -> errors.Unavailable:
    return errors.Unavailable(f"The table {table} is asked too much: repeat soon.", retry_after_s=1)


def _batches(rows: "Iterable[Item]", size: int) -> "Iterator[list[Item]]":
    batch: list[Item] = []
    for row in rows:
        batch.append(row)
        if len(batch) == size:
            yield batch
            batch = []
    if batch:
        yield batch
