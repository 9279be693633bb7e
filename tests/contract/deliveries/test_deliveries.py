import pytest

from groundwire.domain.errors import Invalid
from groundwire.ports import Deliveries, Delivery

NOW = 1_800_000_000.0
LEASE = 60.0
SOURCE = "bucket/tenants/t-acme/handbook/leave.pdf"
EARLIER, CHANGE, LATER = "0055AED6DCD9", "0055AED6DCD90281E5", "0055AED6DCD91"


def take(deliveries: Deliveries, sequencer: str, now: float = NOW, source: str = SOURCE) -> Delivery:
    return deliveries.take("t-acme", source, sequencer, now, now + LEASE)


def finish(deliveries: Deliveries, sequencer: str) -> bool:
    return deliveries.finish("t-acme", SOURCE, sequencer)


def test_news_that_comes_twice_is_carried_out_once(deliveries: Deliveries) -> None:
    assert take(deliveries, CHANGE) is Delivery.TAKEN
    assert take(deliveries, CHANGE) is Delivery.STALE
    assert finish(deliveries, CHANGE)
    assert take(deliveries, CHANGE) is Delivery.STALE
    assert take(deliveries, CHANGE, NOW + 2 * LEASE) is Delivery.STALE


def test_an_earlier_change_that_comes_late_is_stale(deliveries: Deliveries) -> None:
    assert take(deliveries, CHANGE) is Delivery.TAKEN
    assert take(deliveries, EARLIER) is Delivery.STALE
    assert finish(deliveries, CHANGE)
    assert take(deliveries, EARLIER) is Delivery.STALE


def test_a_later_change_waits_for_the_earlier_one_in_hand(deliveries: Deliveries) -> None:
    assert take(deliveries, CHANGE) is Delivery.TAKEN
    assert take(deliveries, LATER) is Delivery.BUSY
    assert finish(deliveries, CHANGE)
    assert take(deliveries, LATER) is Delivery.TAKEN
    assert finish(deliveries, LATER)
    assert take(deliveries, CHANGE) is Delivery.STALE


def test_a_sequencer_that_is_only_written_longer_is_no_other_change(deliveries: Deliveries) -> None:
    assert take(deliveries, EARLIER) is Delivery.TAKEN
    assert take(deliveries, EARLIER + "000") is Delivery.STALE
    assert finish(deliveries, EARLIER.lower() + "0")
    assert take(deliveries, EARLIER) is Delivery.STALE


def test_what_was_taken_and_never_finished_can_be_taken_when_its_time_is_over(deliveries: Deliveries) -> None:
    assert take(deliveries, CHANGE) is Delivery.TAKEN
    assert take(deliveries, CHANGE, NOW + LEASE - 0.001) is Delivery.STALE
    assert take(deliveries, CHANGE, NOW + LEASE) is Delivery.TAKEN
    assert finish(deliveries, CHANGE)


def test_who_was_too_slow_hears_that_another_change_took_its_place(deliveries: Deliveries) -> None:
    assert take(deliveries, CHANGE) is Delivery.TAKEN
    assert take(deliveries, LATER, NOW + LEASE) is Delivery.TAKEN
    assert not finish(deliveries, CHANGE)
    deliveries.release("t-acme", SOURCE, CHANGE)
    assert take(deliveries, LATER, NOW + LEASE) is Delivery.STALE
    assert finish(deliveries, LATER)
    assert not finish(deliveries, CHANGE)


def test_who_was_too_slow_has_still_done_it_when_nobody_else_came(deliveries: Deliveries) -> None:
    assert take(deliveries, CHANGE) is Delivery.TAKEN
    assert finish(deliveries, CHANGE)
    assert take(deliveries, CHANGE, NOW + 2 * LEASE) is Delivery.STALE


def test_what_is_finished_again_stays_finished(deliveries: Deliveries) -> None:
    assert take(deliveries, CHANGE) is Delivery.TAKEN
    assert finish(deliveries, CHANGE)
    assert finish(deliveries, CHANGE)


def test_what_nobody_took_cannot_be_finished(deliveries: Deliveries) -> None:
    assert not finish(deliveries, CHANGE)
    assert take(deliveries, EARLIER) is Delivery.TAKEN


def test_what_is_released_is_taken_by_the_next_at_once(deliveries: Deliveries) -> None:
    assert take(deliveries, EARLIER) is Delivery.TAKEN
    assert finish(deliveries, EARLIER)
    assert take(deliveries, CHANGE) is Delivery.TAKEN
    deliveries.release("t-acme", SOURCE, CHANGE)
    assert take(deliveries, EARLIER) is Delivery.STALE
    assert take(deliveries, CHANGE) is Delivery.TAKEN
    deliveries.release("t-acme", SOURCE, CHANGE)
    assert take(deliveries, LATER) is Delivery.TAKEN


def test_what_is_not_in_hand_is_released_without_a_trace(deliveries: Deliveries) -> None:
    deliveries.release("t-acme", SOURCE, CHANGE)
    assert take(deliveries, CHANGE) is Delivery.TAKEN
    deliveries.release("t-acme", SOURCE, LATER)
    assert take(deliveries, CHANGE) is Delivery.STALE


def test_each_object_of_each_tenant_has_news_of_its_own(deliveries: Deliveries) -> None:
    long = "x" * 3_000
    for source in (SOURCE, SOURCE + "#", long, long + "x", ""):
        assert take(deliveries, CHANGE, source=source) is Delivery.TAKEN
    assert deliveries.take("t-blue", SOURCE, CHANGE, NOW, NOW + LEASE) is Delivery.TAKEN


def test_what_is_dropped_is_counted_and_no_longer_known(deliveries: Deliveries) -> None:
    for number in range(60):
        assert take(deliveries, CHANGE, source=f"{SOURCE}/{number}") is Delivery.TAKEN
    assert deliveries.take("t-blue", SOURCE, CHANGE, NOW, NOW + LEASE) is Delivery.TAKEN
    assert deliveries.drop("t-acme") == 60
    assert deliveries.drop("t-acme") == 0
    assert take(deliveries, EARLIER, source=f"{SOURCE}/1") is Delivery.TAKEN
    assert deliveries.take("t-blue", SOURCE, CHANGE, NOW, NOW + LEASE) is Delivery.STALE


def test_what_is_no_sequencer_is_refused(deliveries: Deliveries) -> None:
    with pytest.raises(Invalid):
        take(deliveries, "yesterday")
