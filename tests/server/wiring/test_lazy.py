"""Attributes that are built on first access, and the end of what was built."""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier, Event

import pytest

from groundwire.wiring.lazy import Lazy, ResourceStack

WAIT_S = 10


class Parts:
    """An object with a lazy attribute; it counts how often the attribute is built."""

    def __init__(self) -> None:
        self.builds = 0
        self.is_building = Event()
        self.may_finish = Event()

    @Lazy
    def store(self) -> object:
        """A store."""
        self.builds += 1
        self.is_building.set()
        assert self.may_finish.wait(WAIT_S)
        return object()


def test_threads_that_come_at_the_same_time_get_the_one_value_that_was_built() -> None:
    parts, combined = Parts(), Barrier(4)

    def read() -> object:
        combined.wait(WAIT_S)
        return parts.store

    with ThreadPoolExecutor(4) as threads:
        reads = [threads.submit(read) for _ in range(4)]
        assert parts.is_building.wait(WAIT_S)
        parts.may_finish.set()
        values = {id(each.result(WAIT_S)) for each in reads}
    assert (len(values), parts.builds) == (1, 1)


def test_a_value_that_is_there_already_is_not_built() -> None:
    parts = Parts()
    vars(parts)["store"] = "given"
    assert (parts.store, parts.builds) == ("given", 0)


def test_a_build_that_fails_is_tried_again_on_the_next_access() -> None:
    class Failing:
        attempts = 0

        @Lazy
        def store(self) -> str:
            """A store that is unavailable at first."""
            self.attempts += 1
            if self.attempts == 1:
                raise ConnectionError
            return "built"

    parts = Failing()
    with pytest.raises(ConnectionError):
        _ = parts.store
    assert parts.store == "built"


def test_what_was_registered_is_closed_once_the_latest_first() -> None:
    closed: list[str] = []

    class Resource:
        def __init__(self, name: str) -> None:
            self.name = name

        def close(self) -> None:
            closed.append(self.name)

    resources = ResourceStack()
    first, _second = resources.register(Resource("database")), resources.register(Resource("index"))
    resources.close()
    resources.close()
    assert (closed, first.name) == (["index", "database"], "database")
