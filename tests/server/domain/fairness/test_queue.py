"""Rules of the queue of waiting work: limits, order, refusals, debts; and who has a share of their own."""

from collections import Counter
from typing import Final

from hypothesis import given, settings
from hypothesis import strategies as st

from groundwire.domain.keys.fairness.parties import KNOWN_AFTER_SECONDS, MAX_NAMES_PER_KEY, NEW_USERS, KnownUsers, Party
from groundwire.domain.keys.fairness.queue import FairQueue, Refused, Ticket
from groundwire.domain.keys.fairness.work import Capacity, CostMemory, Levels, Work
from tests.support.plugins.draws import examples

PARTIES: Final = [Party(tenant, key, user) for tenant in "ab" for key in "kl" for user in "uv"]
CAPACITY: Final = Capacity(Levels(6, 4, 3, 2), Levels(14, 10, 7, 5), 30)


def submitted(queue: FairQueue[int], party: Party, cost: float = 1.0, number: int = 0) -> Ticket[int]:
    ticket = queue.submit(party, cost, number)
    assert isinstance(ticket, Ticket)
    return ticket


def counts(tickets: list[Ticket[int]]) -> Counter[tuple[str, ...]]:
    """How many units each level of each party has; the empty name is the whole queue."""
    return Counter(ticket.party[:level] for ticket in tickets for level in range(4))


STEPS: Final = st.lists(
    st.tuples(st.sampled_from(["submit", "finish", "leave", "resume"]), st.sampled_from(PARTIES), st.integers(1, 9))
)


@settings(max_examples=examples(300))
@given(STEPS)
def test_no_level_exceeds_its_slots_and_none_is_idle_while_a_party_may_have_it(
    steps: list[tuple[str, Party, int]],
) -> None:
    queue, running, waiting = FairQueue[int](CAPACITY), list[Ticket[int]](), list[Ticket[int]]()
    for now, (step, party, cost) in enumerate(steps):
        own_running = [each for each in running if each.party == party]
        own_waiting = [each for each in waiting if each.party == party]
        if step == "submit":
            pending = counts([*running, *waiting])
            full = any(pending[party[:level]] >= CAPACITY.pending[level] for level in range(4))
            found = queue.submit(party, cost, now)
            assert isinstance(found, Refused) or not full
            waiting += [found] if isinstance(found, Ticket) else []
        elif step == "resume":
            waiting.append(queue.resume(party, cost, now))
        elif step == "finish" and own_running:
            queue.finish(own_running[0], now)
            running.remove(own_running[0])
        elif step == "leave" and own_waiting:
            queue.leave(own_waiting[-1])
            waiting.remove(own_waiting[-1])
        while (started := queue.start_next(now)) is not None:
            waiting.remove(started)
            running.append(started)
        held = counts(running)
        assert all(count <= CAPACITY.running[len(name)] for name, count in held.items())
        for each in waiting:
            assert any(held[each.party[:level]] >= CAPACITY.running[level] for level in range(4))


def test_units_of_one_user_keep_their_order_and_those_that_were_interrupted_come_first_in_theirs() -> None:
    queue = FairQueue[int](CAPACITY)
    for number in range(3):
        submitted(queue, PARTIES[0], number=number)
    for number in (7, 8, 9):
        queue.resume(PARTIES[0], 1, number)
    order: list[int] = []
    while (ticket := queue.start_next(0)) is not None:
        order.append(ticket.content)
        queue.finish(ticket, 1)
    assert order == [7, 8, 9, 0, 1, 2]


def one_slot() -> FairQueue[int]:
    return FairQueue[int](Capacity(Levels(1, 1, 1, 1), Levels(100, 100, 100, 100), 1e6))


def turns(queue: FairQueue[int], count: int, seconds: dict[Party, float]) -> list[Party]:
    """Runs units one after the other, each for the seconds of its party, and sends the next at once."""
    now, order = 0.0, list[Party]()
    for party in seconds:
        submitted(queue, party)
        submitted(queue, party)
    for _ in range(count):
        ticket = queue.start_next(now)
        assert ticket is not None
        now += seconds[ticket.party]
        order.append(ticket.party)
        queue.finish(ticket, now)
        submitted(queue, ticket.party)
    return order


@given(st.integers(2, 20))
def test_a_party_gets_as_many_seconds_as_another_however_dear_its_units_are(dear: int) -> None:
    dear_one, plain = PARTIES[0], PARTIES[4]
    order = turns(one_slot(), 40 * dear, {dear_one: float(dear), plain: 1.0})
    seconds = Counter({dear_one: dear * order.count(dear_one), plain: order.count(plain)})
    assert abs(seconds[dear_one] - seconds[plain]) <= 3 * dear


def test_keys_share_what_their_tenant_has_and_users_what_their_key_has() -> None:
    seconds = {
        Party("a", "k", "u"): 1.0,
        Party("a", "k", "v"): 1.0,
        Party("a", "l", "u"): 1.0,
        Party("b", "k", "u"): 1.0,
    }
    had = Counter(turns(one_slot(), 800, seconds))
    assert {party: round(count / 100) for party, count in had.items()} == {
        Party("a", "k", "u"): 1,
        Party("a", "k", "v"): 1,
        Party("a", "l", "u"): 2,
        Party("b", "k", "u"): 4,
    }


def test_a_pause_earns_no_lead_and_pays_no_debt() -> None:
    queue, hog, other = one_slot(), PARTIES[0], PARTIES[4]
    submitted(queue, other, number=1)
    submitted(queue, other, number=2)
    first = submitted(queue, hog)
    started = queue.start_next(0)
    assert started is not None
    queue.finish(started, 1)
    assert queue.start_next(1) is first
    queue.finish(first, 101)
    # The hog left for a moment: its hundred seconds count all the same.
    submitted(queue, hog)
    for number in (2, 3, 4):
        submitted(queue, other, number=number + 1)
        ticket = queue.start_next(101)
        assert ticket is not None
        assert ticket.party == other
        queue.finish(ticket, 102)


def test_work_is_refused_before_its_wait_is_too_long_with_the_time_for_a_repeat() -> None:
    queue = FairQueue[int](Capacity(Levels(8, 4, 2, 1), Levels(100, 100, 100, 100), 10))
    # 2 s each, one at a time: the first runs, and five wait for 10 s.
    assert all(isinstance(queue.submit(PARTIES[0], 2, 0), Ticket) for _ in range(6))
    assert isinstance(queue.submit(PARTIES[0], 2, 0), Refused)
    assert isinstance(queue.submit(PARTIES[1], 2, 0), Ticket)


def test_all_new_names_of_a_key_share_one_share_and_known_ones_have_their_own() -> None:
    now = 0.0
    users = KnownUsers(lambda tenant, user: (tenant, user) == ("a", "ana"), lambda: now)
    assert users.share_of("a", "k", "ana") == "ana"
    assert users.share_of("a", "k", "ANA") == "ana"
    assert {users.share_of("a", "k", f"new{number}") for number in range(10)} == {NEW_USERS}
    now = KNOWN_AFTER_SECONDS - 1
    assert users.share_of("a", "k", "new1") == NEW_USERS
    now = KNOWN_AFTER_SECONDS
    assert users.share_of("a", "k", "new1") == "new1"
    assert users.share_of("a", "l", "new1") == NEW_USERS
    assert users.share_of("a", "k", None) == NEW_USERS


def test_names_that_are_invented_remove_no_earlier_one_and_gain_nothing_themselves() -> None:
    now = 0.0
    users = KnownUsers(lambda _, __: False, lambda: now)
    users.share_of("a", "k", "ben")
    for number in range(3 * MAX_NAMES_PER_KEY):
        users.share_of("a", "k", f"new{number}")
    now = KNOWN_AFTER_SECONDS
    assert users.share_of("a", "k", "ben") == "ben"
    assert users.share_of("a", "k", f"new{3 * MAX_NAMES_PER_KEY - 1}") == NEW_USERS


def test_a_user_whose_entry_is_deleted_has_no_share_after_a_minute() -> None:
    now, listed = 0.0, True
    users = KnownUsers(lambda _, __: listed, lambda: now)
    assert users.share_of("a", "k", "ana") == "ana"
    listed = False
    assert users.share_of("a", "k", "ana") == "ana"
    now = 61
    assert users.share_of("a", "k", "ana") == NEW_USERS


def test_the_cost_of_work_is_that_of_the_last_like_it_and_at_least_that_of_its_bytes() -> None:
    costs = CostMemory()
    assert costs.estimate(Work.CALL, ("a",)) < costs.estimate(Work.CALL, ("a",), size=1_000_000)
    costs.record(Work.CALL, ("a",), 3.0)
    assert costs.estimate(Work.CALL, ("a",)) == 3.0
    assert costs.estimate(Work.CALL, ("b",)) < 1
    for number in range(10_000):
        costs.record(Work.CALL, (number,), 5.0)
    assert costs.estimate(Work.CALL, ("a",)) < 1
