"""Files, parsers and records that tests ingest and search."""
