"""Callers that start at the same moment, as threads or as processes."""

import pickle
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import TypeVar

Subject = TypeVar("Subject")
Result = TypeVar("Result")

_CALLER = [sys.executable, "-m", "tests.support.registry.race_process"]


def race(callers: int, call: Callable[[int], Result]) -> list[Result]:
    """Return the results of `call(0)`, `call(1)`, …, which threads start at the same time."""
    start = Barrier(callers)

    def started(number: int) -> Result:
        start.wait(timeout=30)
        return call(number)

    with ThreadPoolExecutor(callers) as pool:
        return list(pool.map(started, range(callers)))


def race_processes(callers: int, call: Callable[[Subject, int], Result], subject: Subject) -> list[Result]:
    """The same with processes that share nothing but what `subject` names; `call` must be importable, fast."""
    processes = [subprocess.Popen(_CALLER, stdin=subprocess.PIPE, stdout=subprocess.PIPE) for _ in range(callers)]
    for number, process in enumerate(processes):
        _send(process, pickle.dumps((call, subject, number)))
    for process in processes:
        assert _receive(process) == b"ready\n"
    for process in processes:
        _send(process, b"go\n")
    results: list[Result] = [pickle.loads(process.communicate(timeout=30)[0]) for process in processes]
    assert [process.returncode for process in processes] == [0] * callers
    return results


def _send(process: subprocess.Popen[bytes], content: bytes) -> None:
    assert process.stdin is not None
    process.stdin.write(content)
    process.stdin.flush()


def _receive(process: subprocess.Popen[bytes]) -> bytes:
    assert process.stdout is not None
    return process.stdout.readline()
