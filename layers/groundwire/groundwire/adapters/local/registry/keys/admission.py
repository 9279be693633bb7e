"""Admission of calls with an API key, and the charge to its rate limit, in one transaction.

The secret is checked first: only its owner can get another result than "wrong secret", and only the owner's calls are
charged.
"""

import hmac
import os
import sqlite3
from dataclasses import replace
from typing import Final

from groundwire.adapters.local.registry.keys.rows import ROWS
from groundwire.domain.keys import rate_limit
from groundwire.domain.keys.api_key import Admission, AdmissionDenialReason, AdmissionDenied, AdmissionGranted

_SELECT_KEY: Final = (
    f"SELECT {', '.join(f'keys.{name}' for name in ROWS.columns)},"  # noqa: S608
    " keys.digest, keys.previous_digest, keys.tat, tenants.rate_per_minute AS tenant_rate_per_minute,"
    " tenants.burst AS tenant_burst, tenants.tat AS tenant_tat, tenants.suspended_at AS tenant_suspended_at"
    " FROM keys JOIN tenants USING (tenant) WHERE keys.kid = ?"
)
_SELECT_PAGE: Final = "SELECT 1 FROM page_sessions WHERE digest = ? AND kid = ? AND expires_at > ?"
_MINUTE_SECONDS: Final = 60
_NO_DIGEST: Final = os.urandom(32)
"""Digest that is compared for an unknown key, so that it takes as long as a wrong secret (timing attack)."""


def admit(connection: sqlite3.Connection, kid: str, digest: bytes, now: float) -> Admission:
    """Admit or deny the call, and charge it to the rate limits; the caller's transaction makes this atomic."""
    row: sqlite3.Row | None = connection.execute(_SELECT_KEY, (kid,)).fetchone()
    return _admit(connection, row, now, is_secret_valid=_is_secret_valid(row, digest, now))


def admit_page(connection: sqlite3.Connection, kid: str, digest: bytes, now: float) -> Admission:
    """Admit or deny the call of a page session, as `admit` does."""
    row: sqlite3.Row | None = connection.execute(_SELECT_KEY, (kid,)).fetchone()
    # A digest is no secret and nobody chooses one, so the time of the look-up reveals nothing.
    open_page = connection.execute(_SELECT_PAGE, (digest, kid, now)).fetchone()
    return _admit(connection, row, now, is_secret_valid=open_page is not None)


def _admit(connection: sqlite3.Connection, row: sqlite3.Row | None, now: float, *, is_secret_valid: bool) -> Admission:
    if row is None:
        return AdmissionDenied(AdmissionDenialReason.UNKNOWN_KEY, kid=None, tenant=None, retry_after_s=None)
    if not is_secret_valid:
        return _denied(row, AdmissionDenialReason.WRONG_SECRET)
    if row["revoked"]:
        return _denied(row, AdmissionDenialReason.REVOKED)
    if row["expires_at"] is not None and row["expires_at"] <= now:
        return _denied(row, AdmissionDenialReason.EXPIRED)
    if row["tenant_suspended_at"] is not None:
        return _denied(row, AdmissionDenialReason.SUSPENDED_TENANT)
    return _charge(connection, row, now)


def _is_secret_valid(row: sqlite3.Row | None, digest: bytes, now: float) -> bool:
    current, previous = _NO_DIGEST, _NO_DIGEST
    if row is not None:
        current = row["digest"]
        if row["previous_until"] is not None and row["previous_until"] > now:
            previous = row["previous_digest"] or _NO_DIGEST
    # Both are always compared, so that the time reveals nothing.
    is_current = hmac.compare_digest(current, digest)
    is_previous = hmac.compare_digest(previous, digest)
    return is_current or is_previous


def _charge(connection: sqlite3.Connection, row: sqlite3.Row, now: float) -> Admission:
    key_charge = rate_limit.spend(row["tat"], now, row["rate_per_minute"], row["burst"])
    tenant_charge = rate_limit.spend(row["tenant_tat"], now, row["tenant_rate_per_minute"], row["tenant_burst"])
    if isinstance(key_charge, rate_limit.RateAllowed) and isinstance(tenant_charge, rate_limit.RateAllowed):
        last_used = float(now // _MINUTE_SECONDS * _MINUTE_SECONDS)
        connection.execute(
            "UPDATE keys SET tat = ?, last_used = ? WHERE kid = ?", (key_charge.arrival_time, last_used, row["kid"])
        )
        connection.execute("UPDATE tenants SET tat = ? WHERE tenant = ?", (tenant_charge.arrival_time, row["tenant"]))
        return AdmissionGranted(replace(ROWS.from_row(row), last_used=last_used))
    # A repeat needs both limits, so the longer wait applies.
    waits = [
        outcome.retry_after_seconds
        for outcome in (key_charge, tenant_charge)
        if isinstance(outcome, rate_limit.RateExceeded)
    ]
    reason = (
        AdmissionDenialReason.KEY_RATE
        if isinstance(key_charge, rate_limit.RateExceeded)
        else AdmissionDenialReason.TENANT_RATE
    )
    return AdmissionDenied(reason, row["kid"], row["tenant"], retry_after_s=max(waits), toolset=row["toolset"])


def _denied(row: sqlite3.Row, reason: AdmissionDenialReason) -> AdmissionDenied:
    return AdmissionDenied(reason, kid=row["kid"], tenant=row["tenant"], retry_after_s=None)
