"""Sessions of clients that open with a handshake: owner, negotiated version, lifetimes. They prove no identity."""

import hashlib
from dataclasses import dataclass
from typing import Final, NamedTuple

from groundwire.stored.fields import REQUIRED, field
from groundwire.stored.kinds import MOMENT, TEXT
from groundwire.stored.stored_type import NotStored, StoredPart, StoredType

SESSION_SECONDS: Final = 30 * 86_400
"""Lifetime of a session after its last use: real clients do not recover from one that has ended."""
UNUSED_SESSION_SECONDS: Final = 86_400
"""Lifetime of a session without a request after `initialize`: many clients open a session for each look-up."""
EXPIRY_UPDATE_SECONDS: Final = 3_600
"""Least time between two updates of a session's expiry, so that most calls in a session cost a read and no write."""


class SessionOwner(NamedTuple):
    """Owner of a session; for all other callers the session is unknown.

    Attributes:
        user: the end user of the call that opened the session; None for nobody.
    """

    tenant: str
    kid: str
    user: str | None


@dataclass(frozen=True, slots=True)
class Session:
    """State agreed on in one handshake.

    Attributes:
        id: 43 characters of the URL-safe base64 alphabet, 256 bits.
        protocol_version: the negotiated revision.
        client_name, client_version: as the client gave them, truncated; for the operator only.
        log_level: the last level that `logging/setLevel` requested; None before.
        created_at, expires_at: epoch seconds; use extends `expires_at`.
    """

    id: str
    owner: SessionOwner
    protocol_version: str
    client_name: str
    client_version: str
    log_level: str | None
    created_at: float
    expires_at: float


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
)
"""Fields of a session; a store keeps the digest of its id, and a caller that names the id gets it back."""


def session_digest(session_id: str) -> bytes:
    """Return the SHA-256 that a store keeps instead of the id: a reader of the store cannot continue a session.

    Neither a slow hash nor a pepper would add safety, as an id has 256 random bits and proves nothing.
    """
    return hashlib.sha256(session_id.encode("utf-8", "surrogatepass")).digest()
