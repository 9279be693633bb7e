"""Running the machine: a fixed seed, so that it says the same everywhere, and a bounded number of steps."""

from typing import Final

from hypothesis import HealthCheck, Phase, settings
from hypothesis.stateful import run_state_machine_as_test

from tests.support.isolation.machine import Isolation
from tests.support.worlds.world import World

STEPS: Final = 30


def run(world: World, *, examples: int, leaks_only: bool = False, machine: type[Isolation] = Isolation) -> None:
    """Histories of up to `STEPS` steps in fresh tenants; raises what the first broken promise raises."""

    class Here(machine):
        """In this world."""

        def __init__(self) -> None:
            super().__init__(world, leaks_only=leaks_only)

    run_state_machine_as_test(
        Here,
        settings=settings(
            max_examples=examples,
            stateful_step_count=STEPS,
            phases=(Phase.generate,),
            derandomize=True,
            database=None,
            deadline=None,
            report_multiple_bugs=False,
            suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
        ),
    )
