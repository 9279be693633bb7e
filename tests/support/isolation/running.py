"""Running the machine: a seed, so that a run can be repeated, and a bounded number of steps."""

from random import Random
from typing import Final

import pytest
from hypothesis import HealthCheck, Phase, seed, settings
from hypothesis.database import ExampleDatabase
from hypothesis.stateful import run_state_machine_as_test

from tests.support.isolation.dialect_answers import DialectCounts
from tests.support.isolation.histories import RecordedHistory
from tests.support.isolation.machine import Isolation, LeakError
from tests.support.plugins.draws import DRAWS_ALL, SEED
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


def expect_leak(world: World, bug: str, *, examples: int, machine: type[Isolation] = Isolation) -> None:
    """Replay the recorded history in which the machine found this bug; draw others where it shows no leak.

    Args:
        world: a product with the bug.
        bug: its name, by which the history is recorded.
        examples: histories to draw at most.
        machine: the machine that must find it.
    """
    history = RecordedHistory(f"{machine.__name__}: {bug}")
    with pytest.raises(LeakError):
        run(world, examples=examples, leaks_only=True, machine=machine, history=history)


def run(
    world: World,
    *,
    examples: int,
    leaks_only: bool = False,
    machine: type[Isolation] = Isolation,
    history: ExampleDatabase | None = None,
    counts: DialectCounts | None = None,
    batch: int = 0,
) -> None:
    """Run histories of up to `STEPS` steps in fresh tenants.

    Args:
        world: the product.
        examples: number of histories.
        leaks_only: look for what is shown in excess only.
        machine: the machine that draws them.
        history: database whose histories come first.
        counts: gets how often each dialect's call was answered in which way.
        batch: number of the batch, which draws other histories than those before.

    Raises:
        LeakError, WrongDenialError: the first broken promise.
    """
    ids = RepeatableIds()

    @seed(SEED + batch)
    class Here(machine):
        """In this world."""

        def __init__(self) -> None:
            ids.begin()
            super().__init__(world, leaks_only=leaks_only)
            if counts is not None:
                self.dialect_counts = counts

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("groundwire.wiring.use_cases.file_ingestion.secrets", ids)
        run_state_machine_as_test(
            Here,
            settings=settings(
                max_examples=examples,
                stateful_step_count=STEPS,
                phases=(Phase.generate,) if DRAWS_ALL or history is None else (Phase.reuse, Phase.generate),
                derandomize=False,
                database=history,
                deadline=None,
                report_multiple_bugs=False,
                suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
            ),
        )
