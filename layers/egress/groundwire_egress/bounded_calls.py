"""Calls of functions that have no time limit of their own, such as the system's resolver."""

import threading
from collections.abc import Callable
from contextvars import copy_context
from queue import Empty, SimpleQueue
from typing import Generic, TypeVar

from groundwire_egress.messages import EgressError

Result = TypeVar("Result")


class _EndedCall(Generic[Result]):
    """Results of a call, empty until it has one, and its error, if it has one."""

    def __init__(self) -> None:
        self.results: list[Result] = []
        self.error: Exception | None = None


class BoundedCalls:
    """Runner of calls in threads; a call that does not end in time keeps its thread, and a slot.

    Args:
        name: of the threads.
        most_pending: number of slots; with all of them in use, a further call is refused.
        errors: that calls may raise; `run` raises them in its own thread.
    """

    def __init__(self, name: str, most_pending: int, errors: tuple[type[Exception], ...]) -> None:
        self._name = name
        self._slots = threading.BoundedSemaphore(most_pending)
        self._errors = errors

    def run(self, call: Callable[[], Result], seconds: float) -> Result:
        """Return the result of `call`, or raise its error.

        Raises:
            TimeoutError: it has not ended in time.
            EgressError: too many calls have not ended, or this one ended without a result.
        """
        ended: SimpleQueue[_EndedCall[Result]] = SimpleQueue()
        # A new thread has an empty context, and the deadline of the call is a context variable.
        context = copy_context()

        def work() -> None:
            outcome = _EndedCall[Result]()
            try:
                outcome.results.append(context.run(call))
            except self._errors as error:
                outcome.error = error
            finally:
                self._slots.release()
                ended.put(outcome)

        # A thread cannot be ended from outside: the slots bound how many of them hang.
        if not self._slots.acquire(blocking=False):
            raise EgressError("Too many earlier calls have not ended: try again soon.")
        # A call that hangs must not delay the end of the process.
        threading.Thread(target=work, daemon=True, name=self._name).start()
        try:
            outcome = ended.get(timeout=max(0.0, seconds))
        except Empty:
            raise TimeoutError from None
        if outcome.error is not None:
            raise outcome.error
        if not outcome.results:
            raise EgressError("The call ended without a result.")
        return outcome.results[0]
