"""News of changed objects in DynamoDB: a row for each object, in the table of the documents that are made of them."""

import secrets
from typing import TYPE_CHECKING, Final

from groundwire.adapters.aws.attribute_values import number, optional_text, text
from groundwire.adapters.aws.faults import ConditionFailed, dynamodb_faults
from groundwire.adapters.aws.table import Table
from groundwire.domain.documents import names_digest
from groundwire.domain.sequencers import comparable
from groundwire.ports import Delivery

if TYPE_CHECKING:
    from types_boto3_dynamodb import DynamoDBClient

    from groundwire.adapters.aws.attribute_values import Item

PREFIX: Final = "delivery#"
_OF_TENANT: Final = "tenant = :tenant AND begins_with(id, :prefix)"
_FREE: Final = "(attribute_not_exists(taken) OR ends <= :now) AND (attribute_not_exists(done) OR done < :change)"
_TAKE: Final = "SET taken = :change, ends = :until, holder = :holder"
_IN_HAND: Final = "taken = :change"
_PUT_DOWN: Final = "REMOVE taken, ends, holder"


class DynamoDeliveries:
    """Implements `ports.Deliveries`: each step is one conditional write.

    A row holds the latest change that was carried out (`done`) and the one in hand, if there is one (`taken`, until
    `ends`). An object's name may be longer than a key, so the row is found by a digest of it.
    """

    def __init__(self, client: "DynamoDBClient", table: str) -> None:
        self._table = Table(client, table)

    def take(self, tenant: str, source: str, sequencer: str, now: float, until: float) -> Delivery:
        """As the port says; Raises Invalid for what is no sequencer."""
        change, holder = comparable(sequencer), secrets.token_hex(8)
        values = {":change": text(change), ":now": number(now), ":until": number(until), ":holder": text(holder)}
        try:
            self._update(_row(tenant, source), _TAKE, _FREE, values)
        except ConditionFailed as failed:
            return _refusal(failed.items[0] or {}, change, holder)
        return Delivery.TAKEN

    def finish(self, tenant: str, source: str, sequencer: str) -> bool:
        """True also for one that was finished before: an answer may have been lost, and the request sent again."""
        change = {":change": text(comparable(sequencer))}
        try:
            self._update(_row(tenant, source), f"SET done = :change {_PUT_DOWN}", _IN_HAND, change)
        except ConditionFailed as failed:
            return optional_text(failed.items[0] or {}, "done") == comparable(sequencer)
        return True

    def release(self, tenant: str, source: str, sequencer: str) -> None:
        """Nothing happens to a change that is not in hand."""
        try:
            self._update(_row(tenant, source), _PUT_DOWN, _IN_HAND, {":change": text(comparable(sequencer))})
        except ConditionFailed:
            return

    def drop(self, tenant: str) -> int:
        """Reads and deletes a row for each object."""
        values = {":tenant": text(tenant), ":prefix": text(PREFIX)}
        return self._table.delete_all(self._table.query(_OF_TENANT, values, ("tenant", "id")))

    def _update(self, row: "Item", change: str, condition: str, values: "Item") -> None:
        """Raises ConditionFailed with the row as it is."""
        with dynamodb_faults(self._table.name):
            self._table.client.update_item(**self._table.updating(row, change, condition, values))


def _row(tenant: str, source: str) -> "Item":
    return {"tenant": text(tenant), "id": text(PREFIX + names_digest(source))}


def _refusal(row: "Item", change: str, holder: str) -> Delivery:
    """Why a change cannot be taken, or that it was: the first answer may have been lost on its way."""
    taken, done = optional_text(row, "taken"), optional_text(row, "done")
    if taken is not None and optional_text(row, "holder") == holder:
        return Delivery.TAKEN
    later = max((each for each in (taken, done) if each is not None), default="")
    return Delivery.STALE if later >= change else Delivery.BUSY
