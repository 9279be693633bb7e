"""Ingestion: files in, segments out, one document at a time, each whole or not at all."""
