"""Whether a call with a key may go on, and the spending of its rate and of its tenant's.

A call within the even rate is one conditional write of the key's row; secret, revocation, expiry, rate and last use
are in it. While a burst is being spent it is two. The tenant's row is written besides only for the keys that
`key_reach` marked: together they could reach what the tenant may do.
"""

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from groundwire.adapters.aws import key_proof
from groundwire.adapters.aws.attribute_values import number, read_flag, read_text
from groundwire.adapters.aws.give_back import give_back
from groundwire.adapters.aws.key_items import from_item
from groundwire.adapters.aws.key_rows import key_row, rate_row
from groundwire.adapters.aws.rate_writes import Attempt, Missed, Taken, microseconds, spend, wait_s
from groundwire.adapters.aws.table import Table
from groundwire.domain.credentials import Admission, Admitted, Refusal, Refused

if TYPE_CHECKING:
    from groundwire.adapters.aws.attribute_values import Item

_MINUTE: Final = 60
_UNKNOWN: Final = Refused(Refusal.UNKNOWN_KEY, kid=None, tenant=None, retry_after_s=None)


def admit(table: Table, kid: str, digest: bytes, now: float) -> Admission:
    """Judges and spends; a call that is refused spends neither the key's rate nor the tenant's."""
    last_used = float(now // _MINUTE * _MINUTE)
    spent = spend(table, _of_key(kid, digest, now, last_used))
    if isinstance(spent, Missed):
        return _refused(table, spent.row, digest, now)
    if read_flag(spent.before, "tenant_counts"):
        refused = _spend_of_tenant(table, spent, now)
        if refused is not None:
            return refused
    return Admitted(replace(from_item(spent.before), last_used=last_used))


def _of_key(kid: str, digest: bytes, now: float, last_used: float) -> Attempt:
    return Attempt(
        row=key_row(kid),
        now=microseconds(now),
        condition=key_proof.IN_FORCE,
        # `latest_call` is for a call that is given back.
        change=", last_used = :last_used, latest_call = :now",
        values={**key_proof.proof(digest, now), ":last_used": number(last_used)},
        holds=lambda item: key_proof.refusal(item, digest, now) is None,
    )


def _spend_of_tenant(table: Table, of_key: Taken, now: float) -> Refused | None:
    tenant = read_text(of_key.before, "tenant")
    # The row is made with the tenant: one that is absent is of a tenant that is being deleted.
    attempt = Attempt(
        rate_row(tenant), microseconds(now), "attribute_exists(id)", change="", values={}, holds=lambda _: True
    )
    spent = spend(table, attempt)
    if isinstance(spent, Taken):
        return None
    give_back(table, of_key)
    if spent.row is None:
        return _UNKNOWN
    return _of_rate(Refusal.TENANT_RATE, of_key.before, wait_s(spent.row, now))


def _refused(table: Table, item: "Item | None", digest: bytes, now: float) -> Refused:
    refusal = key_proof.refusal(item, digest, now)
    if item is None:
        return _UNKNOWN
    if refusal is not None:
        return Refused(refusal, kid=read_text(item, "kid"), tenant=read_text(item, "tenant"), retry_after_s=None)
    # Both limits must have room before a repeat is admitted, so the longer wait is the true one.
    return _of_rate(Refusal.KEY_RATE, item, max(wait_s(item, now), _tenants_wait_s(table, item, now)))


def _tenants_wait_s(table: Table, item: "Item", now: float) -> float:
    if not read_flag(item, "tenant_counts"):
        return 0.0
    row = table.get(rate_row(read_text(item, "tenant")))
    return 0.0 if row is None else wait_s(row, now)


def _of_rate(refusal: Refusal, item: "Item", wait: float) -> Refused:
    return Refused(refusal, kid=read_text(item, "kid"), tenant=read_text(item, "tenant"), retry_after_s=wait)
