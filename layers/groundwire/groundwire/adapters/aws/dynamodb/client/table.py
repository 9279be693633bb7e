"""One DynamoDB table, always read consistently, with the errors of `client.errors`."""

import random
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Final, TypeVar

from groundwire.adapters.aws.dynamodb.client.errors import translated_errors
from groundwire.adapters.aws.dynamodb.client.retry import retry_on_conflict
from groundwire.domain import errors
from groundwire.retry import Backoff, RetryBudget, RetryPolicy

if TYPE_CHECKING:
    from types_boto3_dynamodb import DynamoDBClient
    from types_boto3_dynamodb.type_defs import (
        DeleteItemInputTypeDef,
        PutItemInputTypeDef,
        PutTypeDef,
        QueryInputTypeDef,
        ScanInputTypeDef,
        TransactWriteItemTypeDef,
        UpdateItemInputTypeDef,
        UpdateTypeDef,
        WriteRequestUnionTypeDef,
    )

    from groundwire.adapters.aws.dynamodb.client.attributes import Item

_READS_A_BATCH: Final = 100
_WRITES_A_BATCH: Final = 25
_UNPROCESSED: Final = RetryPolicy(10, Backoff(time.sleep, random.random, first_s=0.01, longest_s=0.2))
"""Requests for the rest of a batch, after requests that processed nothing."""

Rest = TypeVar("Rest")


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
        return self.select(request)

    def select(self, request: "QueryInputTypeDef") -> "Iterator[Item]":
        """Return the items of a query of this table or of one of its indexes, page by page as they are consumed."""
        while True:
            with translated_errors(self.name):
                page = self.client.query(**request)
            yield from page["Items"]
            if "LastEvaluatedKey" not in page:
                return
            request = {**request, "ExclusiveStartKey": page["LastEvaluatedKey"]}

    def scan(self, condition: str, values: "Item") -> "Iterator[Item]":
        """Return the rows for which the condition holds; reads the whole table."""
        return self._scan(
            {
                "TableName": self.name,
                "FilterExpression": condition,
                "ExpressionAttributeValues": values,
                "ConsistentRead": True,
            }
        )

    def scan_index(self, index: str) -> "Iterator[Item]":
        """Return all items of a secondary index; it may lack the latest writes."""
        return self._scan({"TableName": self.name, "IndexName": index})

    def _scan(self, request: "ScanInputTypeDef") -> "Iterator[Item]":
        while True:
            with translated_errors(self.name):
                page = self.client.scan(**request)
            yield from page["Items"]
            if "LastEvaluatedKey" not in page:
                return
            request = {**request, "ExclusiveStartKey": page["LastEvaluatedKey"]}

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

    def update(
        self, row: "Item", change: str, condition: str, values: "Item", names: Mapping[str, str] | None = None
    ) -> "Item":
        """Update the row and return its previous attributes; `names` are of placeholders for reserved words."""
        request: UpdateItemInputTypeDef = {
            **self.update_request(row, change, condition, values),
            "ReturnValues": "ALL_OLD",
        }
        if names:
            request["ExpressionAttributeNames"] = names
        with translated_errors(self.name):
            answer = self.client.update_item(**request)
        return answer.get("Attributes", {})

    def upsert(self, row: "Item", change: str, values: "Item") -> None:
        """Update the row, or create it if it is missing; an addition may count twice when an answer is lost."""
        with translated_errors(self.name):
            self.client.update_item(
                TableName=self.name, Key=row, UpdateExpression=change, ExpressionAttributeValues=values
            )

    def delete(
        self, row: "Item", condition: str, values: "Item | None" = None, names: Mapping[str, str] | None = None
    ) -> None:
        """Delete the row, if the condition holds; `names` are of placeholders for reserved words."""
        request: DeleteItemInputTypeDef = {"TableName": self.name, "Key": row, "ConditionExpression": condition}
        if values:
            request["ExpressionAttributeValues"] = values
        if names:
            request["ExpressionAttributeNames"] = names
        with translated_errors(self.name):
            self.client.delete_item(**request)

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
        request: UpdateTypeDef = {
            "TableName": self.name,
            "Key": row,
            "UpdateExpression": change,
            "ConditionExpression": condition,
            "ReturnValuesOnConditionCheckFailure": "ALL_OLD",
        }
        # DynamoDB refuses an empty map.
        if values:
            request["ExpressionAttributeValues"] = values
        return request

    def _get_batch(self, rows: "list[Item]") -> "list[Item]":
        found: list[Item] = []

        def get(keys: "Sequence[Item]") -> "Sequence[Item]":
            with translated_errors(self.name):
                answer = self.client.batch_get_item(RequestItems={self.name: {"Keys": keys, "ConsistentRead": True}})
            found.extend(answer["Responses"].get(self.name, []))
            unprocessed = answer["UnprocessedKeys"].get(self.name)
            return () if unprocessed is None else unprocessed["Keys"]

        self._process_all(rows, get)
        return found

    def _delete_batch(self, rows: "list[Item]") -> None:
        def delete(requests: "Sequence[WriteRequestUnionTypeDef]") -> "Sequence[WriteRequestUnionTypeDef]":
            with translated_errors(self.name):
                answer = self.client.batch_write_item(RequestItems={self.name: requests})
            return answer["UnprocessedItems"].get(self.name, [])

        requests: Sequence[WriteRequestUnionTypeDef] = [{"DeleteRequest": {"Key": row}} for row in rows]
        self._process_all(requests, delete)

    def _process_all(self, rest: Sequence[Rest], process: Callable[[Sequence[Rest]], Sequence[Rest]]) -> None:
        """Call `process`, which returns what it left unprocessed, until nothing is left."""
        budget = RetryBudget(_UNPROCESSED)
        while rest:
            before = len(rest)
            rest = process(rest)
            # Items beyond the size of one answer are left, too: a pause is needed only when none was processed.
            if len(rest) == before and not budget.take():
                raise errors.Unavailable(
                    f"The table {self.name} gets too many requests. Try again soon.", retry_after_s=1
                )


def _batches(rows: "Iterable[Item]", size: int) -> "Iterator[list[Item]]":
    batch: list[Item] = []
    for row in rows:
        batch.append(row)
        if len(batch) == size:
            yield batch
            batch = []
    if batch:
        yield batch
