"""Embedded index: one SQLite file per tenant is authoritative, and searches use numpy arrays refreshed from it."""

from groundwire.adapters.local.index.indexes import EmbeddedIndexes

__all__ = ["EmbeddedIndexes"]
