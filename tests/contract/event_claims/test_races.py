"""Many processes claim the same event, in any order, and some of them crash during the work."""

from collections import Counter
from dataclasses import dataclass
from random import Random
from uuid import uuid4

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from groundwire.ports import ClaimResult, EventClaims
from tests.support.plugins.draws import examples
from tests.support.registry.races import race

NOW = 1_800_000_000.0
SEQUENCERS = ["0A", "0A1", "0B", "0B01"]


def test_of_racing_callers_with_one_change_one_takes_it(shared_claims: EventClaims) -> None:
    heard = race(12, lambda _: shared_claims.claim("t-acme", "s", "0A", NOW, NOW + 60))
    assert Counter(heard) == {ClaimResult.CLAIMED: 1, ClaimResult.STALE: 11}


def test_of_racing_callers_one_takes_what_another_left_undone(shared_claims: EventClaims) -> None:
    assert shared_claims.claim("t-acme", "s", "0A", NOW, NOW + 60) is ClaimResult.CLAIMED
    heard = race(12, lambda _: shared_claims.claim("t-acme", "s", "0A", NOW + 60, NOW + 120))
    assert Counter(heard) == {ClaimResult.CLAIMED: 1, ClaimResult.STALE: 11}


def test_events_in_any_order_and_twice_end_with_the_latest_change_processed(shared_claims: EventClaims) -> None:
    carried_out: list[str] = []
    in_hand: list[str] = []

    def worker(number: int) -> None:
        notice = SEQUENCERS * 2
        Random(number).shuffle(notice)
        while notice:
            sequencer = notice.pop(0)
            heard = shared_claims.claim("t-acme", "s", sequencer, NOW, NOW + 60)
            if heard is ClaimResult.BUSY:
                notice.append(sequencer)
            if heard is ClaimResult.CLAIMED:
                in_hand.append(sequencer)
                assert len(in_hand) == 1
                carried_out.append(in_hand.pop())
                assert shared_claims.finish("t-acme", "s", sequencer)

    race(6, worker)
    assert carried_out == sorted(set(carried_out))
    assert carried_out[-1] == SEQUENCERS[-1]


@dataclass
class Known:
    """Model of the port's promise: the sequencer that is done, the one in hand, and until when."""

    done: str = ""
    taken: str | None = None
    until: float = 0

    def take(self, sequencer: str, now: float) -> ClaimResult:
        alive = self.taken if now < self.until else None
        if sequencer <= max(self.done, alive or ""):
            return ClaimResult.STALE
        if alive is not None:
            return ClaimResult.BUSY
        self.taken, self.until = sequencer, now + 10
        return ClaimResult.CLAIMED

    def finish(self, sequencer: str) -> bool:
        if self.taken == sequencer:
            self.done, self.taken = sequencer, None
        return self.done == sequencer

    def release(self, sequencer: str) -> None:
        if self.taken == sequencer:
            self.taken = None


steps = st.tuples(
    st.sampled_from(["take", "take", "finish", "release"]), st.sampled_from(SEQUENCERS), st.integers(0, 12)
)


@settings(deadline=None, max_examples=examples(40), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(history=st.lists(steps, max_size=16))
def test_every_history_is_answered_as_promised(shared_claims: EventClaims, history: list[tuple[str, str, int]]) -> None:
    known, source, now = Known(), uuid4().hex, NOW
    for step, sequencer, seconds in history:
        now += seconds
        if step == "take":
            assert shared_claims.claim("t-acme", source, sequencer, now, now + 10) is known.take(sequencer, now)
        elif step == "finish":
            assert shared_claims.finish("t-acme", source, sequencer) is known.finish(sequencer)
        else:
            shared_claims.release("t-acme", source, sequencer)
            known.release(sequencer)
