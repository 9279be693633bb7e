"""Protocol revisions and the header and member names that they reserve."""

from typing import Final

HANDSHAKE_VERSIONS: Final = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")
"""Revisions that open with `initialize`, oldest first."""
LATEST_HANDSHAKE_VERSION: Final = "2025-11-25"
BATCH_VERSION: Final = "2025-03-26"
"""The only revision with batches, and the default revision for a request without a version header."""
STATELESS_VERSIONS: Final = ("2026-07-28",)
"""Revisions in which every request carries its metadata in `_meta`."""
SUPPORTED_VERSIONS: Final = (*reversed(STATELESS_VERSIONS), *reversed(HANDSHAKE_VERSIONS))
"""Supported revisions as clients see them, newest first."""
ERROR_ID_OPTIONAL_SINCE: Final = "2025-11-25"
"""First revision in whose schema an error may have no `id`; in all before it has one, and JSON-RPC 2.0 uses `null`."""

PROTOCOL_VERSION_KEY: Final = "io.modelcontextprotocol/protocolVersion"
CLIENT_CAPABILITIES_KEY: Final = "io.modelcontextprotocol/clientCapabilities"
SERVER_INFO_KEY: Final = "io.modelcontextprotocol/serverInfo"
LOG_LEVEL_KEY: Final = "io.modelcontextprotocol/logLevel"

VERSION_HEADER: Final = "mcp-protocol-version"
SESSION_HEADER: Final = "mcp-session-id"
METHOD_HEADER: Final = "mcp-method"
NAME_HEADER: Final = "mcp-name"
PARAM_HEADER_PREFIX: Final = "mcp-param-"
