"""Findings of the current tree that are known and stay for now, each with the reason; a mended one must leave here."""

from collections.abc import Mapping
from typing import Final

KNOWN_FINDINGS: Final[Mapping[str, str]] = {
    "log-stream-per-environment": (
        "The audit log creates a stream for each new environment before it answers. Beyond 50 new environments in a "
        "second, a first call of an environment answers 503 and can be repeated; no call is answered unrecorded. "
        "Another way to the audit log replaces this."
    ),
}
"""Reasons by the id of the rule."""
