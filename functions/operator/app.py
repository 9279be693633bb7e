"""The operator function: tenants, their first keys, their indexes; invoked with IAM alone."""

from groundwire.entry.runtime.cold_start import load_handler

handler = load_handler("groundwire.entry.operator.function")
