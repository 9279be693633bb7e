"""Implementations of `groundwire.ports`; only `groundwire.wiring` picks among them."""
