"""Command `search`."""
