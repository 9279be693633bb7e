"""The revisions that the suite has frozen its requirements for."""

from typing import Final

STATELESS: Final = "2026-07-28"
HANDSHAKE: Final = "2025-11-25"
