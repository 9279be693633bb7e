"""Running the machine: a fixed seed, so that it says the same everywhere, and a bounded number of steps."""

from random import Random
from typing import Final

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis.stateful import run_state_machine_as_test

from tests.support.isolation.dialect_answers import DialectCounts
from tests.support.isolation.machine import Isolation
from tests.support.worlds.world import World

STEPS: Final = 30


class RepeatableIds:
    """In place of the `secrets` that make ids of documents: the same in a history that is repeated.

    Pages are ordered by them, so that with others a leak would show itself at another step.
    """

    def begin(self) -> None:
        """A history begins."""
        self._random = Random(0)

    def token_hex(self, count: int) -> str:
        """Random digits, two for each of `count` bytes."""
        return self._random.randbytes(count).hex()


def run(
    world: World, *, examples: int, leaks_only: bool = False, machine: type[Isolation] = Isolation
) -> DialectCounts:
    """Histories of up to `STEPS` steps in fresh tenants, and how often each dialect's call was answered in which way.

    Raises what the first broken promise raises.
    """
    counts, ids = DialectCounts(), RepeatableIds()

    class Here(machine):
        """In this world."""

        def __init__(self) -> None:
            ids.begin()
            super().__init__(world, leaks_only=leaks_only)
            self.dialect_counts = counts

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("groundwire.wiring.ingest.secrets", ids)
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
    return counts
