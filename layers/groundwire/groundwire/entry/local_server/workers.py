"""Worker threads for functions and authorizers, shared among tenants."""

import asyncio
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Final, TypeVar

from groundwire.entry.gateway import responses
from groundwire.entry.gateway.responses import GatewayResponse
from groundwire.entry.local_server.fair_share import CapacityExceededError, FairShareScheduler, ServerCapacity

if TYPE_CHECKING:
    from groundwire.entry.gateway.dispatch import AuthorizedCall, Dispatcher
    from groundwire.entry.gateway.events import GatewayRequest

_AUTHORIZER_THREADS: Final = 4
_HEALTH: Final = ("GET", "/health")
_Argument = TypeVar("_Argument")
_Result = TypeVar("_Result")


class WorkerPools:
    """Thread pools that run calls: the authorizer first, then the function when its tenant may have a thread.

    Authorizers have their own threads, so that no call delays the authorization of another. `/health` has its own
    thread and answers however busy the server is. A call over the timeout gets a response; its thread is free when the
    function ends.
    """

    def __init__(self, dispatcher: "Dispatcher", timeout_s: float, capacity: ServerCapacity) -> None:
        self._dispatcher = dispatcher
        self._timeout_s = timeout_s
        self._max_authorizing = capacity.pending
        self._authorizing = 0
        self._scheduler = FairShareScheduler(capacity)
        self._loops = _ThreadLoops()
        self._functions = self._pool(capacity.threads, "function")
        self._authorizers = self._pool(_AUTHORIZER_THREADS, "authorizer")
        self._health = self._pool(1, "health")

    async def answer(self, request: "GatewayRequest") -> GatewayResponse:
        """Return the response; a 503 after the timeout or when too many calls wait."""
        try:
            async with asyncio.timeout(self._timeout_s):
                if (request.method, request.raw_path) == _HEALTH:
                    return await _run_in(self._health, self._dispatcher.answer, request)
                call = await self._authorize(request)
                if isinstance(call, GatewayResponse):
                    return call
                await self._scheduler.acquire(call.tenant)
                return await self._invoke(call)
        except (TimeoutError, CapacityExceededError):
            return responses.UNAVAILABLE

    def close(self) -> None:
        """Drop waiting calls and wait for running ones."""
        for pool in (self._functions, self._authorizers, self._health):
            pool.shutdown(wait=True, cancel_futures=True)
        self._loops.close()

    async def _authorize(self, request: "GatewayRequest") -> "AuthorizedCall | GatewayResponse":
        if self._authorizing >= self._max_authorizing:
            raise CapacityExceededError
        self._authorizing += 1
        try:
            return await _run_in(self._authorizers, self._dispatcher.authorize, request)
        finally:
            self._authorizing -= 1

    async def _invoke(self, call: "AuthorizedCall") -> GatewayResponse:
        invoked = _run_in(self._functions, self._dispatcher.invoke, call)
        invoked.add_done_callback(lambda _: self._scheduler.release(call.tenant))
        # The shield keeps the thread counted until the function ends, even if its caller no longer waits.
        return await asyncio.shield(invoked)

    def _pool(self, threads: int, name: str) -> ThreadPoolExecutor:
        return ThreadPoolExecutor(threads, f"groundwire-{name}", initializer=self._loops.open)


def _run_in(
    pool: ThreadPoolExecutor, step: Callable[[_Argument], _Result], argument: _Argument
) -> "asyncio.Future[_Result]":
    return asyncio.get_running_loop().run_in_executor(pool, step, argument)


class _ThreadLoops:
    """An event loop for each worker thread: Mangum runs the application on the loop of its thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._loops: list[asyncio.AbstractEventLoop] = []

    def open(self) -> None:
        loop = asyncio.new_event_loop()
        asyncio.set_event_loop(loop)
        with self._lock:
            self._loops.append(loop)

    def close(self) -> None:
        with self._lock:
            for loop in self._loops:
                loop.close()
            self._loops.clear()
