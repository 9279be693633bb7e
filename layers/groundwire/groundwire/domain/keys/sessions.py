"""Stored form of sessions: the fields of a session, and the digest of its id."""

import hashlib
from typing import Final

from groundwire.stored.fields import REQUIRED, field
from groundwire.stored.kinds import BOOLEAN, MOMENT, TEXT
from groundwire.stored.stored_type import NotStored, StoredPart, StoredType
from groundwire_mcp.definitions.sessions import Session, SessionOwner

STORED_SESSION: Final = StoredType(
    Session,
    NotStored("id", ""),
    StoredPart(
        "owner",
        StoredType(
            SessionOwner,
            field("tenant", TEXT, absent=REQUIRED),
            field("kid", TEXT, absent=REQUIRED),
            field("user", TEXT, absent=None),
        ),
    ),
    field("protocol_version", TEXT, absent=REQUIRED),
    field("client_name", TEXT, absent=REQUIRED),
    field("client_version", TEXT, absent=REQUIRED),
    field("log_level", TEXT, absent=None),
    field("created_at", MOMENT, absent=REQUIRED),
    field("expires_at", MOMENT, absent=REQUIRED, item_as="ends_at"),
    # What an earlier release began shows no apps: its client gets the lists of that release.
    field("shows_apps", BOOLEAN, absent=False),
)
"""Fields of a session; a store keeps the digest of its id, and a caller that names the id gets it back."""


def session_digest(session_id: str) -> bytes:
    """Return the SHA-256 that a store keeps instead of the id: a reader of the store cannot continue a session.

    Neither a slow hash nor a pepper would add safety, as an id has 256 random bits and proves nothing.
    """
    # A client can send any text as an id, so a lone surrogate must not raise an error.
    return hashlib.sha256(session_id.encode("utf-8", "surrogatepass")).digest()
