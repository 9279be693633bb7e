"""The operator function: tenants, their first keys, their indexes; invoked with IAM alone."""

from groundwire.entry.cold_start import handler_of

handler = handler_of("groundwire.entry.operator.function")
