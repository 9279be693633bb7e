"""The mcp function: MCP over POST /mcp."""

from groundwire.entry.mcp import handler

__all__ = ["handler"]
