"""The documents table: strongly consistent reads of many items, and transactions that are tried again."""

import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from random import Random
from typing import TYPE_CHECKING, Any, Final

from groundwire.adapters.aws.attribute_values import text
from groundwire.adapters.aws.document_items import ABSENT, PREFIX, Row, doc_id_of, from_item
from groundwire.adapters.aws.faults import dynamodb_faults
from groundwire.domain import errors

if TYPE_CHECKING:
    from types_boto3_dynamodb import DynamoDBClient
    from types_boto3_dynamodb.type_defs import KeysAndAttributesTypeDef, TransactWriteItemTypeDef

    from groundwire.adapters.aws.attribute_values import Item

_READ_AT_ONCE: Final = 100
_MAX_KEY_BYTES: Final = 1_024
_TRIES: Final = 10
_FIRST_PAUSE_S: Final = 0.01
_LONGEST_PAUSE_S: Final = 0.2
_REFUSED_FOR_NOW: Final = frozenset(
    {"ConditionalCheckFailed", "TransactionConflict", "ProvisionedThroughputExceeded", "ThrottlingError"}
)


class DocumentTable:
    """One table of `template.yaml`'s kind, reached by `client`."""

    def __init__(self, client: "DynamoDBClient", table: str) -> None:
        self._client = client
        self.name = table

    def rows(self, tenant: str, doc_ids: Iterable[str]) -> dict[str, Row]:
        """The rows of all these documents, each as it is now; `ABSENT` for one that is not there."""
        wanted = list(dict.fromkeys(doc_ids))
        # A longer id cannot have been stored, and a request may not even ask for it.
        ids = iter([each for each in wanted if len((PREFIX + each).encode()) <= _MAX_KEY_BYTES])
        rows = dict.fromkeys(wanted, ABSENT)
        while some := list(islice(ids, _READ_AT_ONCE)):
            rows |= {doc_id_of(item): from_item(item) for item in self._batch(tenant, some)}
        return rows

    def query(self, **request: Any) -> "Iterator[Item]":
        """All items of a query, a page at a time as they are asked for."""
        pages = self._client.get_paginator("query").paginate(TableName=self.name, **request)
        with dynamodb_faults(self.name):
            for page in pages:
                yield from page["Items"]

    def scan(self, index: str) -> "Iterator[Item]":
        """All items of an index of the table, a page at a time."""
        pages = self._client.get_paginator("scan").paginate(TableName=self.name, IndexName=index)
        with dynamodb_faults(self.name):
            for page in pages:
                yield from page["Items"]

    def transact(self, writes: "Sequence[TransactWriteItemTypeDef]") -> bool:
        """All are written, or none: False when somebody else has written meanwhile, or is writing now."""
        with dynamodb_faults(self.name):
            try:
                self._client.transact_write_items(TransactItems=writes)
            except self._client.exceptions.TransactionCanceledException as error:
                codes = {str(reason.get("Code", "None")) for reason in error.response.get("CancellationReasons", [])}
                if not codes & _REFUSED_FOR_NOW:
                    raise
                return False
        return True

    def _batch(self, tenant: str, doc_ids: Sequence[str]) -> "Iterator[Item]":
        keys: Sequence[Item] = [{"tenant": text(tenant), "id": text(PREFIX + each)} for each in doc_ids]
        pauses = attempts(self.name)
        while keys:
            found, keys = self._some(keys)
            yield from found
            # What is too much for one answer comes back unread, too: as long as some is found there is no need to wait.
            if keys and not found:
                next(pauses)

    def _some(self, keys: "Sequence[Item]") -> "tuple[Sequence[Item], Sequence[Item]]":
        """Items, and the keys that nothing was said of."""
        wanted: Mapping[str, KeysAndAttributesTypeDef] = {self.name: {"Keys": keys, "ConsistentRead": True}}
        with dynamodb_faults(self.name):
            answer = self._client.batch_get_item(RequestItems=wanted)
        left = answer["UnprocessedKeys"].get(self.name)
        return answer["Responses"].get(self.name, []), left["Keys"] if left else []


def attempts(table: str) -> Iterator[int]:
    """Numbers of tries with growing pauses between them; Raises Unavailable when they are used up."""
    # Only so that callers who were in each other's way are not again.
    jitter = Random()  # noqa: S311
    for number in range(_TRIES):
        yield number
        time.sleep(jitter.uniform(0, min(_LONGEST_PAUSE_S, _FIRST_PAUSE_S * 2**number)))
    raise errors.Unavailable(f"The table {table} is written by too many at once: repeat soon.", retry_after_s=1)
