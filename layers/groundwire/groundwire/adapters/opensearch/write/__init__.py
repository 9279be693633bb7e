"""Writes to an OpenSearch index."""
