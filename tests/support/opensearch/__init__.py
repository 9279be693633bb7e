"""Indexes on a real OpenSearch, behind an emulated service."""
