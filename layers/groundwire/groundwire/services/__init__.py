"""Use cases; they access stores, models and queues only through `groundwire.ports`."""
