from tests.support.isolation.running import run
from tests.support.worlds.world import World


def test_every_caller_is_shown_exactly_what_the_callers_person_may_read_at_that_moment(world: World) -> None:
    run(world, examples=30)
