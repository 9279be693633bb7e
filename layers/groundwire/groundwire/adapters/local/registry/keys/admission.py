"""Whether a call with a key may go on, and the spending of its rate, within one transaction.

The secret is judged before anything else is looked at, so that only somebody who holds it can cause
another outcome than "wrong", and only its calls spend rate.
"""

import hmac
import os
import sqlite3
from typing import Final

from groundwire.adapters.local.registry.keys.rows import COLUMNS, from_row
from groundwire.domain.keys import rate_limit
from groundwire.domain.keys.api_key import Admission, AdmissionDenialReason, AdmissionDenied, AdmissionGranted

_SELECT_KEY: Final = (
    f"SELECT {', '.join(f'keys.{name}' for name in COLUMNS)},"  # noqa: S608
    " keys.digest, keys.previous_digest, keys.tat, tenants.rate_per_minute AS tenant_rate_per_minute,"
    " tenants.burst AS tenant_burst, tenants.tat AS tenant_tat"
    " FROM keys JOIN tenants USING (tenant) WHERE keys.kid = ?"
)
_MINUTE_SECONDS: Final = 60
_NO_DIGEST: Final = os.urandom(32)
"""Compared where there is nothing to compare, so that an unknown key costs the same work as a wrong one."""


def admit(connection: sqlite3.Connection, kid: str, digest: bytes, now: float) -> Admission:
    """Judges and spends; the caller holds the transaction that makes it one step."""
    row: sqlite3.Row | None = connection.execute(_SELECT_KEY, (kid,)).fetchone()
    proven = _is_secret_valid(row, digest, now)
    if row is None:
        return AdmissionDenied(AdmissionDenialReason.UNKNOWN_KEY, kid=None, tenant=None, retry_after_s=None)
    if not proven:
        return _refused(row, AdmissionDenialReason.WRONG_SECRET)
    if row["revoked"]:
        return _refused(row, AdmissionDenialReason.REVOKED)
    if row["expires_at"] is not None and row["expires_at"] <= now:
        return _refused(row, AdmissionDenialReason.EXPIRED)
    return _spend(connection, row, now)


def _is_secret_valid(row: sqlite3.Row | None, digest: bytes, now: float) -> bool:
    current, previous = _NO_DIGEST, _NO_DIGEST
    if row is not None:
        current = row["digest"]
        if row["previous_until"] is not None and row["previous_until"] > now:
            previous = row["previous_digest"] or _NO_DIGEST
    is_current = hmac.compare_digest(current, digest)
    is_previous = hmac.compare_digest(previous, digest)
    return is_current or is_previous


def _spend(connection: sqlite3.Connection, row: sqlite3.Row, now: float) -> Admission:
    of_key = rate_limit.spend(row["tat"], now, row["rate_per_minute"], row["burst"])
    of_tenant = rate_limit.spend(row["tenant_tat"], now, row["tenant_rate_per_minute"], row["tenant_burst"])
    if isinstance(of_key, rate_limit.RateAllowed) and isinstance(of_tenant, rate_limit.RateAllowed):
        last_used = float(now // _MINUTE_SECONDS * _MINUTE_SECONDS)
        connection.execute(
            "UPDATE keys SET tat = ?, last_used = ? WHERE kid = ?", (of_key.arrival_time, last_used, row["kid"])
        )
        connection.execute("UPDATE tenants SET tat = ? WHERE tenant = ?", (of_tenant.arrival_time, row["tenant"]))
        return AdmissionGranted(from_row(row, last_used))
    # Both limits must have room before a repeat is admitted, so the longer wait is the true one.
    waits = [
        outcome.retry_after_seconds for outcome in (of_key, of_tenant) if isinstance(outcome, rate_limit.RateExceeded)
    ]
    refusal = (
        AdmissionDenialReason.KEY_RATE
        if isinstance(of_key, rate_limit.RateExceeded)
        else AdmissionDenialReason.TENANT_RATE
    )
    return _refused(row, refusal, max(waits))


def _refused(row: sqlite3.Row, refusal: AdmissionDenialReason, retry_after_s: float | None = None) -> AdmissionDenied:
    return AdmissionDenied(refusal, kid=row["kid"], tenant=row["tenant"], retry_after_s=retry_after_s)
