"""Sessions of clients that open with a handshake: what was agreed on, and with whom; never a proof of identity."""

import hashlib
from dataclasses import dataclass
from typing import Final, NamedTuple

SESSION_SECONDS: Final = 30 * 86_400
"""How long a session lives after its last use: real clients do not recover from one that has ended."""
UNUSED_SESSION_SECONDS: Final = 86_400
"""Lifetime of a session without a request after `initialize`: many clients open a session for each look-up."""
EXPIRY_UPDATE_SECONDS: Final = 3_600
"""A session's end is moved once an hour at most, so that a call in a session costs a read and no write."""


class SessionOwner(NamedTuple):
    """To whom a session belongs; a call by anybody else meets an unknown session.

    Attributes:
        user: whom the key spoke for; None for nobody.
    """

    tenant: str
    kid: str
    user: str | None


@dataclass(frozen=True, slots=True)
class Session:
    """One handshake.

    Attributes:
        id: 43 characters of the URL-safe base64 alphabet, 256 bits.
        protocol_version: the revision that was agreed on.
        client_name, client_version: as the client introduced itself, bounded; for the operator, decide nothing.
        log_level: what `logging/setLevel` asked for last; None before.
        created_at, expires_at: epoch seconds; `expires_at` slides.
    """

    id: str
    owner: SessionOwner
    protocol_version: str
    client_name: str
    client_version: str
    log_level: str | None
    created_at: float
    expires_at: float


def session_digest(session_id: str) -> bytes:
    """What a store keeps instead of the id, SHA-256: who reads the store can go on with nobody's session.

    Neither a slow hash nor a pepper would add safety, as an id has 256 random bits and proves nothing.
    """
    return hashlib.sha256(session_id.encode("utf-8", "surrogatepass")).digest()
