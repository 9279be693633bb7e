"""The sources function: calls to the MCP servers of other systems."""

from groundwire.entry.runtime.cold_start import load_handler

handler = load_handler("groundwire.entry.functions.sources")
