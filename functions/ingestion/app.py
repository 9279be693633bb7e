"""The ingestion function: what changed in the bucket."""

from groundwire.entry.runtime.cold_start import load_handler

handler = load_handler("groundwire.entry.functions.ingestion")
