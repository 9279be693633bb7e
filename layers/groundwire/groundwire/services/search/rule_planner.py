"""Placeholder."""

from collections.abc import Sequence

from groundwire.domain.search.planning.conversation import Speaker, Turn
from groundwire.ports.models import QueryPlan


class RulePlanner:
    """Planner."""

    def plan(self, turns: Sequence[Turn], most: int) -> QueryPlan:
        """Return."""
        return QueryPlan(tuple([turn.text for turn in turns if turn.speaker is Speaker.USER][-1:])[:most], None)
