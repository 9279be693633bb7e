"""The api function: links to documents, and whether the service is alive."""

from groundwire.entry.cold_start import handler_of

handler = handler_of("groundwire.entry.rest")
