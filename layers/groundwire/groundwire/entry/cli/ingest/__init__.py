"""Command `ingest`."""
