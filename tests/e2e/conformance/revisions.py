"""Revisions as the suite has them."""

from typing import Final

STATELESS: Final = "2026-07-28"
HANDSHAKE: Final = "2025-11-25"
OLDER: Final = "2025-06-18"

FROZEN: Final = frozenset({STATELESS, HANDSHAKE})
"""The suite keeps a list of what each of them required when it came out."""
