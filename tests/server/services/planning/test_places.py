"""A plan waits for its place within its own time; where none is free in time, the rules plan."""

import time
from collections.abc import Generator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, field

import pytest

from groundwire.adapters.planning.model_planner import ModelPlanners, PlanningLimits
from groundwire.adapters.planning.plan_output import PlanOutput
from groundwire.adapters.planning.prompt import PlanningPrompt
from groundwire.adapters.planning.token_budget import TokenBudget
from groundwire.domain.errors import LimitExceeded
from groundwire.domain.keys.fairness.work import Work
from groundwire.ports import QueryPlanner
from groundwire.ports.deadline import sharing
from groundwire.services.search.planning.planner import plan_queries
from tests.server.services.planning.conftest import FOLLOW_UP

SECONDS = 3.0
BY_RULES = (plan_queries(FOLLOW_UP, 3), None)


@dataclass
class Server:
    """A share whose place is free after `wait` seconds of a virtual clock, and a model that takes `answer` seconds."""

    wait: float = 0.0
    answer: float = 0.5
    name: str = "small"
    deployment: str = "small"
    now: float = 1_000.0
    is_full: bool = False
    limits: list[float] = field(default_factory=list[float])

    @contextmanager
    def outside(self, work: Work) -> Generator[None]:
        assert work is Work.PLANNER
        if self.is_full:
            raise LimitExceeded("Too many calls wait.", 1)
        self.now += self.wait
        yield

    def waiting(self) -> AbstractContextManager[None]:
        return nullcontext()

    def beside(self) -> "Server":
        return self

    def ask(self, prompt: PlanningPrompt, seconds: float, /) -> PlanOutput:
        assert prompt.tokens > 0
        self.limits.append(seconds)
        self.now += self.answer
        return PlanOutput({"queries": ["pump"]}, 900, 100)


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Server:
    made = Server()
    monkeypatch.setattr(time, "monotonic", lambda: made.now)
    return made


@pytest.fixture
def planner(server: Server) -> QueryPlanner:
    # Tokens for one plan.
    budget = TokenBudget(1_100, 1_100, lambda: 0.0)
    return ModelPlanners(server, lambda _: None, PlanningLimits(SECONDS, 1_000, budget)).for_tenant("t_amber", ())


def test_after_a_wait_the_model_has_the_rest_of_the_time(server: Server, planner: QueryPlanner) -> None:
    server.wait = 2.0
    with sharing(server):
        plan = planner.plan(FOLLOW_UP, 3)
    assert server.limits == [SECONDS - 2.0]
    assert plan.queries == ("pump",)
    assert plan.usage is not None
    assert plan.usage.elapsed_ms == 500


def test_after_a_long_wait_the_rules_plan(server: Server, planner: QueryPlanner) -> None:
    server.wait = SECONDS - 0.1
    with sharing(server):
        assert planner.plan(FOLLOW_UP, 3) == BY_RULES
    assert server.limits == []


@pytest.mark.parametrize("is_full", [True, False])
def test_a_plan_without_a_place_costs_no_tokens(server: Server, planner: QueryPlanner, *, is_full: bool) -> None:
    server.wait, server.is_full = SECONDS, is_full
    with sharing(server):
        for _ in range(5):
            assert planner.plan(FOLLOW_UP, 3) == BY_RULES
        server.wait, server.is_full = 0.0, False
        assert planner.plan(FOLLOW_UP, 3).usage is not None
