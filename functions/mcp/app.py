"""The mcp function: MCP over POST /mcp."""

from groundwire.entry.cold_start import handler_of

handler = handler_of("groundwire.entry.mcp")
