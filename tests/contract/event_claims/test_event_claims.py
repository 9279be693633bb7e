import pytest

from groundwire.domain.errors import InvalidInput
from groundwire.ports import ClaimResult, EventClaims

NOW = 1_800_000_000.0
LEASE = 60.0
SOURCE = "bucket/tenants/t-acme/handbook/leave.pdf"
EARLIER, CHANGE, LATER = "0055AED6DCD9", "0055AED6DCD90281E5", "0055AED6DCD91"


def take(deliveries: EventClaims, sequencer: str, now: float = NOW, source: str = SOURCE) -> ClaimResult:
    return deliveries.claim("t-acme", source, sequencer, now, now + LEASE)


def finish(deliveries: EventClaims, sequencer: str) -> bool:
    return deliveries.finish("t-acme", SOURCE, sequencer)


def test_an_event_that_comes_twice_is_processed_once(deliveries: EventClaims) -> None:
    assert take(deliveries, CHANGE) is ClaimResult.CLAIMED
    assert take(deliveries, CHANGE) is ClaimResult.STALE
    assert finish(deliveries, CHANGE)
    assert take(deliveries, CHANGE) is ClaimResult.STALE
    assert take(deliveries, CHANGE, NOW + 2 * LEASE) is ClaimResult.STALE


def test_an_earlier_change_that_is_delayed_is_stale(deliveries: EventClaims) -> None:
    assert take(deliveries, CHANGE) is ClaimResult.CLAIMED
    assert take(deliveries, EARLIER) is ClaimResult.STALE
    assert finish(deliveries, CHANGE)
    assert take(deliveries, EARLIER) is ClaimResult.STALE


def test_a_later_change_waits_for_the_earlier_one_in_hand(deliveries: EventClaims) -> None:
    assert take(deliveries, CHANGE) is ClaimResult.CLAIMED
    assert take(deliveries, LATER) is ClaimResult.BUSY
    assert finish(deliveries, CHANGE)
    assert take(deliveries, LATER) is ClaimResult.CLAIMED
    assert finish(deliveries, LATER)
    assert take(deliveries, CHANGE) is ClaimResult.STALE


def test_a_sequencer_that_is_only_written_longer_is_no_other_change(deliveries: EventClaims) -> None:
    assert take(deliveries, EARLIER) is ClaimResult.CLAIMED
    assert take(deliveries, EARLIER + "000") is ClaimResult.STALE
    assert finish(deliveries, EARLIER.lower() + "0")
    assert take(deliveries, EARLIER) is ClaimResult.STALE


def test_what_was_taken_and_never_finished_can_be_taken_when_its_time_is_over(deliveries: EventClaims) -> None:
    assert take(deliveries, CHANGE) is ClaimResult.CLAIMED
    assert take(deliveries, CHANGE, NOW + LEASE - 0.001) is ClaimResult.STALE
    assert take(deliveries, CHANGE, NOW + LEASE) is ClaimResult.CLAIMED
    assert finish(deliveries, CHANGE)


def test_a_claim_that_expired_reports_that_another_change_took_its_place(deliveries: EventClaims) -> None:
    assert take(deliveries, CHANGE) is ClaimResult.CLAIMED
    assert take(deliveries, LATER, NOW + LEASE) is ClaimResult.CLAIMED
    assert not finish(deliveries, CHANGE)
    deliveries.release("t-acme", SOURCE, CHANGE)
    assert take(deliveries, LATER, NOW + LEASE) is ClaimResult.STALE
    assert finish(deliveries, LATER)
    assert not finish(deliveries, CHANGE)


def test_who_was_too_slow_has_still_done_it_when_nobody_else_came(deliveries: EventClaims) -> None:
    assert take(deliveries, CHANGE) is ClaimResult.CLAIMED
    assert finish(deliveries, CHANGE)
    assert take(deliveries, CHANGE, NOW + 2 * LEASE) is ClaimResult.STALE


def test_what_is_finished_again_stays_finished(deliveries: EventClaims) -> None:
    assert take(deliveries, CHANGE) is ClaimResult.CLAIMED
    assert finish(deliveries, CHANGE)
    assert finish(deliveries, CHANGE)


def test_what_nobody_took_cannot_be_finished(deliveries: EventClaims) -> None:
    assert not finish(deliveries, CHANGE)
    assert take(deliveries, EARLIER) is ClaimResult.CLAIMED


def test_what_is_released_is_taken_by_the_next_at_once(deliveries: EventClaims) -> None:
    assert take(deliveries, EARLIER) is ClaimResult.CLAIMED
    assert finish(deliveries, EARLIER)
    assert take(deliveries, CHANGE) is ClaimResult.CLAIMED
    deliveries.release("t-acme", SOURCE, CHANGE)
    assert take(deliveries, EARLIER) is ClaimResult.STALE
    assert take(deliveries, CHANGE) is ClaimResult.CLAIMED
    deliveries.release("t-acme", SOURCE, CHANGE)
    assert take(deliveries, LATER) is ClaimResult.CLAIMED


def test_what_is_not_in_hand_is_released_without_a_trace(deliveries: EventClaims) -> None:
    deliveries.release("t-acme", SOURCE, CHANGE)
    assert take(deliveries, CHANGE) is ClaimResult.CLAIMED
    deliveries.release("t-acme", SOURCE, LATER)
    assert take(deliveries, CHANGE) is ClaimResult.STALE


def test_each_object_of_each_tenant_has_its_own_events(deliveries: EventClaims) -> None:
    long = "x" * 3_000
    for source in (SOURCE, SOURCE + "#", long, long + "x", ""):
        assert take(deliveries, CHANGE, source=source) is ClaimResult.CLAIMED
    assert deliveries.claim("t-blue", SOURCE, CHANGE, NOW, NOW + LEASE) is ClaimResult.CLAIMED


def test_what_is_dropped_is_counted_and_no_longer_known(deliveries: EventClaims) -> None:
    for number in range(60):
        assert take(deliveries, CHANGE, source=f"{SOURCE}/{number}") is ClaimResult.CLAIMED
    assert deliveries.claim("t-blue", SOURCE, CHANGE, NOW, NOW + LEASE) is ClaimResult.CLAIMED
    assert deliveries.drop("t-acme") == 60
    assert deliveries.drop("t-acme") == 0
    assert take(deliveries, EARLIER, source=f"{SOURCE}/1") is ClaimResult.CLAIMED
    assert deliveries.claim("t-blue", SOURCE, CHANGE, NOW, NOW + LEASE) is ClaimResult.STALE


def test_what_is_no_sequencer_is_refused(deliveries: EventClaims) -> None:
    with pytest.raises(InvalidInput):
        take(deliveries, "yesterday")
