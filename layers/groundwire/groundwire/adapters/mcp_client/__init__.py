"""Client of MCP servers of other systems, over Streamable HTTP in both eras of the protocol."""

from groundwire.adapters.mcp_client.client import McpSourceClient

__all__ = ["McpSourceClient"]
