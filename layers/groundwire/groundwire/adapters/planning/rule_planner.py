"""Query planner that needs no language model."""

from collections.abc import Sequence

from groundwire.domain.search.conversation import Turn
from groundwire.ports import ModelDeployment, QueryPlan, QueryPlanner
from groundwire.services.search.planning.planner import plan_queries


class RulePlanner:
    """Query planner by rules; it uses no model, so its plans state no usage."""

    def plan(self, turns: Sequence[Turn], most: int) -> QueryPlan:
        """Return at most `most` queries for the last message of the user."""
        return QueryPlan(plan_queries(turns, most), None)


class RulePlanners:
    """Planners of a server without any model."""

    def for_tenant(self, tenant: str, models: Sequence[ModelDeployment]) -> QueryPlanner:  # noqa: ARG002 - the port
        """Return the planner by rules."""
        return RulePlanner()
