"""Planner of queries by rules, the default: it needs no model, and plans in about a millisecond."""

from collections.abc import Sequence

from groundwire.domain.search.planning.conversation import Turn
from groundwire.domain.search.planning.planner import plan_queries
from groundwire.ports.models import QueryPlan


class RulePlanner:
    """Planner by rules of language."""

    def plan(self, turns: Sequence[Turn], most: int) -> QueryPlan:
        """Return one to `most` queries for the last question; none where the user has written nothing."""
        return QueryPlan(plan_queries(turns, most), usage=None)
