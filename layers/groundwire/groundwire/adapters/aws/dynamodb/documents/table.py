"""Documents table: strongly consistent batch reads, and transactions."""

import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from random import Random
from typing import TYPE_CHECKING, Any, Final

from groundwire.adapters.aws.dynamodb.client.attributes import text
from groundwire.adapters.aws.dynamodb.client.errors import translated_errors
from groundwire.adapters.aws.dynamodb.documents.items import ABSENT_ITEM, PREFIX, DocumentItem, doc_id_of, from_item
from groundwire.domain import errors

if TYPE_CHECKING:
    from types_boto3_dynamodb import DynamoDBClient
    from types_boto3_dynamodb.type_defs import KeysAndAttributesTypeDef, TransactWriteItemTypeDef

    from groundwire.adapters.aws.dynamodb.client.attributes import Item

_READ_BATCH_SIZE: Final = 100
_MAX_KEY_BYTES: Final = 1_024
_MAX_ATTEMPTS: Final = 10
_FIRST_PAUSE_S: Final = 0.01
_LONGEST_PAUSE_S: Final = 0.2
_RETRYABLE_REASONS: Final = frozenset(
    {"ConditionalCheckFailed", "TransactionConflict", "ProvisionedThroughputExceeded", "ThrottlingError"}
)


class DocumentTable:
    """One documents table, as `template.yaml` defines it."""

    def __init__(self, client: "DynamoDBClient", table: str) -> None:
        self._client = client
        self.name = table

    def items(self, tenant: str, doc_ids: Iterable[str]) -> dict[str, DocumentItem]:
        """Return the current rows of all these documents; `ABSENT_ITEM` for a missing one."""
        requested = list(dict.fromkeys(doc_ids))
        # A longer id cannot be stored, and DynamoDB refuses a request that names one.
        ids = iter([each for each in requested if len((PREFIX + each).encode()) <= _MAX_KEY_BYTES])
        rows = dict.fromkeys(requested, ABSENT_ITEM)
        while some := list(islice(ids, _READ_BATCH_SIZE)):
            rows |= {doc_id_of(item): from_item(item) for item in self._get_batch(tenant, some)}
        return rows

    def query(self, **request: Any) -> "Iterator[Item]":
        """Return all items of a query; fetches pages as they are consumed."""
        pages = self._client.get_paginator("query").paginate(TableName=self.name, **request)
        with translated_errors(self.name):
            for page in pages:
                yield from page["Items"]

    def scan(self, index: str) -> "Iterator[Item]":
        """Return all items of a secondary index, page by page."""
        pages = self._client.get_paginator("scan").paginate(TableName=self.name, IndexName=index)
        with translated_errors(self.name):
            for page in pages:
                yield from page["Items"]

    def transact(self, writes: "Sequence[TransactWriteItemTypeDef]") -> bool:
        """Write all or nothing; return False when another writer was faster, or is writing now."""
        with translated_errors(self.name):
            try:
                self._client.transact_write_items(TransactItems=writes)
            except self._client.exceptions.TransactionCanceledException as error:
                codes = {str(reason.get("Code", "None")) for reason in error.response.get("CancellationReasons", [])}
                if not codes & _RETRYABLE_REASONS:
                    raise
                return False
        return True

    def _get_batch(self, tenant: str, doc_ids: Sequence[str]) -> "Iterator[Item]":
        keys: Sequence[Item] = [{"tenant": text(tenant), "id": text(PREFIX + each)} for each in doc_ids]
        pauses = attempts_with_backoff(self.name)
        while keys:
            found, keys = self._get_some(keys)
            yield from found
            # Items beyond the size of one answer come back unread, too: a pause is needed only when none was found.
            if keys and not found:
                next(pauses)

    def _get_some(self, keys: "Sequence[Item]") -> "tuple[Sequence[Item], Sequence[Item]]":
        """Return the items, and the keys that DynamoDB left unprocessed."""
        requested: Mapping[str, KeysAndAttributesTypeDef] = {self.name: {"Keys": keys, "ConsistentRead": True}}
        with translated_errors(self.name):
            answer = self._client.batch_get_item(RequestItems=requested)
        unprocessed = answer["UnprocessedKeys"].get(self.name)
        return answer["Responses"].get(self.name, []), unprocessed["Keys"] if unprocessed else []


def attempts_with_backoff(table: str) -> Iterator[int]:
    """Yield attempt numbers, with growing pauses between them.

    Raises:
        Unavailable: the attempts are used up.
    """
    # Jitter keeps callers that conflicted from conflicting again.
    jitter = Random()  # noqa: S311
    for number in range(_MAX_ATTEMPTS):
        yield number
        time.sleep(jitter.uniform(0, min(_LONGEST_PAUSE_S, _FIRST_PAUSE_S * 2**number)))
    raise errors.Unavailable(f"The table {table} is written by too many at once: repeat soon.", retry_after_s=1)
