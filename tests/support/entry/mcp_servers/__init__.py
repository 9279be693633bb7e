"""Servers that play an MCP server of another system and an OAuth provider, and keep what they receive."""
