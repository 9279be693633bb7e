"""The embedding function: texts in, vectors out."""

from groundwire.entry.cold_start import handler_of

handler = handler_of("groundwire.entry.embedding")
