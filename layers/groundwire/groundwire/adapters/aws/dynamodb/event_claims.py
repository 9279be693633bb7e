"""Claims on object events in DynamoDB: one row per object, in the table of documents."""

import re
import secrets
from typing import TYPE_CHECKING, Final

from groundwire.adapters.aws.dynamodb.client.attributes import number, optional_text, text
from groundwire.adapters.aws.dynamodb.client.errors import ConditionFailed
from groundwire.adapters.aws.dynamodb.client.table import DynamoTable
from groundwire.domain.documents.record import names_digest
from groundwire.domain.errors import InvalidInput
from groundwire.ports import ClaimResult

if TYPE_CHECKING:
    from types_boto3_dynamodb import DynamoDBClient

    from groundwire.adapters.aws.dynamodb.client.attributes import Item

_HEXADECIMAL: Final = re.compile(r"[0-9A-Fa-f]{1,256}")


def comparable_sequencer(sequencer: str) -> str:
    """Return a text that sorts as S3 orders sequencers.

    S3 pads the shorter one with zeros on the right, so the text drops them.

    Raises:
        InvalidInput: it is not a hexadecimal number.
    """
    if _HEXADECIMAL.fullmatch(sequencer) is None:
        raise InvalidInput("The sequencer of a change must be a hexadecimal number, as S3 sends it with each event.")
    return sequencer.upper().rstrip("0")


def is_later(sequencer: str, other: str) -> bool:
    """Return whether the event is later than another one of the same object.

    Raises:
        InvalidInput: a sequencer is not a hexadecimal number.
    """
    return comparable_sequencer(sequencer) > comparable_sequencer(other)


PREFIX: Final = "delivery#"
_OF_TENANT: Final = "tenant = :tenant AND begins_with(id, :prefix)"
_IS_CLAIMABLE: Final = (
    "(attribute_not_exists(taken) OR ends <= :now) AND (attribute_not_exists(done) OR done < :change)"
)
_CLAIM: Final = "SET taken = :change, ends = :until, holder = :holder"
_IS_CLAIMED: Final = "taken = :change"
_REMOVE_CLAIM: Final = "REMOVE taken, ends, holder"


class DynamoEventClaims:
    """Implements `ports.EventClaims`: each step is one conditional write.

    A row holds the latest finished event (`done`) and the claimed one, if any (`taken`, until `ends`). An object's name
    may be longer than a key, so the row's id is a digest of it.
    """

    def __init__(self, client: "DynamoDBClient", table: str) -> None:
        self._table = DynamoTable(client, table)

    def claim(self, tenant: str, source: str, sequencer: str, now: float, until: float) -> ClaimResult:
        """Claim the event, if no later one is finished and no claim is active.

        Raises:
            InvalidInput: it is no sequencer.
        """
        # The client repeats a request without an answer: by the holder it finds its own claim.
        change, holder = comparable_sequencer(sequencer), secrets.token_hex(8)
        values = {":change": text(change), ":now": number(now), ":until": number(until), ":holder": text(holder)}
        try:
            self._table.update(_row(tenant, source), _CLAIM, _IS_CLAIMABLE, values)
        except ConditionFailed as failed:
            return _claim_result(failed.items[0] or {}, change, holder)
        return ClaimResult.CLAIMED

    def finish(self, tenant: str, source: str, sequencer: str) -> bool:
        """Mark the event as finished; True also for a repeat of a request without a response."""
        change = {":change": text(comparable_sequencer(sequencer))}
        try:
            self._table.update(_row(tenant, source), f"SET done = :change {_REMOVE_CLAIM}", _IS_CLAIMED, change)
        except ConditionFailed as failed:
            return optional_text(failed.items[0] or {}, "done") == comparable_sequencer(sequencer)
        return True

    def release(self, tenant: str, source: str, sequencer: str) -> None:
        """Release the claim; does nothing when the event is not claimed."""
        try:
            self._table.update(
                _row(tenant, source), _REMOVE_CLAIM, _IS_CLAIMED, {":change": text(comparable_sequencer(sequencer))}
            )
        except ConditionFailed:
            return

    def drop(self, tenant: str) -> int:
        """Delete the tenant's rows, one per object; return their number."""
        values = {":tenant": text(tenant), ":prefix": text(PREFIX)}
        return self._table.delete_all(self._table.query(_OF_TENANT, values, ("tenant", "id")))


def _row(tenant: str, source: str) -> "Item":
    return {"tenant": text(tenant), "id": text(PREFIX + names_digest(source))}


def _claim_result(row: "Item", change: str, holder: str) -> ClaimResult:
    """Return why the claim failed; CLAIMED when an unanswered first request had granted it."""
    taken, done = optional_text(row, "taken"), optional_text(row, "done")
    if taken is not None and optional_text(row, "holder") == holder:
        return ClaimResult.CLAIMED
    later = max((each for each in (taken, done) if each is not None), default="")
    return ClaimResult.STALE if later >= change else ClaimResult.BUSY
