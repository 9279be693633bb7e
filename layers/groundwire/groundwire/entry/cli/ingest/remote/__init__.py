"""`groundwire --url URL ingest`: files for a service."""
