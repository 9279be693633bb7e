"""API keys in SQLite, with digests of their secrets.

A call is admitted, and charged to the rate limit of its key, in one transaction. The secret is checked first: only its
owner can get another result than "wrong secret", and only the owner's calls are charged.
"""

import hmac
import os
import sqlite3
from copy import copy
from dataclasses import replace
from typing import Any, Final, Self

from groundwire.adapters.local.registry.database import Database
from groundwire.adapters.local.sqlite.stored_rows import RowCodec
from groundwire.domain import errors
from groundwire.domain.keys import rate_limit
from groundwire.domain.keys.api_key import (
    CHANGEABLE_FIELDS,
    STORED_KEY,
    Admission,
    AdmissionDenialReason,
    AdmissionDenied,
    AdmissionGranted,
    ApiKey,
    SecretMaker,
)
from groundwire.domain.keys.forms.page_session import page_end
from groundwire.domain.limits import MAX_PAGE_SESSIONS
from groundwire.stored import texts_json

ROWS: Final = RowCodec(STORED_KEY)


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


def admit(
    connection: sqlite3.Connection, kid: str, digest: bytes, now: float, *, spends_tenant_rate: bool
) -> Admission:
    """Admit or deny the call, and charge it to the rate limits; the caller's transaction makes this atomic."""
    row: sqlite3.Row | None = connection.execute(_SELECT_KEY, (kid,)).fetchone()
    return _admit(
        connection, row, now, is_secret_valid=_is_secret_valid(row, digest, now), spends_tenant_rate=spends_tenant_rate
    )


def admit_page(
    connection: sqlite3.Connection, kid: str, digest: bytes, now: float, *, spends_tenant_rate: bool
) -> Admission:
    """Admit or deny the call of a page session, as `admit` does."""
    row: sqlite3.Row | None = connection.execute(_SELECT_KEY, (kid,)).fetchone()
    # A digest is no secret and nobody chooses one, so the time of the look-up reveals nothing.
    open_page = connection.execute(_SELECT_PAGE, (digest, kid, now)).fetchone()
    return _admit(connection, row, now, is_secret_valid=open_page is not None, spends_tenant_rate=spends_tenant_rate)


def _admit(
    connection: sqlite3.Connection,
    row: sqlite3.Row | None,
    now: float,
    *,
    is_secret_valid: bool,
    spends_tenant_rate: bool,
) -> Admission:
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
    return _charge(connection, row, now, spends_tenant_rate=spends_tenant_rate)


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


def _charge(connection: sqlite3.Connection, row: sqlite3.Row, now: float, *, spends_tenant_rate: bool) -> Admission:
    key_charge = rate_limit.spend(row["tat"], now, row["rate_per_minute"], row["burst"])
    tenant_charge = (
        rate_limit.spend(row["tenant_tat"], now, row["tenant_rate_per_minute"], row["tenant_burst"])
        if spends_tenant_rate
        else rate_limit.RateAllowed(row["tenant_tat"])
    )
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


_CHANGEABLE: Final = tuple(field.column for field in STORED_KEY.fields if field.name in CHANGEABLE_FIELDS)
_END_SURPLUS_PAGES: Final = (
    "DELETE FROM page_sessions WHERE digest IN"
    " (SELECT digest FROM page_sessions WHERE kid = ? ORDER BY expires_at DESC LIMIT -1 OFFSET ?)"
)


class SqliteKeys:
    """Implements `ports.Keys`."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._spends_tenant_rate = True

    def add(self, key: ApiKey, digest: bytes) -> None:
        """Add the key.

        Raises:
            Conflict: the kid is taken.
            NotFound: there is no such tenant.
        """
        statement = f"INSERT INTO keys ({ROWS.names}, digest) VALUES ({ROWS.placeholders}, ?) ON CONFLICT DO NOTHING"  # noqa: S608
        with self._database.write() as connection:
            if connection.execute("SELECT 1 FROM tenants WHERE tenant = ? AND closing", (key.tenant,)).fetchone():
                raise errors.NotFound("There is no such tenant.", "tenant")
            if connection.execute(statement, (*ROWS.to_row(key), digest)).rowcount == 0:
                raise errors.Conflict("A key with this id already exists: create another one.")

    def admit(self, kid: str, digest: bytes, now: float) -> Admission:
        """Admit a call in one exclusive transaction; see `admission`."""
        with self._database.write_relaxed() as connection:
            return admit(connection, kid, digest, now, spends_tenant_rate=self._spends_tenant_rate)

    def admit_page(self, kid: str, digest: bytes, now: float) -> Admission:
        """Admit a call of a page session in one exclusive transaction; see `admission`."""
        with self._database.write_relaxed() as connection:
            return admit_page(connection, kid, digest, now, spends_tenant_rate=self._spends_tenant_rate)

    def without_tenant_rate(self) -> Self:
        """Return the store for calls that end or narrow rights: they count against the rate of their key alone."""
        keys = copy(self)
        keys._spends_tenant_rate = False  # noqa: SLF001 - a copy of this object
        return keys

    def open_page(self, tenant: str, kid: str, digest: bytes, until: float, now: float) -> float:
        """Open a page session, in place of the one that would end first where there are too many; return its end.

        Raises:
            NotFound: the tenant has no active key of this id.
            Conflict: the former secret has just ended.
        """
        with self._database.write() as connection:
            active = "SELECT previous_until FROM keys WHERE kid = ? AND tenant = ? AND NOT revoked"
            row = connection.execute(active, (kid, tenant)).fetchone()
            if row is None:
                raise errors.NotFound("The tenant has no active key of this id.", "key")
            end = page_end(until, row["previous_until"], now)
            connection.execute("DELETE FROM page_sessions WHERE kid = ? AND expires_at <= ?", (kid, now))
            connection.execute(_END_SURPLUS_PAGES, (kid, MAX_PAGE_SESSIONS - 1))
            connection.execute("INSERT INTO page_sessions VALUES (?, ?, ?)", (digest, kid, end))
        return end

    def close_page(self, kid: str, digest: bytes, now: float) -> bool:
        """End a page session; return whether it was open."""
        statement = "DELETE FROM page_sessions WHERE digest = ? AND kid = ? RETURNING expires_at"
        with self._database.write() as connection:
            row = connection.execute(statement, (digest, kid)).fetchone()
        return row is not None and row["expires_at"] > now

    def get(self, tenant: str, kid: str) -> ApiKey | None:
        """Return the key, even if revoked or expired; None when the tenant has none of that kid."""
        statement = f"SELECT {ROWS.names} FROM keys WHERE kid = ? AND tenant = ?"  # noqa: S608
        with self._database.read() as connection:
            row = connection.execute(statement, (kid, tenant)).fetchone()
        return None if row is None else ROWS.from_row(row)

    def get_usable(self, tenant: str, kid: str) -> ApiKey | None:
        """Return the key, but None while the tenant is suspended."""
        statement = (
            f"SELECT {ROWS.names} FROM keys WHERE kid = ? AND tenant = ?"  # noqa: S608
            " AND NOT EXISTS (SELECT 1 FROM tenants WHERE tenants.tenant = keys.tenant AND suspended_at IS NOT NULL)"
        )
        with self._database.read() as connection:
            row = connection.execute(statement, (kid, tenant)).fetchone()
        return None if row is None else ROWS.from_row(row)

    def all(self, tenant: str) -> list[ApiKey]:
        """Return the tenant's keys by creation time."""
        statement = f"SELECT {ROWS.names} FROM keys WHERE tenant = ? ORDER BY created_at, kid"  # noqa: S608
        with self._database.read() as connection:
            return [ROWS.from_row(row) for row in connection.execute(statement, (tenant,))]

    def any_unrevoked(self) -> bool:
        """Return whether any tenant has a key that is not revoked."""
        with self._database.read() as connection:
            return connection.execute("SELECT 1 FROM keys WHERE NOT revoked LIMIT 1").fetchone() is not None

    def rotate(self, tenant: str, kid: str, digest: bytes, previous_until: float, maker: SecretMaker) -> None:
        """Replace the secret; the secret before the last rotation stops at once.

        Raises:
            NotFound: the tenant has no key of this id.
        """
        statement = (
            "UPDATE keys SET previous_digest = digest, digest = ?, previous_until = ?,"
            " formerly_rotated_by = rotated_by, formerly_rotated_with = rotated_with, rotated_by = ?, rotated_with = ?"
            " WHERE kid = ? AND tenant = ?"
        )
        values = (digest, previous_until, maker.user, maker.kid, kid, tenant)
        with self._database.write() as connection:
            if connection.execute(statement, values).rowcount == 0:
                raise errors.NotFound("The tenant has no key of this id.", "key")
            # Whoever had the former secret may have signed in with it.
            connection.execute("DELETE FROM page_sessions WHERE kid = ?", (kid,))

    def replace_tags(self, key: ApiKey, tags: frozenset[str], max_tags: tuple[str, ...]) -> None:
        """Replace the tags of the key, and those that its calls may send, if they still are those of `key`.

        Raises:
            Conflict: they were changed meanwhile, or there is no such key.
        """
        statement = "UPDATE keys SET tags = ?, max_tags = ? WHERE kid = ? AND tenant = ? AND tags = ? AND max_tags = ?"
        before = (texts_json.to_json(sorted(key.tags)), texts_json.to_json(key.max_tags))
        after = (texts_json.to_json(sorted(tags)), texts_json.to_json(max_tags))
        with self._database.write() as connection:
            if connection.execute(statement, (*after, key.kid, key.tenant, *before)).rowcount == 0:
                raise errors.Conflict("The tags of the key were changed meanwhile: try again.")

    def change(self, before: ApiKey, after: ApiKey) -> None:
        """Replace the fields that may change, if each still is that of `before`.

        Raises:
            Conflict: one was changed or the key was revoked meanwhile, or there is no such key.
        """
        assignments = ", ".join(f"{column} = ?" for column in _CHANGEABLE)
        unchanged = " AND ".join(f"{column} IS ?" for column in _CHANGEABLE)
        statement = f"UPDATE keys SET {assignments} WHERE kid = ? AND tenant = ? AND NOT revoked AND {unchanged}"  # noqa: S608
        values = (*_changeable_values(after), before.kid, before.tenant, *_changeable_values(before))
        with self._database.write() as connection:
            if connection.execute(statement, values).rowcount == 0:
                raise errors.Conflict("The key was changed meanwhile: try again.")

    def is_revoked(self, tenant: str, kid: str) -> bool:
        """Return whether the key was revoked, or the tenant has no such key."""
        statement = "SELECT 1 FROM keys WHERE kid = ? AND tenant = ? AND NOT revoked"
        with self._database.read() as connection:
            return connection.execute(statement, (kid, tenant)).fetchone() is None

    def revoke(self, tenant: str, kid: str) -> None:
        """Revoke the key, so that no later `admit` succeeds.

        Raises:
            NotFound: the tenant has no key of this id.
        """
        with self._database.write() as connection:
            statement = "UPDATE keys SET revoked = 1 WHERE kid = ? AND tenant = ?"
            if connection.execute(statement, (kid, tenant)).rowcount == 0:
                raise errors.NotFound("The tenant has no key of this id.", "key")


def _changeable_values(key: ApiKey) -> list[Any]:
    """Return the values of the columns that may change, in their order."""
    by_column = dict(zip(ROWS.columns, ROWS.to_row(key), strict=True))
    return [by_column[column] for column in _CHANGEABLE]
