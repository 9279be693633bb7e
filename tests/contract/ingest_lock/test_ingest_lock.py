from pathlib import Path
from threading import Event, Thread

import pytest

from tests.contract.ingest_lock.backends import Counter, Place, count_ten
from tests.support.registry.races import race, race_processes


def test_of_many_threads_one_at_a_time_holds_it(place: Place, tmp_path: Path) -> None:
    counter = Counter(place, tmp_path / "count")
    counter.file.write_text("0")
    race(6, lambda _: counter.count())
    assert counter.file.read_text() == "6"


def test_of_many_processes_one_at_a_time_holds_it(place: Place, tmp_path: Path) -> None:
    counter = Counter(place, tmp_path / "count")
    counter.file.write_text("0")
    race_processes(3, count_ten, counter)
    assert counter.file.read_text() == "30"


def test_who_comes_while_it_is_held_waits_until_it_is_free(place: Place) -> None:
    order: list[str] = []
    started = Event()

    def second() -> None:
        started.set()
        with place.open().hold("t-acme"):
            order.append("second")

    waiting = Thread(target=second)
    with place.open().hold("t-acme"):
        waiting.start()
        assert started.wait(10)
        waiting.join(0.2)
        order.append("first")
    waiting.join(20)
    assert order == ["first", "second"]


def test_who_fails_frees_it(place: Place) -> None:
    lock = place.open()
    with pytest.raises(ZeroDivisionError), lock.hold("t-acme"):
        raise ZeroDivisionError
    with lock.hold("t-acme"), lock.hold("t-blue"):
        pass


def test_a_deletion_holds_it_as_well_and_drops_it(place: Place) -> None:
    lock = place.open()
    with lock.hold_for_deletion("t-acme"):
        lock.drop("t-acme")
    with lock.hold_for_deletion("t-acme"):
        pass


def test_whether_somebody_holds_it_is_known_without_waiting(place: Place) -> None:
    lock, other = place.open(), place.open()
    assert other.holder("t-acme") is None
    with lock.hold("t-acme"):
        assert other.holder("t-acme") is not None
        assert other.holder("t-blue") is None
    assert other.holder("t-acme") is None
    with lock.hold_for_deletion("t-acme"):
        assert other.holder("t-acme") is not None
        lock.drop("t-acme")
    assert other.holder("t-acme") is None
