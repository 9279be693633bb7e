"""Owners and sessions with every field set; a test names only what it is about."""

from groundwire_mcp.definitions.sessions import Session, SessionOwner

NOW = 1_800_000_030.25
END = NOW + 86_400.5
ANN = SessionOwner("t-acme", "4fGh7Kq2LmNp", "ann")
STRANGERS = {
    "another tenant": ANN._replace(tenant="t-blue"),
    "another key": ANN._replace(kid="9xYz0AbCdEfG"),
    "another user": ANN._replace(user="bob"),
    "nobody": ANN._replace(user=None),
}
SESSION = Session(
    id="q3Zx9L0aVb7nKf2Rt8Yw1Uc4Ei6Oj5Ps-_dHgMlTrQk",
    owner=ANN,
    protocol_version="2025-11-25",
    client_name="größe",
    client_version="1.0",
    log_level="warning",
    created_at=NOW - 60.125,
    expires_at=END,
    shows_apps=True,
)


def numbered(number: int) -> Session:
    return SESSION._replace(id=f"{number:043}")
