"""Command `eval`."""
