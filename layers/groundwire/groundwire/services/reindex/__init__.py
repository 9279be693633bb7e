"""A tenant's index is made anew with another model while the present one answers."""

from groundwire.services.reindex.filling import Pace
from groundwire.services.reindex.reindex import Reindex, Reindexed, ReindexStanding

__all__ = ["Pace", "Reindex", "ReindexStanding", "Reindexed"]
