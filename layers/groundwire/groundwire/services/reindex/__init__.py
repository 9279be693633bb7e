"""A tenant's index is made anew with another model while the present one answers."""

from groundwire.services.reindex.generation_builder import ReindexOptions
from groundwire.services.reindex.reindexer import Reindexer, ReindexResult, ReindexStatus

__all__ = ["ReindexOptions", "ReindexResult", "ReindexStatus", "Reindexer"]
