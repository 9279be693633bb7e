from tests.support.isolation.dialect_answers import DialectCounts
from tests.support.isolation.dialect_calls import DIALECT_CALLS
from tests.support.isolation.running import run
from tests.support.worlds.world import World

BATCHES = (30, 10, 10, 10, 10, 10, 10)
"""Histories of the first batch, and of those that follow while a call was not seen in every way."""


def test_every_caller_is_shown_exactly_what_the_callers_person_may_read_at_that_moment(world: World) -> None:
    counts, gaps = DialectCounts(), list[str]()
    # Every call must be seen answered, about what is hidden, and refused; which histories show the rarest is luck.
    for batch, examples in enumerate(BATCHES):
        run(world, examples=examples, counts=counts, batch=batch)
        gaps = counts.gaps(DIALECT_CALLS)
        if not gaps:
            break
    assert not gaps, "; ".join(gaps)
