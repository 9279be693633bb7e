"""Servers that other projects' libraries make: of both languages, both eras and both forms of an answer."""

from typing import NamedTuple


class ServerKind(NamedTuple):
    """A library's server.

    Attributes:
        mode: of its transport: `json`, `events`, or `json stateless`.
        protocols: versions that it serves, the one that is found without a hint first.
    """

    environment: str
    script: str
    mode: str
    protocols: tuple[str, ...]

    @property
    def name(self) -> str:
        return f"{self.environment} {self.mode}"


STATELESS = "2026-07-28"
LATEST = "2025-11-25"
BOTH = (STATELESS, LATEST)
WATCHES_NO_CONNECTION = {("mcp-2.3 json", STATELESS), ("mcp-1.30 json stateless", LATEST)}
"""Servers that continue a call after its connection ends and cannot learn which call is cancelled."""
KINDS = [
    ServerKind("mcp-1.9", "mcp_1.py", "events", ("2025-03-26",)),
    ServerKind("mcp-1.12", "mcp_1.py", "events", ("2025-06-18",)),
    ServerKind("mcp-1.30", "mcp_1.py", "events", (LATEST,)),
    ServerKind("mcp-1.30", "mcp_1.py", "json", (LATEST,)),
    ServerKind("mcp-1.30", "mcp_1.py", "json stateless", (LATEST,)),
    ServerKind("mcp-2.3", "mcp_2.py", "events", BOTH),
    ServerKind("mcp-2.3", "mcp_2.py", "json", BOTH),
    ServerKind("fastmcp", "fast_mcp.py", "events", BOTH),
    ServerKind("ts-sdk-1.32", "ts_sdk.mjs", "events", (LATEST,)),
    ServerKind("ts-sdk-1.32", "ts_sdk.mjs", "json", (LATEST,)),
    ServerKind("ts-server-2.4", "ts_server.mjs", "events", BOTH),
    ServerKind("ts-server-2.4", "ts_server.mjs", "json", BOTH),
]
