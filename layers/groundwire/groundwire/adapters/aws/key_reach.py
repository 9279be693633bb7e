"""Whether the keys of a tenant could together call more than the tenant may, and the marks on those that could.

Keys whose rates and bursts add up to no more than the tenant's own cannot reach its limit: each holds its own, so
their sum holds the tenant's. Their calls need not be counted twice. The tenant's row keeps both sums; they grow with
each key and shrink never, as a key that was revoked may have called a moment before.

The key with which a sum first exceeds the limit changes that, in this order, so that a crash leaves too many marks,
never too few:

    apart      no key is marked
    turning    new keys are marked; now the others are, one by one; then the tenant's rate is charged with the most
               that they may have spent before, which is all their bursts
    together   all keys are marked: only now does the new key come to be
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Final, Self

from groundwire.adapters.aws import rate_writes
from groundwire.adapters.aws.attribute_values import flag, number, read_text, read_whole, text
from groundwire.adapters.aws.faults import ConditionFailed
from groundwire.adapters.aws.key_rows import MEMBERS, key_row, kid_of, members, rate_row, tenant_row
from groundwire.adapters.aws.table import Table
from groundwire.domain import errors
from groundwire.domain.credentials import ApiKey

if TYPE_CHECKING:
    from types_boto3_dynamodb.type_defs import AttributeValueTypeDef, UpdateTypeDef

    from groundwire.adapters.aws.attribute_values import Item
    from groundwire.ports import Clock

_CHARGES: Final = 5


class Counting(StrEnum):
    """Whether the calls of a tenant's keys are counted on the tenant's row, too."""

    APART = "apart"
    TURNING = "turning"
    TOGETHER = "together"


@dataclass(frozen=True, slots=True)
class Reach:
    """What a tenant's keys may call together, as it was read.

    Attributes:
        rate_per_minute, burst: of the tenant itself. keys_rate, keys_burst: sums over all its keys.
    """

    tenant: str
    rate_per_minute: int
    burst: int
    keys_rate: int
    keys_burst: int
    counting: Counting

    @classmethod
    def read(cls, table: Table, tenant: str) -> Self | None:
        """None when there is no such tenant, or none for much longer."""
        item = table.get(tenant_row(tenant))
        if item is None or "closing" in item:
            return None
        return cls(
            tenant=tenant,
            rate_per_minute=read_whole(item, "rate_per_minute"),
            burst=read_whole(item, "burst"),
            keys_rate=read_whole(item, "keys_rate"),
            keys_burst=read_whole(item, "keys_burst"),
            counting=Counting(read_text(item, "counting")),
        )

    def exceeds_with(self, key: ApiKey) -> bool:
        """Whether the keys could reach the tenant's limit once this one is among them."""
        rate, burst = self.keys_rate + key.rate_per_minute, self.keys_burst + key.burst
        return rate > self.rate_per_minute or burst > self.burst

    def updating(self, table: Table, key: ApiKey, counting: Counting) -> "UpdateTypeDef":
        """As a part of a transaction: the key is among them, if they still are what was read."""
        values: dict[str, AttributeValueTypeDef] = {
            ":rate": number(self.keys_rate + key.rate_per_minute),
            ":burst": number(self.keys_burst + key.burst),
            ":counting": text(counting),
            **self._expected(),
        }
        change = "SET keys_rate = :rate, keys_burst = :burst, counting = :counting"
        return table.updating(tenant_row(self.tenant), change, _EXPECTED, values)

    def turn(self, table: Table, clock: "Clock") -> bool:
        """Every key is marked and what they may have spent is charged; False when the keys are no longer what was read.

        What is marked or charged already is so once more: it delays a call at most.
        """
        values: dict[str, AttributeValueTypeDef] = {":turning": text(Counting.TURNING), **self._expected()}
        try:
            table.update(tenant_row(self.tenant), "SET counting = :turning", _EXPECTED, values)
        except ConditionFailed:
            return False
        for member in table.query(MEMBERS, members(self.tenant)):
            table.update(key_row(kid_of(member)), "SET tenant_counts = :yes", "attribute_exists(id)", _YES)
        self._charge(table, rate_writes.microseconds(clock()))
        return True

    def _charge(self, table: Table, now: int) -> None:
        owed = rate_writes.step_of(self.rate_per_minute) * self.keys_burst
        for _ in range(_CHARGES):
            values = {":now": number(now), ":owed": number(owed)}
            for change, condition in (("tat = :now + :owed", "tat <= :now"), ("tat = tat + :owed", "tat > :now")):
                try:
                    table.update(rate_row(self.tenant), f"SET {change}", condition, values)
                except ConditionFailed:
                    continue
                return
        raise errors.Unavailable("The tenant is called too often at this moment: repeat soon.", retry_after_s=1)

    def _expected(self) -> "Item":
        return {
            ":seen_rate": number(self.keys_rate),
            ":seen_burst": number(self.keys_burst),
            ":seen_counting": text(self.counting),
        }


_EXPECTED: Final = (
    "keys_rate = :seen_rate AND keys_burst = :seen_burst AND counting = :seen_counting"
    " AND attribute_not_exists(closing)"
)
_YES: Final = {":yes": flag(True)}
