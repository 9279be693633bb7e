"""Where the time of a call goes: chosen functions are timed, each without what it spends in the others."""

import threading
from collections import defaultdict
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from functools import wraps
from time import perf_counter
from types import ModuleType
from typing import Any


class _Running(threading.local):
    """The stages that are open on this thread, outermost first, as seconds spent in their inner stages."""

    def __init__(self) -> None:
        self.inner: list[float] = []
        self.spent: defaultdict[str, float] = defaultdict(float)


class Stopwatch:
    """Seconds per stage of each outermost call.

    Args:
        clock: the present time, in seconds from any fixed moment.

    Attributes:
        calls: one entry per outermost call, in the order of their ends.
    """

    def __init__(self, clock: Callable[[], float] = perf_counter) -> None:
        self.calls: list[dict[str, float]] = []
        self._clock = clock
        self._running = _Running()

    def watch(self, owner: type | ModuleType, name: str, stage: str) -> None:
        """From now on `owner.name` is timed as `stage`."""
        original: Callable[..., Any] = getattr(owner, name)

        @wraps(original)
        def timed(*positional: Any, **named: Any) -> Any:
            with self.stage(stage):
                return original(*positional, **named)

        setattr(owner, name, timed)

    @contextmanager
    def watching(self, functions: Sequence[tuple[type | ModuleType, str, str]]) -> Generator[None]:
        """During the block these functions are timed, each given as owner, name and stage."""
        originals = [(owner, name, getattr(owner, name)) for owner, name, _ in functions]
        for function in functions:
            self.watch(*function)
        try:
            yield
        finally:
            for owner, name, original in originals:
                setattr(owner, name, original)

    @contextmanager
    def stage(self, name: str) -> Generator[None]:
        """The block is timed as `name`."""
        running = self._running
        running.inner.append(0.0)
        started = self._clock()
        try:
            yield
        finally:
            whole = self._clock() - started
            running.spent[name] += whole - running.inner.pop()
            if running.inner:
                running.inner[-1] += whole
            else:
                self.calls.append(dict(running.spent))
                running.spent.clear()
