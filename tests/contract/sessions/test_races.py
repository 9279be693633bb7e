"""Callers of one store at the same moment: threads, and processes that share nothing but the store."""

from collections import Counter
from threading import Event

import pytest

from groundwire.domain import errors
from groundwire.ports.system import Sessions
from groundwire_mcp.definitions.sessions import Session
from tests.contract.sessions.backends import Place
from tests.contract.sessions.ending import end
from tests.contract.sessions.records import ANN, END, NOW, SESSION, numbered
from tests.support.registry.races import race, race_processes

ROUND_TRIPS = 20


def test_of_racers_for_one_id_one_begins_and_it_is_the_one_that_is_kept(shared: Sessions) -> None:
    def begin(number: int) -> bool:
        try:
            shared.add(SESSION._replace(client_name=f"racer {number}"))
        except errors.Conflict:
            return False
        return True

    started = race(8, begin)
    assert started.count(True) == 1
    kept = shared.get(ANN, SESSION.id, NOW)
    assert kept is not None
    assert kept.client_name == f"racer {started.index(True)}"


def test_one_of_several_threads_that_end_a_session_gets_the_confirmation(shared: Sessions) -> None:
    shared.add(SESSION)
    assert Counter(race(8, lambda _: shared.end(ANN, SESSION.id, NOW))) == {True: 1, False: 7}
    assert shared.get(ANN, SESSION.id, NOW) is None


def test_one_of_several_processes_that_end_a_session_gets_the_confirmation(shared_place: Place) -> None:
    with shared_place.open() as opened:
        opened.sessions.add(SESSION)
        assert Counter(race_processes(3, end, shared_place)) == {True: 1, False: 2}


def test_no_read_that_starts_after_the_end_finds_the_session(shared: Sessions) -> None:
    shared.add(SESSION)
    reading, ended = Event(), Event()

    def call(number: int) -> list[tuple[bool, bool]]:
        if number == 0:
            reading.wait(timeout=30)
            shared.end(ANN, SESSION.id, NOW)
            ended.set()
            return []
        history: list[tuple[bool, bool]] = []
        while sum(after for after, _ in history) < 3:
            history.append((ended.is_set(), shared.get(ANN, SESSION.id, NOW) is not None))
            reading.set()
        return history

    history = [entry for caller in race(4, call) for entry in caller]
    assert {found for after, found in history if after} == {False}
    assert True in {found for after, found in history if not after}


@pytest.mark.parametrize("write", ["extend", "set_log_level"])
def test_a_write_during_the_end_of_a_session_does_not_restore_it(shared: Sessions, write: str) -> None:
    heard: Counter[bool] = Counter()
    for number in range(ROUND_TRIPS):
        session = numbered(number)
        shared.add(session)

        def call(caller: int, session: Session = session) -> bool:
            if caller == 0:
                return shared.end(ANN, session.id, NOW)
            if write == "extend":
                return shared.extend(ANN, session.id, NOW, END + 60)
            return shared.set_log_level(ANN, session.id, NOW, "debug")

        ended, *written = race(3, call)
        assert ended
        heard.update(written)
        assert shared.get(ANN, session.id, NOW) is None
    assert heard.total() == 2 * ROUND_TRIPS


def test_a_session_that_expires_while_it_is_used_lives_only_if_somebody_slid_it_in_time(shared: Sessions) -> None:
    for number in range(ROUND_TRIPS):
        session = numbered(number)
        shared.add(session)

        def call(caller: int, session: Session = session) -> bool:
            # The even callers' clocks stand before the end, the odd ones' at it.
            now = END - 1 if caller % 2 == 0 else END
            if caller < 2:
                return shared.extend(ANN, session.id, now, END + 60 + caller)
            return shared.get(ANN, session.id, now) is not None

        in_time, delayed, before, _at = race(4, call)
        assert in_time
        assert before
        kept = shared.get(ANN, session.id, END)
        assert kept is not None
        assert kept.expires_at in ({END + 60, END + 61} if delayed else {END + 60})


def test_a_session_that_nobody_slides_in_time_stays_deleted(shared: Sessions) -> None:
    shared.add(SESSION)
    assert not any(race(6, lambda _: shared.extend(ANN, SESSION.id, END, END + 60)))
    assert shared.get(ANN, SESSION.id, END) is None
