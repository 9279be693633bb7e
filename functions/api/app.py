"""The api function: links to documents, and whether the service is alive."""

from groundwire.entry.runtime.cold_start import load_handler

handler = load_handler("groundwire.entry.rest")
