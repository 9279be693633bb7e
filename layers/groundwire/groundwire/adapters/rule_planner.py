"""Query planner that needs no language model."""

from collections.abc import Sequence

from groundwire.domain.search.planning.conversation import Turn
from groundwire.domain.search.planning.planner import plan_queries
from groundwire.ports import QueryPlan


class RulePlanner:
    """Query planner by rules; it uses no model, so its plans state no usage."""

    def plan(self, turns: Sequence[Turn], most: int) -> QueryPlan:
        """Return at most `most` self-contained queries for the last message of the user."""
        return QueryPlan(plan_queries(turns, most), None)
