"""Admission of calls with a key: checks the key, spends its rate and its tenant's rate.

A call within the even rates is one conditional write of the key's row, which holds secret, revocation, expiry, rate
and last use, and one of the tenant's rate row. While a burst is spent, there are two writes of its row.
"""

import hmac
import os
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from groundwire.adapters.aws.dynamodb.client.attributes import (
    blob,
    flag,
    number,
    optional_number,
    read_blob,
    read_flag,
    read_text,
)
from groundwire.adapters.aws.dynamodb.client.table import DynamoTable
from groundwire.adapters.aws.dynamodb.keys.items import from_item
from groundwire.adapters.aws.dynamodb.keys.pages import is_page_open, page_path
from groundwire.adapters.aws.dynamodb.keys.rate import (
    SpendAccepted,
    SpendRejected,
    SpendRequest,
    refund,
    spend,
    to_microseconds,
    wait_s,
)
from groundwire.adapters.aws.dynamodb.keys.row_keys import key_row, rate_row
from groundwire.adapters.aws.dynamodb.keys.tenant_rate import SUSPENDED_AT
from groundwire.domain.keys.api_key import Admission, AdmissionDenialReason, AdmissionDenied, AdmissionGranted

if TYPE_CHECKING:
    from collections.abc import Callable

    from groundwire.adapters.aws.dynamodb.client.attributes import Item

_ACTIVE_CONDITION: Final = " AND revoked = :false AND (attribute_not_exists(expires_at) OR expires_at > :moment)"
_DUMMY_DIGEST: Final = os.urandom(32)
"""Digest to compare with in place of a missing one, so that an unknown key takes as long as a wrong secret."""


@dataclass(frozen=True, slots=True)
class _Presented:
    """Credential of a call, which the row of its key must hold.

    Attributes:
        condition: condition on the row that holds it; `values` are those of its placeholders beside `:moment`.
        is_held_by: `condition`, evaluated on a row that was read.
    """

    condition: str
    values: "Item"
    is_held_by: "Callable[[Item], bool]"


def _key_secret(digest: bytes, now: float) -> _Presented:
    condition = "(digest = :digest OR (previous_digest = :digest AND previous_until > :moment))"
    return _Presented(condition, {":digest": blob(digest)}, lambda item: _is_secret_valid(item, digest, now))


def _page_session(digest: bytes, now: float) -> _Presented:
    return _Presented(f"{page_path(digest)} > :moment", {}, lambda item: is_page_open(item, digest, now))


def _denial_reason(item: "Item | None", presented: _Presented, now: float) -> AdmissionDenialReason | None:
    """Return why the key is not active; None when it is.

    The secret is checked first, so that only its owner can get any other answer.
    """
    is_secret_valid = presented.is_held_by(item or {})
    if item is None:
        return AdmissionDenialReason.UNKNOWN_KEY
    if not is_secret_valid:
        return AdmissionDenialReason.WRONG_SECRET
    if read_flag(item, "revoked"):
        return AdmissionDenialReason.REVOKED
    expires_at = optional_number(item, "expires_at")
    return AdmissionDenialReason.EXPIRED if expires_at is not None and expires_at <= now else None


def _is_secret_valid(item: "Item", digest: bytes, now: float) -> bool:
    until = optional_number(item, "previous_until")
    previous = read_blob(item, "previous_digest") if until is not None and until > now else b""
    is_current = hmac.compare_digest(read_blob(item, "digest") or _DUMMY_DIGEST, digest)
    is_previous = hmac.compare_digest(previous or _DUMMY_DIGEST, digest)
    return is_current or is_previous


_MINUTE_SECONDS: Final = 60
_UNKNOWN_KEY: Final = AdmissionDenied(AdmissionDenialReason.UNKNOWN_KEY, kid=None, tenant=None, retry_after_s=None)


def admit(table: DynamoTable, kid: str, digest: bytes, now: float, *, spends_tenant_rate: bool) -> Admission:
    """Admit the call or deny it; a denied call spends neither the key's rate nor the tenant's."""
    return _admit(table, kid, _key_secret(digest, now), now, spends_tenant_rate=spends_tenant_rate)


def admit_page(table: DynamoTable, kid: str, digest: bytes, now: float, *, spends_tenant_rate: bool) -> Admission:
    """Admit the call of a page session or deny it, as `admit` does."""
    return _admit(table, kid, _page_session(digest, now), now, spends_tenant_rate=spends_tenant_rate)


def _admit(table: DynamoTable, kid: str, presented: _Presented, now: float, *, spends_tenant_rate: bool) -> Admission:
    last_used = float(now // _MINUTE_SECONDS * _MINUTE_SECONDS)
    spent = spend(table, _key_spend_request(kid, presented, now, last_used))
    if isinstance(spent, SpendRejected):
        return _denied(table, spent.row, presented, now)
    denied = _spend_tenant_rate(table, spent, now) if spends_tenant_rate else _check_tenant(table, spent)
    return denied or AdmissionGranted(replace(from_item(spent.previous_row), last_used=last_used))


def _key_spend_request(kid: str, presented: _Presented, now: float, last_used: float) -> SpendRequest:
    return SpendRequest(
        row=key_row(kid),
        now_microseconds=to_microseconds(now),
        condition=presented.condition + _ACTIVE_CONDITION,
        # `latest_call` serves the refund of a call.
        extra_assignments=", last_used = :last_used, latest_call = :now",
        values={
            **presented.values,
            ":moment": number(now),
            ":false": flag(False),
            ":last_used": number(last_used),
        },
        is_condition_met=lambda item: _denial_reason(item, presented, now) is None,
    )


def _spend_tenant_rate(table: DynamoTable, key_spend: SpendAccepted, now: float) -> AdmissionDenied | None:
    tenant = read_text(key_spend.previous_row, "tenant")
    # The row is created with the tenant: its absence means that the tenant is being deleted.
    attempt = SpendRequest(
        rate_row(tenant),
        to_microseconds(now),
        f"attribute_exists(id) AND attribute_not_exists({SUSPENDED_AT})",
        extra_assignments="",
        values={},
        is_condition_met=lambda item: SUSPENDED_AT not in item,
    )
    spent = spend(table, attempt)
    if isinstance(spent, SpendAccepted):
        return None
    refund(table, key_spend)
    if spent.row is None:
        return _UNKNOWN_KEY
    if SUSPENDED_AT in spent.row:
        return _suspended(key_spend.previous_row)
    return _rate_denied(AdmissionDenialReason.TENANT_RATE, key_spend.previous_row, wait_s(spent.row, now))


def _check_tenant(table: DynamoTable, key_spend: SpendAccepted) -> AdmissionDenied | None:
    """Return why the tenant has no calls at all; None where it has."""
    row = table.get(rate_row(read_text(key_spend.previous_row, "tenant")))
    if row is not None and SUSPENDED_AT not in row:
        return None
    refund(table, key_spend)
    return _UNKNOWN_KEY if row is None else _suspended(key_spend.previous_row)


def _denied(table: DynamoTable, item: "Item | None", presented: _Presented, now: float) -> AdmissionDenied:
    reason = _denial_reason(item, presented, now)
    if item is None:
        return _UNKNOWN_KEY
    if reason is not None:
        return AdmissionDenied(reason, kid=read_text(item, "kid"), tenant=read_text(item, "tenant"), retry_after_s=None)
    # Both limits must have room before a repeat is admitted, so the longer wait is the true one.
    rate = table.get(rate_row(read_text(item, "tenant")))
    if rate is not None and SUSPENDED_AT in rate:
        return _suspended(item)
    tenant_wait = 0.0 if rate is None else wait_s(rate, now)
    return _rate_denied(AdmissionDenialReason.KEY_RATE, item, max(wait_s(item, now), tenant_wait))


def _suspended(item: "Item") -> AdmissionDenied:
    kid, tenant = read_text(item, "kid"), read_text(item, "tenant")
    return AdmissionDenied(AdmissionDenialReason.SUSPENDED_TENANT, kid, tenant, retry_after_s=None)


def _rate_denied(reason: AdmissionDenialReason, item: "Item", wait: float) -> AdmissionDenied:
    kid, tenant, toolset = (read_text(item, name) for name in ("kid", "tenant", "toolset"))
    return AdmissionDenied(reason, kid, tenant, retry_after_s=wait, toolset=toolset)
