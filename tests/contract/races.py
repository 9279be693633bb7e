"""Callers that start at the same moment, as threads or as processes."""

import multiprocessing
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from multiprocessing.queues import Queue
    from multiprocessing.synchronize import Barrier as ProcessBarrier

Subject = TypeVar("Subject")
Result = TypeVar("Result")


def race(callers: int, call: Callable[[int], Result]) -> list[Result]:
    """What `call(0)`, `call(1)`, … return, all begun at once by threads."""
    start = Barrier(callers)

    def started(number: int) -> Result:
        start.wait(timeout=30)
        return call(number)

    with ThreadPoolExecutor(callers) as pool:
        return list(pool.map(started, range(callers)))


def race_processes(callers: int, call: Callable[[Subject, int], Result], subject: Subject) -> list[Result]:
    """The same with processes that share nothing but what `subject` names; `call` must be importable."""
    context = multiprocessing.get_context("spawn")
    start = context.Barrier(callers)
    results: Queue[Result] = context.Queue()
    processes = [
        context.Process(target=_in_process, args=(start, results, call, subject, number)) for number in range(callers)
    ]
    for process in processes:
        process.start()
    gathered = [results.get(timeout=30) for _ in processes]
    for process in processes:
        process.join(timeout=30)
    assert [process.exitcode for process in processes] == [0] * callers
    return gathered


def _in_process(
    start: "ProcessBarrier",
    results: "Queue[Result]",
    call: Callable[[Subject, int], Result],
    subject: Subject,
    number: int,
) -> None:
    start.wait(timeout=30)
    results.put(call(subject, number))
