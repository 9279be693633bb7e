"""The embedded index: one SQLite file per tenant is the truth, and numpy arrays caught up from it are searched."""

from groundwire.adapters.local.index.indexes import EmbeddedIndexes

__all__ = ["EmbeddedIndexes"]
