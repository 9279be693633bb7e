"""Tenant-wide rate limit, and the marks on the keys that count towards it.

Keys whose rates and bursts add up to no more than the tenant's own cannot exceed its limit: each key's limit holds, so
their sum holds the tenant's. Their calls need not be counted twice. The tenant's row keeps both sums; they grow with
each key and never shrink, because a revoked key may have called a moment before.

The key whose sum first exceeds the limit starts a migration. Its order leaves too many marks after a crash, never too
few:

    PER_KEY    (stored as `apart`) no key is marked
    MIGRATING  (`turning`) new keys are marked; then the other keys, one by one; then the tenant's rate is charged with
               the sum of all bursts, the most that the keys may have spent before
    SHARED     (`together`) all keys are marked: only now is the new key created
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
    """Counting of a tenant's calls: per key only, or on the tenant's row, too."""

    PER_KEY = "apart"
    MIGRATING = "turning"
    SHARED = "together"


@dataclass(frozen=True, slots=True)
class TenantRateLimit:
    """Rate limit of a tenant and the sums over its keys, as they were read.

    Attributes:
        rate_per_minute, burst: limits of the tenant itself.
        keys_rate, keys_burst: sums over all its keys.
    """

    tenant: str
    rate_per_minute: int
    burst: int
    keys_rate: int
    keys_burst: int
    counting: RateCounting

    @classmethod
    def read(cls, table: DynamoTable, tenant: str) -> Self | None:
        """Read the limit; None when there is no such tenant, or it is being deleted."""
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
        """Return whether the keys could exceed the tenant's limit with this one added."""
        rate, burst = self.keys_rate + key.rate_per_minute, self.keys_burst + key.burst
        return rate > self.rate_per_minute or burst > self.burst

    def add_key_request(self, table: DynamoTable, key: ApiKey, counting: RateCounting) -> "UpdateTypeDef":
        """Build the transaction part that adds the key to the sums, if they are still those that were read."""
        values: dict[str, AttributeValueTypeDef] = {
            ":rate": number(self.keys_rate + key.rate_per_minute),
            ":burst": number(self.keys_burst + key.burst),
            ":counting": text(counting),
            **self._expected(),
        }
        change = "SET keys_rate = :rate, keys_burst = :burst, counting = :counting"
        return table.update_request(tenant_row(self.tenant), change, _IS_UNCHANGED, values)

    def migrate_to_shared(self, table: DynamoTable, clock: "Clock") -> bool:
        """Mark every key and charge what they may have spent; return False when the sums have changed meanwhile.

        A second run marks and charges once more, which delays a call at most.
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
