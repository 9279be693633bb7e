"""Group `key`."""
