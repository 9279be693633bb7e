"""Reindexing: a new index generation with another model is built while the live one serves searches."""

from groundwire.services.reindex.generation_builder import ReindexOptions
from groundwire.services.reindex.reindexer import Reindexer, ReindexResult, ReindexStatus

__all__ = ["ReindexOptions", "ReindexResult", "ReindexStatus", "Reindexer"]
