"""One step ahead, and no more."""

from collections.abc import Generator, Iterator
from threading import Event

import pytest

from groundwire.services.ingest.batch import map_with_lookahead


def test_the_next_item_is_worked_on_while_the_one_before_is_used() -> None:
    second_started = Event()

    def work(item: int) -> int:
        if item == 2:
            second_started.set()
        return item * 10

    results = map_with_lookahead([1, 2, 3], work)
    assert next(results) == 10
    assert second_started.wait(timeout=30)
    assert list(results) == [20, 30]


def test_no_more_than_two_items_are_taken_before_a_result_is_used() -> None:
    taken: list[int] = []

    def items() -> Iterator[int]:
        for number in range(10):
            taken.append(number)
            yield number

    results = map_with_lookahead(items(), lambda item: item)
    assert next(results) == 0
    assert taken == [0, 1]


def test_an_error_comes_when_its_turn_has_come() -> None:
    results = map_with_lookahead([1, 0, 2], lambda item: 2 // item)
    assert next(results) == 2
    with pytest.raises(ZeroDivisionError):
        next(results)


def test_a_caller_who_takes_no_more_waits_for_no_work_that_is_under_way() -> None:
    started, may_end, ended = Event(), Event(), Event()

    def work(item: int) -> int:
        if item == 2:
            started.set()
            may_end.wait(timeout=30)
            ended.set()
        return item

    results = map_with_lookahead([1, 2, 3], work)
    assert isinstance(results, Generator)
    assert next(results) == 1
    assert started.wait(timeout=30)
    results.close()
    assert not ended.is_set()
    may_end.set()
    assert ended.wait(timeout=30)


def test_nothing_gives_nothing() -> None:
    assert list(map_with_lookahead(list[int](), lambda item: item)) == []
