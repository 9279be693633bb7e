"""Key as a row of the table `keys`, without its digests and rate state."""

import sqlite3
from functools import lru_cache
from typing import Final

from groundwire.adapters.local.sqlite.json_columns import from_set, from_tuple, to_set, to_tuple
from groundwire.domain.access.scopes import Scope
from groundwire.domain.keys.api_key import ApiKey
from groundwire.domain.keys.grants import ALL_COLLECTIONS, CollectionGrant, KeyKind

COLUMNS: Final = (
    "kid",
    "tenant",
    "name",
    "kind",
    "user",
    "tags",
    "max_tags",
    "scopes",
    "collections",
    "top_n",
    "toolset",
    "rate_per_minute",
    "burst",
    "created_at",
    "expires_at",
    "revoked",
    "previous_until",
    "last_used",
    "expand_tokens",
    "strict_tags",
    "dialects",
    "max_tokens",
    "floor",
    "split_first_phrase",
    "sources",
)


def to_row(key: ApiKey) -> tuple[object, ...]:
    """Return the values of `COLUMNS`."""
    return (
        key.kid,
        key.tenant,
        key.name,
        key.kind.value,
        key.user,
        from_set(key.tags),
        from_tuple(key.max_tags),
        from_set(key.scopes),
        _from_grant(key.collections),
        key.top_n,
        key.toolset,
        key.rate_per_minute,
        key.burst,
        key.created_at,
        key.expires_at,
        key.revoked,
        key.previous_until,
        key.last_used,
        key.expand_tokens,
        key.strict_tags,
        None if key.dialects is None else from_set(key.dialects),
        key.max_tokens,
        key.floor,
        key.split_first_phrase,
        key.sources,
    )


def from_row(row: sqlite3.Row, last_used: float | None) -> ApiKey:
    """Return the key of a row, with `last_used` as given: an admission passes the value that it has just written."""
    return ApiKey(
        kid=row["kid"],
        tenant=row["tenant"],
        name=row["name"],
        kind=KeyKind(row["kind"]),
        user=row["user"],
        tags=to_set(row["tags"]),
        max_tags=to_tuple(row["max_tags"]),
        scopes=_to_scopes(row["scopes"]),
        collections=_to_grant(row["collections"]),
        top_n=row["top_n"],
        toolset=row["toolset"],
        rate_per_minute=row["rate_per_minute"],
        burst=row["burst"],
        created_at=row["created_at"],
        expires_at=row["expires_at"],
        revoked=bool(row["revoked"]),
        previous_until=row["previous_until"],
        last_used=last_used,
        expand_tokens=row["expand_tokens"],
        strict_tags=bool(row["strict_tags"]),
        dialects=None if row["dialects"] is None else to_set(row["dialects"]),
        max_tokens=row["max_tokens"],
        floor=row["floor"],
        split_first_phrase=bool(row["split_first_phrase"]),
        sources=bool(row["sources"]),
    )


def _from_grant(grant: CollectionGrant) -> str:
    return ALL_COLLECTIONS if grant == ALL_COLLECTIONS else from_set(grant)


def _to_grant(text: str) -> CollectionGrant:
    return ALL_COLLECTIONS if text == ALL_COLLECTIONS else to_set(text)


@lru_cache(maxsize=256)
def _to_scopes(text: str) -> frozenset[Scope]:
    return frozenset(Scope(name) for name in to_set(text))
