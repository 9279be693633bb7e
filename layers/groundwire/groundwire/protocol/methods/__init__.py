"""Methods of MCP."""
