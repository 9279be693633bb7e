"""The interpreter alone."""
