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

from groundwire.adapters.aws.dynamodb.client.attributes import flag, number, read_integer, read_text, text
from groundwire.adapters.aws.dynamodb.client.errors import ConditionFailed
from groundwire.adapters.aws.dynamodb.client.table import DynamoTable
from groundwire.adapters.aws.dynamodb.keys import rate as rate_writes
from groundwire.adapters.aws.dynamodb.keys.row_keys import (
    MEMBER_CONDITION,
    key_row,
    kid_of,
    member_values,
    rate_row,
    tenant_row,
)
from groundwire.domain import errors
from groundwire.domain.keys.api_key import ApiKey

if TYPE_CHECKING:
    from types_boto3_dynamodb.type_defs import AttributeValueTypeDef, UpdateTypeDef

    from groundwire.adapters.aws.dynamodb.client.attributes import Item
    from groundwire.ports import Clock

_MAX_CHARGE_ATTEMPTS: Final = 5


class RateCounting(StrEnum):
    """Whether the calls of a tenant's keys are counted on the tenant's row, too."""

    PER_KEY = "apart"
    MIGRATING = "turning"
    SHARED = "together"


@dataclass(frozen=True, slots=True)
class TenantRateLimit:
    """What a tenant's keys may call together, as it was read.

    Attributes:
        rate_per_minute, burst: of the tenant itself. keys_rate, keys_burst: sums over all its keys.
    """

    tenant: str
    rate_per_minute: int
    burst: int
    keys_rate: int
    keys_burst: int
    counting: RateCounting

    @classmethod
    def read(cls, table: DynamoTable, tenant: str) -> Self | None:
        """None when there is no such tenant, or none for much longer."""
        item = table.get(tenant_row(tenant))
        if item is None or "closing" in item:
            return None
        return cls(
            tenant=tenant,
            rate_per_minute=read_integer(item, "rate_per_minute"),
            burst=read_integer(item, "burst"),
            keys_rate=read_integer(item, "keys_rate"),
            keys_burst=read_integer(item, "keys_burst"),
            counting=RateCounting(read_text(item, "counting")),
        )

    def exceeds_with(self, key: ApiKey) -> bool:
        """Whether the keys could reach the tenant's limit once this one is among them."""
        rate, burst = self.keys_rate + key.rate_per_minute, self.keys_burst + key.burst
        return rate > self.rate_per_minute or burst > self.burst

    def add_key_request(self, table: DynamoTable, key: ApiKey, counting: RateCounting) -> "UpdateTypeDef":
        """As a part of a transaction: the key is among them, if they still are what was read."""
        values: dict[str, AttributeValueTypeDef] = {
            ":rate": number(self.keys_rate + key.rate_per_minute),
            ":burst": number(self.keys_burst + key.burst),
            ":counting": text(counting),
            **self._expected(),
        }
        change = "SET keys_rate = :rate, keys_burst = :burst, counting = :counting"
        return table.update_request(tenant_row(self.tenant), change, _IS_UNCHANGED, values)

    def migrate_to_shared(self, table: DynamoTable, clock: "Clock") -> bool:
        """Every key is marked and what they may have spent is charged; False when the keys are no longer what was read.

        What is marked or charged already is so once more: it delays a call at most.
        """
        values: dict[str, AttributeValueTypeDef] = {":turning": text(RateCounting.MIGRATING), **self._expected()}
        try:
            table.update(tenant_row(self.tenant), "SET counting = :turning", _IS_UNCHANGED, values)
        except ConditionFailed:
            return False
        for member in table.query(MEMBER_CONDITION, member_values(self.tenant)):
            table.update(key_row(kid_of(member)), "SET tenant_counts = :yes", "attribute_exists(id)", _YES)
        self._charge_all_bursts(table, rate_writes.to_microseconds(clock()))
        return True

    def _charge_all_bursts(self, table: DynamoTable, now: int) -> None:
        owed = rate_writes.step_microseconds(self.rate_per_minute) * self.keys_burst
        for _ in range(_MAX_CHARGE_ATTEMPTS):
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


_IS_UNCHANGED: Final = (
    "keys_rate = :seen_rate AND keys_burst = :seen_burst AND counting = :seen_counting"
    " AND attribute_not_exists(closing)"
)
_YES: Final = {":yes": flag(True)}
