"""Candidates of a search: found, checked against registry and filter, and without near-duplicates."""
