from tests.support.isolation.dialect_calls import DIALECT_CALLS
from tests.support.isolation.running import run
from tests.support.worlds.world import World


def test_every_caller_is_shown_exactly_what_the_callers_person_may_read_at_that_moment(world: World) -> None:
    counts = run(world, examples=30)
    gaps = counts.gaps(DIALECT_CALLS)
    assert not gaps, "; ".join(gaps)
