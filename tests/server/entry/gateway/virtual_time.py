"""An event loop on which waiting takes no time: its clock goes on only when nothing else is left to do.

What would run on another thread runs at once, so that no test depends on how fast a machine is.
"""

import asyncio
import selectors
from collections.abc import Callable, Coroutine
from concurrent.futures import Executor
from typing import Any, TypeVar, TypeVarTuple

_Result = TypeVar("_Result")
_Given = TypeVarTuple("_Given")


class _Jumping(selectors.DefaultSelector):
    """Never waits: it moves the clock by the time that it was to wait."""

    now = 0.0

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        ready = super().select(0)
        if not ready and timeout is None:
            raise AssertionError("everything waits, and for nothing that a clock could bring")
        if not ready:
            self.now += timeout or 0
        return ready


class VirtualTime(asyncio.SelectorEventLoop):
    def __init__(self) -> None:
        self._jumping = _Jumping()
        super().__init__(self._jumping)

    def time(self) -> float:
        return self._jumping.now

    def run_in_executor(  # type: ignore[override]
        self, executor: Executor | None, func: Callable[[*_Given], _Result], *args: *_Given
    ) -> "asyncio.Future[_Result]":
        done: asyncio.Future[_Result] = self.create_future()
        try:
            done.set_result(func(*args))
        except Exception as problem:  # noqa: BLE001 - whoever awaits it gets it
            done.set_exception(problem)
        return done


def play(scene: Coroutine[Any, Any, _Result]) -> _Result:
    """Runs the scene to its end."""
    with asyncio.Runner(loop_factory=VirtualTime) as runner:
        return runner.run(scene)
