"""The threads that functions run on, shared among tenants."""

import asyncio
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Final, TypeVar

from groundwire.entry.gateway import responses
from groundwire.entry.gateway.responses import Response
from groundwire.entry.gateway.shares import Capacity, NoRoomError, ThreadShares

if TYPE_CHECKING:
    from groundwire.entry.gateway.dispatch import AuthorizedCall, Dispatcher
    from groundwire.entry.gateway.events import Request

_AUTHORIZER_THREADS: Final = 4
_HEALTH: Final = ("GET", "/health")
_Given = TypeVar("_Given")
_Result = TypeVar("_Result")


class Workers:
    """Runs calls: the authorizer first, then the function as soon as its tenant may have a thread.

    Authorizers have threads of their own, so no call holds up the decision about another. So has `/health`: it tells
    that the server is alive, however busy it is. A call that outlives the timeout is answered; its thread is given back
    when the function ends.
    """

    def __init__(self, dispatcher: "Dispatcher", timeout_s: float, capacity: Capacity) -> None:
        self._dispatcher = dispatcher
        self._timeout_s = timeout_s
        self._most_authorizing = capacity.pending
        self._authorizing = 0
        self._shares = ThreadShares(capacity)
        self._loops = _ThreadLoops()
        self._functions = self._pool(capacity.threads, "function")
        self._authorizers = self._pool(_AUTHORIZER_THREADS, "authorizer")
        self._health = self._pool(1, "health")

    async def answer(self, request: "Request") -> Response:
        """Returns the response, or 503 when none is there in time or too many calls wait."""
        try:
            async with asyncio.timeout(self._timeout_s):
                if (request.method, request.raw_path) == _HEALTH:
                    return await _on(self._health, self._dispatcher.answer, request)
                call = await self._authorized(request)
                if isinstance(call, Response):
                    return call
                await self._shares.acquire(call.tenant)
                return await self._invoked(call)
        except (TimeoutError, NoRoomError):
            return responses.UNAVAILABLE

    def close(self) -> None:
        """Calls that wait are dropped, those that run are waited for."""
        for pool in (self._functions, self._authorizers, self._health):
            pool.shutdown(wait=True, cancel_futures=True)
        self._loops.close()

    async def _authorized(self, request: "Request") -> "AuthorizedCall | Response":
        if self._authorizing >= self._most_authorizing:
            raise NoRoomError
        self._authorizing += 1
        try:
            return await _on(self._authorizers, self._dispatcher.authorize, request)
        finally:
            self._authorizing -= 1

    async def _invoked(self, call: "AuthorizedCall") -> Response:
        invoked = _on(self._functions, self._dispatcher.invoke, call)
        invoked.add_done_callback(lambda _: self._shares.release(call.tenant))
        # Shielded, so that a call that outlives its caller keeps its thread's place until it ends.
        return await asyncio.shield(invoked)

    def _pool(self, threads: int, name: str) -> ThreadPoolExecutor:
        return ThreadPoolExecutor(threads, f"groundwire-{name}", initializer=self._loops.open)


def _on(pool: ThreadPoolExecutor, step: Callable[[_Given], _Result], given: _Given) -> "asyncio.Future[_Result]":
    return asyncio.get_running_loop().run_in_executor(pool, step, given)


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
