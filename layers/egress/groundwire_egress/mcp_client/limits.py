"""Limits of calls to MCP servers, each with its reason."""

from typing import Final

MAX_SOURCE_TOOLS: Final = 128
"""Tools of one source's server that are read; agents choose badly among more."""
MAX_SOURCE_RESPONSE_BYTES: Final = 1_000_000
"""Size of all that a source's server sends in one call."""
SOURCE_CALL_SECONDS: Final = 20
"""Time of a call through a source, all its requests included."""
SOURCE_CONNECT_SECONDS: Final = 5
