"""The ingestion function: what changed in the bucket."""

from groundwire.entry.cold_start import handler_of

handler = handler_of("groundwire.entry.ingestion")
