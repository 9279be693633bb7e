"""Slots of a key's sessions, which bound their number: each slot names the one session that has it.

    key#<kid>           counts the sessions that the key opened; the count selects the slot of the next one
    key#<kid>#<slot>   digest of the session in the slot

A handshake costs two writes for this, whatever number of sessions there is; a call in a session costs none.
"""

import math
from typing import TYPE_CHECKING, Final, NamedTuple

from groundwire.adapters.aws.dynamodb.client.attributes import number, read_integer, read_text, text
from groundwire.adapters.aws.dynamodb.client.errors import ConditionFailed
from groundwire.domain.limits import MAX_KEY_SESSIONS
from groundwire_mcp.definitions.sessions import SESSION_SECONDS, UNUSED_SESSION_SECONDS

if TYPE_CHECKING:
    from types_boto3_dynamodb.type_defs import AttributeValueTypeDef

    from groundwire.adapters.aws.dynamodb.client.attributes import Item
    from groundwire.adapters.aws.dynamodb.client.table import DynamoTable

ID_PREFIX: Final = "key#"
"""Start of the sort keys of these rows; a session's is a digest in hexadecimal digits, so the two never meet."""
_MAX_LOOKS: Final = 4
"""Slots in which a session without use is looked for, before one in use ends."""
_RETENTION_SECONDS: Final = 366 * 86_400
"""Time for which a slot is kept: longer than real clients keep a session in use."""
_ALWAYS: Final = "attribute_exists(id) OR attribute_not_exists(id)"


class KeySlots(NamedTuple):
    """Slots of one key's sessions."""

    table: "DynamoTable"
    tenant: str
    kid: str

    def take(self, session: str, now: float) -> None:
        """Give the session of this digest a slot; where all are taken, the session in it ends.

        It is the oldest one that nobody used within a day. Where the next slots all have sessions in use, the oldest
        of these ends: a key opens new sessions in any case.
        """
        count = self._next(now)
        first, *others = ((count + look) % MAX_KEY_SESSIONS for look in range(min(_MAX_LOOKS, MAX_KEY_SESSIONS)))
        for slot in (first, *others):
            holder = self._take_free(slot, session, now)
            if holder is None or (self._end(holder, now) and self._take_from(slot, holder, session, now)):
                return
        before = self._hold(first, session, now, _ALWAYS)
        if before:
            self.table.delete(self._row(read_text(before, "holder")), _ALWAYS)

    def _next(self, now: float) -> int:
        """Count a session and return how many there were before."""
        row = self._row(f"{ID_PREFIX}{self.kid}")
        values = {":one": number(1), ":end": _end(now)}
        before = self.table.update(row, "SET expires_at = :end ADD opened :one", _ALWAYS, values)
        return read_integer(before, "opened") if "opened" in before else 0

    def _take_free(self, slot: int, session: str, now: float) -> str | None:
        """Take the slot if no session has it, else return the one that has."""
        try:
            # The client repeats a write whose answer was lost: the condition must accept its own row.
            self._hold(slot, session, now, "attribute_not_exists(id) OR holder = :holder")
        except ConditionFailed as failed:
            return read_text(failed.items[0] or {}, "holder")
        return None

    def _take_from(self, slot: int, holder: str, session: str, now: float) -> bool:
        """Take the slot of a session that ended; return False if another one has it by now."""
        try:
            self._hold(slot, session, now, "holder IN (:before, :holder)", {":before": text(holder)})
        except ConditionFailed:
            return False
        return True

    def _end(self, session: str, now: float) -> bool:
        """End the session unless it was used within a day; return whether it has ended."""
        unused = number(now + SESSION_SECONDS - UNUSED_SESSION_SECONDS)
        try:
            self.table.delete(self._row(session), "attribute_not_exists(id) OR ends_at <= :end", {":end": unused})
        except ConditionFailed:
            return False
        return True

    def _hold(self, slot: int, session: str, now: float, condition: str, values: "Item | None" = None) -> "Item":
        values = {":holder": text(session), ":end": _end(now), **(values or {})}
        change = "SET holder = :holder, expires_at = :end"
        return self.table.update(self._row(f"{ID_PREFIX}{self.kid}#{slot}"), change, condition, values)

    def _row(self, sort_key: str) -> "Item":
        return {"tenant": text(self.tenant), "id": text(sort_key)}


def _end(now: float) -> "AttributeValueTypeDef":
    # The time to live of DynamoDB takes whole seconds.
    return number(math.ceil(now + _RETENTION_SECONDS))
