"""Functions that are invoked with messages instead of requests of the gateway."""
