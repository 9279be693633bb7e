import pytest

from groundwire.domain.errors import InvalidInput
from groundwire.ports import ClaimResult, EventClaims

NOW = 1_800_000_000.0
LEASE = 60.0
SOURCE = "bucket/tenants/t-acme/handbook/leave.pdf"
EARLIER, CHANGE, LATER = "0055AED6DCD9", "0055AED6DCD90281E5", "0055AED6DCD91"


def take(claims: EventClaims, sequencer: str, now: float = NOW, source: str = SOURCE) -> ClaimResult:
    return claims.claim("t-acme", source, sequencer, now, now + LEASE)


def finish(claims: EventClaims, sequencer: str) -> bool:
    return claims.finish("t-acme", SOURCE, sequencer)


def test_an_event_that_comes_twice_is_processed_once(claims: EventClaims) -> None:
    assert take(claims, CHANGE) is ClaimResult.CLAIMED
    assert take(claims, CHANGE) is ClaimResult.STALE
    assert finish(claims, CHANGE)
    assert take(claims, CHANGE) is ClaimResult.STALE
    assert take(claims, CHANGE, NOW + 2 * LEASE) is ClaimResult.STALE


def test_an_earlier_change_that_is_delayed_is_stale(claims: EventClaims) -> None:
    assert take(claims, CHANGE) is ClaimResult.CLAIMED
    assert take(claims, EARLIER) is ClaimResult.STALE
    assert finish(claims, CHANGE)
    assert take(claims, EARLIER) is ClaimResult.STALE


def test_a_later_change_waits_for_the_earlier_one_in_hand(claims: EventClaims) -> None:
    assert take(claims, CHANGE) is ClaimResult.CLAIMED
    assert take(claims, LATER) is ClaimResult.BUSY
    assert finish(claims, CHANGE)
    assert take(claims, LATER) is ClaimResult.CLAIMED
    assert finish(claims, LATER)
    assert take(claims, CHANGE) is ClaimResult.STALE


def test_a_sequencer_that_is_only_written_longer_is_no_other_change(claims: EventClaims) -> None:
    assert take(claims, EARLIER) is ClaimResult.CLAIMED
    assert take(claims, EARLIER + "000") is ClaimResult.STALE
    assert finish(claims, EARLIER.lower() + "0")
    assert take(claims, EARLIER) is ClaimResult.STALE


def test_what_was_taken_and_never_finished_can_be_taken_when_its_time_is_over(claims: EventClaims) -> None:
    assert take(claims, CHANGE) is ClaimResult.CLAIMED
    assert take(claims, CHANGE, NOW + LEASE - 0.001) is ClaimResult.STALE
    assert take(claims, CHANGE, NOW + LEASE) is ClaimResult.CLAIMED
    assert finish(claims, CHANGE)


def test_a_claim_that_expired_reports_that_another_change_took_its_place(claims: EventClaims) -> None:
    assert take(claims, CHANGE) is ClaimResult.CLAIMED
    assert take(claims, LATER, NOW + LEASE) is ClaimResult.CLAIMED
    assert not finish(claims, CHANGE)
    claims.release("t-acme", SOURCE, CHANGE)
    assert take(claims, LATER, NOW + LEASE) is ClaimResult.STALE
    assert finish(claims, LATER)
    assert not finish(claims, CHANGE)


def test_who_was_too_slow_has_still_done_it_when_no_other_worker_took_over(claims: EventClaims) -> None:
    assert take(claims, CHANGE) is ClaimResult.CLAIMED
    assert finish(claims, CHANGE)
    assert take(claims, CHANGE, NOW + 2 * LEASE) is ClaimResult.STALE


def test_what_is_finished_again_stays_finished(claims: EventClaims) -> None:
    assert take(claims, CHANGE) is ClaimResult.CLAIMED
    assert finish(claims, CHANGE)
    assert finish(claims, CHANGE)


def test_what_nobody_took_cannot_be_finished(claims: EventClaims) -> None:
    assert not finish(claims, CHANGE)
    assert take(claims, EARLIER) is ClaimResult.CLAIMED


def test_what_is_released_is_taken_by_the_next_at_once(claims: EventClaims) -> None:
    assert take(claims, EARLIER) is ClaimResult.CLAIMED
    assert finish(claims, EARLIER)
    assert take(claims, CHANGE) is ClaimResult.CLAIMED
    claims.release("t-acme", SOURCE, CHANGE)
    assert take(claims, EARLIER) is ClaimResult.STALE
    assert take(claims, CHANGE) is ClaimResult.CLAIMED
    claims.release("t-acme", SOURCE, CHANGE)
    assert take(claims, LATER) is ClaimResult.CLAIMED


def test_what_is_not_in_hand_is_released_without_a_trace(claims: EventClaims) -> None:
    claims.release("t-acme", SOURCE, CHANGE)
    assert take(claims, CHANGE) is ClaimResult.CLAIMED
    claims.release("t-acme", SOURCE, LATER)
    assert take(claims, CHANGE) is ClaimResult.STALE


def test_each_object_of_each_tenant_has_its_own_events(claims: EventClaims) -> None:
    long = "x" * 3_000
    for source in (SOURCE, SOURCE + "#", long, long + "x", ""):
        assert take(claims, CHANGE, source=source) is ClaimResult.CLAIMED
    assert claims.claim("t-blue", SOURCE, CHANGE, NOW, NOW + LEASE) is ClaimResult.CLAIMED


def test_what_is_dropped_is_counted_and_no_longer_known(claims: EventClaims) -> None:
    for number in range(60):
        assert take(claims, CHANGE, source=f"{SOURCE}/{number}") is ClaimResult.CLAIMED
    assert claims.claim("t-blue", SOURCE, CHANGE, NOW, NOW + LEASE) is ClaimResult.CLAIMED
    assert claims.drop("t-acme") == 60
    assert claims.drop("t-acme") == 0
    assert take(claims, EARLIER, source=f"{SOURCE}/1") is ClaimResult.CLAIMED
    assert claims.claim("t-blue", SOURCE, CHANGE, NOW, NOW + LEASE) is ClaimResult.STALE


def test_what_is_no_sequencer_is_refused(claims: EventClaims) -> None:
    with pytest.raises(InvalidInput):
        take(claims, "yesterday")
