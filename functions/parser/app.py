"""The parser function: one document of one tenant."""

from groundwire.entry.runtime.cold_start import load_handler

handler = load_handler("groundwire.entry.functions.parser")
