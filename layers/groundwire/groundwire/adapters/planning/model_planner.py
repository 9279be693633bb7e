"""Query planning by a language model, within a time and a budget; on any error the rules plan."""

import logging
import time
from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from groundwire.adapters.planning.plan_output import PlanningModel, checked_queries
from groundwire.adapters.planning.prompt import MAX_OUTPUT_TOKENS, PlanningPrompt, is_plain_question, planning_prompt
from groundwire.adapters.planning.rule_planner import RulePlanner
from groundwire.adapters.planning.token_budget import TokenBudget
from groundwire.domain.errors import DomainError, Unavailable
from groundwire.domain.keys.fairness.work import Work
from groundwire.domain.search.conversation import Turn
from groundwire.ports import ModelDeployment, ModelUsage, QueryPlan, QueryPlanner
from groundwire.ports.deadline import outside, remaining_seconds, time_limit

_log = logging.getLogger(__name__)
_MILLISECONDS: Final = 1_000
_LEAST_PART: Final = 0.2
"""Part of the time that a model gets at least; after a longer wait for a place the rules plan."""
_RULES: Final = RulePlanner()


class PlanningLimits(NamedTuple):
    """Limits of planning by models.

    Attributes:
        seconds: for a whole call, its wait for a place included. tokens: of the input of a call.
    """

    seconds: float
    tokens: int
    budget: TokenBudget


class ModelPlanner:
    """Query planner by one model for one tenant."""

    def __init__(self, model: PlanningModel, tenant: str, limits: PlanningLimits) -> None:
        self._model = model
        self._tenant = tenant
        self._limits = limits

    def plan(self, turns: Sequence[Turn], most: int) -> QueryPlan:
        """Return the queries of the model, or those of the rules where it gives none or is not needed."""
        if is_plain_question(turns):
            return _RULES.plan(turns, most)
        prompt = planning_prompt(turns, most, self._limits.tokens)
        if prompt is None:
            return _RULES.plan(turns, most)
        # The most that the call can cost; what it does not use is returned afterwards.
        taken = prompt.tokens + MAX_OUTPUT_TOKENS
        if not self._limits.budget.take(self._tenant, taken):
            return self._plan_by_rules("budget", turns, most)
        try:
            return self._plan(prompt, most, taken)
        except DomainError as error:
            # The class alone: a message could quote what the service wrote.
            return self._plan_by_rules(type(error).__name__, turns, most)

    def _plan(self, prompt: PlanningPrompt, most: int, taken: int) -> QueryPlan:
        budget, limit, is_sent = self._limits.budget, self._limits.seconds, False
        try:
            # Set before the wait for a place, which is a part of the time.
            with time_limit(limit), outside(Work.PLANNER):
                seconds = remaining_seconds(limit)
                if seconds < limit * _LEAST_PART:
                    raise Unavailable("no place was free in time")
                is_sent, started_at = True, time.monotonic()
                output = self._model.ask(prompt, seconds)
                elapsed_ms = round((time.monotonic() - started_at) * _MILLISECONDS)
        finally:
            if not is_sent:
                budget.correct(self._tenant, -taken)
        if output.input_tokens is not None and output.output_tokens is not None:
            budget.correct(self._tenant, output.input_tokens + output.output_tokens - taken)
        # After the correction, since the tokens were spent all the same.
        if elapsed_ms > seconds * _MILLISECONDS:
            raise Unavailable("the output is too late")
        queries = checked_queries(output.value, most)
        usage = ModelUsage(
            self._model.name, self._model.deployment, output.input_tokens, output.output_tokens, elapsed_ms
        )
        return QueryPlan(queries, usage)

    def _plan_by_rules(self, reason: str, turns: Sequence[Turn], most: int) -> QueryPlan:
        _log.warning("Queries are planned by rules: %s", reason)
        return _RULES.plan(turns, most)


class ModelPlanners:
    """Planners by the server's own model, or by one that a definition names.

    Args:
        own: the server's own model; None: rules plan.
        find_model: returns the model of a definition; None: it is not called.
    """

    def __init__(
        self,
        own: PlanningModel | None,
        find_model: Callable[[ModelDeployment], PlanningModel | None],
        limits: PlanningLimits,
    ) -> None:
        self._own = own
        self._find_model = find_model
        self._limits = limits

    def for_tenant(self, tenant: str, models: Sequence[ModelDeployment]) -> QueryPlanner:
        """Return the planner by the first of these models that the operator allows, else the server's own."""
        allowed = (found for each in models if (found := self._find_model(each)) is not None)
        model = next(allowed, self._own)
        return _RULES if model is None else ModelPlanner(model, tenant, self._limits)
