"""Worker threads for functions and authorizers, whose slots the parties share fairly."""

import asyncio
import os
import re
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Final, NamedTuple, TypeVar
from urllib.parse import unquote

from groundwire.domain.keys.fairness import work
from groundwire.domain.keys.fairness.parties import NEW_USERS, Party
from groundwire.domain.keys.fairness.queue import Refused
from groundwire.domain.keys.fairness.work import Capacity, CostMemory, Work
from groundwire.entry.gateway import responses
from groundwire.entry.gateway.responses import GatewayResponse
from groundwire.entry.local_server.fair_share import CapacityExceededError, FairSlots, HeldSlot
from groundwire.entry.runtime.address_limit import network_of
from groundwire.ports.deadline import sharing

if TYPE_CHECKING:
    from groundwire.entry.gateway.dispatch import AuthorizedCall, Dispatcher
    from groundwire.entry.gateway.events import GatewayRequest

_HEALTH: Final = ("GET", "/health")
_REFUSED_WAIT_S: Final = 5
_CONTROL: Final = re.compile(
    r"DELETE /v1/(keys|documents|collections|users|groups|session)\b.*"
    r"|PUT /v1/(documents/[^/]+/policy|groups/.*|users/.*)"
    r"|POST /v1/users/(un)?(block|offboard)|POST /v1/keys/[^/]+/rotate|PATCH /v1/(keys|users)/.*"
    r"|POST /v1/documents/[^/]+/close"
)
"""Requests that end or narrow rights."""
_CREDENTIALS: Final = frozenset({"authorization", "api-key", "x-api-key", "x-goog-api-key", "cookie"})
_Argument = TypeVar("_Argument")
_Result = TypeVar("_Result")


_SLOTS: Final = max(work.MIN_SLOTS, work.SLOTS_PER_PROCESSOR * (os.cpu_count() or 1))


class ServerCapacity(NamedTuple):
    """Capacities of the server's queues."""

    calls: Capacity = Capacity.halved(_SLOTS, work.MAX_PENDING_CALLS)
    control: Capacity = Capacity.halved(work.CONTROL_SLOTS, work.MAX_PENDING_CALLS)
    authorizations: Capacity = Capacity.halved(work.AUTHORIZATION_SLOTS, work.MAX_PENDING_CALLS)
    outside: Capacity = Capacity.halved(work.OUTSIDE_PLACES, work.MAX_PENDING_OUTSIDE)


class WorkerPools:
    """Thread pools that run calls: the authorizer first, then the function when its party has a slot.

    Authorizers have their own slots, so that no call delays the authorization of another; there, callers with a
    credential share by it, and others by their address. `/health` has a thread, and changes of rights have slots of
    their own. A call over the timeout gets a response; its slot is free when the function ends.
    """

    def __init__(self, dispatcher: "Dispatcher", timeout_s: float, capacity: ServerCapacity) -> None:
        self._dispatcher = dispatcher
        self._timeout_s = timeout_s
        self._costs = CostMemory()
        self._calls = FairSlots(capacity.calls)
        self._control = FairSlots(capacity.control)
        self._authorizations = FairSlots(capacity.authorizations)
        self._places = FairSlots(capacity.outside)
        self._loops = _ThreadLoops()
        # A thread that waits on the outside holds no slot, so each slot and each call that freed its own has a thread.
        spare_threads = capacity.outside.pending.total
        self._spare_threads = threading.BoundedSemaphore(spare_threads)
        threads = capacity.calls.running.total + capacity.control.running.total + spare_threads
        self._functions = self._pool(threads, "function")
        self._authorizers = self._pool(capacity.authorizations.running.total, "authorizer")
        self._refusals = self._pool(1, "refusal")
        self._health = self._pool(1, "health")

    async def answer(self, request: "GatewayRequest") -> GatewayResponse:
        """Return the response; an error with a time for the repeat after the timeout, or when too many calls wait."""
        try:
            async with asyncio.timeout(self._timeout_s):
                if (request.method, request.raw_path) == _HEALTH:
                    return await _run_in(self._health, self._dispatcher.answer, request)
                call = await self._authorize(request)
                return call if isinstance(call, GatewayResponse) else await self._invoke(call, request)
        except TimeoutError:
            return responses.unavailable(_REFUSED_WAIT_S)
        except CapacityExceededError as error:
            return responses.unavailable(error.retry_after_s)

    def close(self) -> None:
        """Drop waiting calls and wait for running ones."""
        for pool in (self._functions, self._authorizers, self._refusals, self._health):
            pool.shutdown(wait=True, cancel_futures=True)
        self._loops.close()

    async def _authorize(self, request: "GatewayRequest") -> "AuthorizedCall | GatewayResponse":
        party = _claimed_party(request)
        slot = await self._authorizations.acquire(party, self._costs.estimate(Work.AUTHORIZATION, party))
        if isinstance(slot, Refused):
            raise CapacityExceededError(slot.retry_after_s)

        def authorize(request: "GatewayRequest") -> "AuthorizedCall | GatewayResponse":
            try:
                return self._dispatcher.authorize(request)
            finally:
                self._costs.record(Work.AUTHORIZATION, party, self._authorizations.release(slot))

        # The shield keeps the slot counted until the function ends, even if its caller no longer waits.
        return await asyncio.shield(_run_in(self._authorizers, authorize, request))

    async def _invoke(self, call: "AuthorizedCall", request: "GatewayRequest") -> GatewayResponse:
        is_control = _CONTROL.fullmatch(f"{request.method} {unquote(request.raw_path)}") is not None
        kind, slots = (Work.CONTROL, self._control) if is_control else (Work.CALL, self._calls)
        like = (*call.party, call.route.key)
        slot = await slots.acquire(call.party, self._costs.estimate(kind, like, call.size))
        if isinstance(slot, Refused):
            return await self._refuse(call, slot.retry_after_s)
        held = HeldSlot(slots, slot, self._places, self._costs, self._spare_threads)

        def invoke(call: "AuthorizedCall") -> GatewayResponse:
            try:
                with sharing(held):
                    return self._dispatcher.invoke(call)
            finally:
                self._costs.record(kind, like, held.release())

        return await asyncio.shield(_run_in(self._functions, invoke, call))

    async def _refuse(self, call: "AuthorizedCall", retry_after_s: int) -> GatewayResponse:
        refused = call.refused(retry_after_s)
        if refused is None:
            raise CapacityExceededError(retry_after_s)
        return await _run_in(self._refusals, self._dispatcher.invoke, refused)

    def _pool(self, threads: int, name: str) -> ThreadPoolExecutor:
        return ThreadPoolExecutor(threads, f"groundwire-{name}", initializer=self._loops.open)


def _claimed_party(request: "GatewayRequest") -> Party:
    """Return the party of a request that is not authorized yet: its credential, unproved, else its address."""
    claims = [value for name, value in request.headers if name.lower() in _CREDENTIALS]
    if claims:
        return Party("credential", str(hash(tuple(claims))), NEW_USERS)
    return Party("address", network_of(request.source_ip), NEW_USERS)


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
