"""The mcp function: MCP over POST /mcp."""

from groundwire.entry.runtime.cold_start import load_handler

handler = load_handler("groundwire.entry.mcp")
