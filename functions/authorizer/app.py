"""The authorizer function: decides once per call who is asking."""

from groundwire.entry.cold_start import handler_of

handler = handler_of("groundwire.entry.authorizer")
