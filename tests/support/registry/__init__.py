"""Stores of the registry: records, backends and races between callers."""
