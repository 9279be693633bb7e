"""The embedding function: texts in, vectors out."""

from groundwire.entry.runtime.cold_start import load_handler

handler = load_handler("groundwire.entry.functions.embedding")
