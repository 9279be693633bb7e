"""The authorizer function: decides once per call who is asking."""

from groundwire.entry.runtime.cold_start import load_handler

handler = load_handler("groundwire.entry.authorizer")
