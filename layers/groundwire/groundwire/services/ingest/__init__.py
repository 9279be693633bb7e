"""Ingestion of files: one document at a time, each complete or not at all."""
