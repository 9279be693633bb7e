"""Worker threads for functions and authorizers, whose slots the parties share fairly."""

import asyncio
import hashlib
import os
import secrets
import threading
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Final, NamedTuple, TypeVar

from groundwire.domain.access.call_headers import CREDENTIAL_HEADERS, USER_HEADER, USER_TOKEN_HEADER
from groundwire.domain.keys.fairness import work
from groundwire.domain.keys.fairness.parties import NEW_USERS, Party
from groundwire.domain.keys.fairness.queue import Refused
from groundwire.domain.keys.fairness.work import MAX_PENDING_CALLS, MAX_WAIT_SECONDS, Capacity, CostMemory, Levels, Work
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
_CREDENTIALS: Final = frozenset({*CREDENTIAL_HEADERS, "cookie"})
_USER_HEADERS: Final = frozenset({USER_HEADER, USER_TOKEN_HEADER})
_Argument = TypeVar("_Argument")
_Result = TypeVar("_Result")
MAX_ADMITTED_CREDENTIALS: Final = 4_096
"""Credentials that the server remembers as admitted."""
MAX_PENDING_CHANGES: Final = 128
"""Changes of rights that run or wait."""
MAX_PENDING_CHECKS: Final = 320
"""Checks of keys that run or wait."""
MAX_PENDING_REFUSALS: Final = 16
"""Refusals in the form of a dialect that run or wait; others have the form of the gateway."""
_REFUSAL_SECONDS: Final = 0.002
"""Expected cost of a refusal in the form of its dialect."""


_SLOTS: Final = max(work.MIN_SLOTS, work.SLOTS_PER_PROCESSOR * (os.cpu_count() or 1))


class ServerCapacity(NamedTuple):
    """Capacities of the server's queues.

    What may be pending on connections is less in sum than the server has of them, so that a new one always finds or
    takes a place (`connections.protocol`). One caller may fill the level of its tenant and that of callers without a
    key, so that less than half is pending for each. Checks of keys have levels of their own: many callers, whose keys
    the server does not know yet, may have one address.
    """

    calls: Capacity = Capacity(Levels.halved(_SLOTS), Levels(MAX_PENDING_CALLS, 96, 64, 32), MAX_WAIT_SECONDS)
    control: Capacity = Capacity(
        Levels.halved(work.CONTROL_SLOTS), Levels(MAX_PENDING_CHANGES, 48, 48, 48), MAX_WAIT_SECONDS
    )
    authorizations: Capacity = Capacity(
        Levels(work.AUTHORIZATION_SLOTS, 4, 2, 2), Levels(MAX_PENDING_CHECKS, 144, 112, 112), MAX_WAIT_SECONDS
    )
    refusals: Capacity = Capacity(Levels(1, 1, 1, 1), Levels(MAX_PENDING_REFUSALS, 8, 8, 8), MAX_WAIT_SECONDS)
    outside: Capacity = Capacity.halved(work.OUTSIDE_PLACES, work.MAX_PENDING_OUTSIDE)

    @property
    def most_on_connections(self) -> int:
        """Return how many requests can run or wait at a time."""
        return sum(each.pending.total for each in (self.calls, self.control, self.authorizations, self.refusals))


class AdmittedCredentials:
    """Memory of the credentials that were admitted lately, by digest: the others count to their address.

    Before its check a credential proves nothing, so invented ones are no parties beside those of real keys.
    """

    def __init__(self) -> None:
        self._parties: OrderedDict[bytes, Party] = OrderedDict()
        # A digest with a key of this process is of no use to anybody who reads the memory.
        self._key = secrets.token_bytes(32)

    def party_of(self, request: "GatewayRequest") -> Party:
        """Return the party of a request that is not checked yet: of its credential's last call, or else its address."""
        return self._parties.get(self._digest(request)) or Party("", network_of(request.source_ip), NEW_USERS)

    def record(self, request: "GatewayRequest", party: Party | None) -> None:
        """Remember to whom the credential belongs, in place of the one that was unused for longest; None forgets it."""
        digest = self._digest(request)
        self._parties.pop(digest, None)
        if digest and party is not None and party.tenant:
            # The credential decides the tenant and the key, and the user only where the call names none.
            names_user = any(name.lower() in _USER_HEADERS for name, _ in request.headers)
            self._parties[digest] = party._replace(user=NEW_USERS) if names_user else party
            if len(self._parties) > MAX_ADMITTED_CREDENTIALS:
                self._parties.popitem(last=False)

    def _digest(self, request: "GatewayRequest") -> bytes:
        credentials = [value for name, value in request.headers if name.lower() in _CREDENTIALS]
        if not credentials:
            return b""
        return hashlib.blake2b(repr(credentials).encode(), digest_size=16, key=self._key).digest()


class WorkerPools:
    """Thread pools that run calls: the authorizer first, then the function when its party has a slot.

    Authorizers have their own slots, so that no call delays the authorization of another. `/health` has a thread, and
    changes of rights have slots of their own. A call over the timeout gets a response; its slot is free when the
    function ends.
    """

    def __init__(self, dispatcher: "Dispatcher", timeout_s: float, capacity: ServerCapacity) -> None:
        self._dispatcher = dispatcher
        self._timeout_s = timeout_s
        self._costs = CostMemory()
        self._credentials = AdmittedCredentials()
        self._calls = FairSlots(capacity.calls)
        self._control = FairSlots(capacity.control)
        self._authorizations = FairSlots(capacity.authorizations)
        self._refusals = FairSlots(capacity.refusals)
        self._places = FairSlots(capacity.outside)
        self._loops = _ThreadLoops()
        # A thread that waits on the outside holds no slot, so each slot and each call that freed its own has a thread.
        spare_threads = capacity.outside.pending.total
        self._spare_threads = threading.BoundedSemaphore(spare_threads)
        threads = capacity.calls.running.total + capacity.control.running.total + spare_threads
        self._functions = self._pool(threads, "function")
        self._authorizers = self._pool(capacity.authorizations.running.total, "authorizer")
        self._refusers = self._pool(capacity.refusals.running.total, "refusal")
        self._health = self._pool(1, "health")

    async def answer(self, request: "GatewayRequest", on_party: Callable[[Party], None]) -> GatewayResponse:
        """Return the response; an error with a time for the repeat after the timeout, or when too many calls wait.

        `on_party` gets the party of the call as soon as its credential is checked.
        """
        try:
            async with asyncio.timeout(self._timeout_s):
                if (request.method, request.raw_path) == _HEALTH:
                    return await _run_in(self._health, self._dispatcher.answer, request)
                party = self._credentials.party_of(request)
                kind = work.work_of(request.method, request.raw_path)
                if party.tenant and kind is not Work.CONTROL:
                    party = self._dispatcher.expected_party(party, request)
                    on_party(party)
                    return await self._answer_in_one_slot(kind, party, request, on_party)
                call = await self._authorize(request)
                if isinstance(call, GatewayResponse):
                    return call
                on_party(call.party)
                return await self._invoke(call, request)
        except TimeoutError:
            return responses.unavailable(_REFUSED_WAIT_S)
        except CapacityExceededError as error:
            return responses.unavailable(error.retry_after_s)

    def let_calls_pass(self) -> None:
        """Return when no call runs or waits, or after the longest pause of a file."""
        self._calls.let_pass(work.BACKGROUND_PAUSE_MS / 1000)

    def close(self) -> None:
        """Drop waiting calls and wait for running ones."""
        for pool in (self._functions, self._authorizers, self._refusers, self._health):
            pool.shutdown(wait=True, cancel_futures=True)
        self._loops.close()

    async def _answer_in_one_slot(
        self, kind: Work, party: Party, request: "GatewayRequest", on_party: Callable[[Party], None]
    ) -> GatewayResponse:
        """Authorize and run a call in one slot of the party to which its credential belongs.

        With a slot for each, one caller would compute twice at a time beside others.
        """
        like = (*party, self._dispatcher.route_of(request.method, request.raw_path))
        slot = await self._calls.acquire(party, self._costs.estimate(kind, like, len(request.body)))
        if isinstance(slot, Refused):
            call = await self._authorize(request)
            return call if isinstance(call, GatewayResponse) else await self._refuse(call, slot.retry_after_s)
        held = HeldSlot(self._calls, slot, self._places, self._costs, self._spare_threads)

        def run(request: "GatewayRequest") -> "AuthorizedCall | GatewayResponse":
            with sharing(held):
                call = self._dispatcher.authorize(request)
                is_answered = isinstance(call, GatewayResponse)
                self._credentials.record(request, None if is_answered else call.party)
                return call if is_answered or call.party != party else self._dispatcher.invoke(call)

        def end() -> None:
            self._costs.record(kind, like, held.release())

        answered = await _run_to_end(self._functions, run, request, end)
        if isinstance(answered, GatewayResponse):
            return answered
        # Its user is another one than was expected, so it waits for a slot of that user.
        on_party(answered.party)
        return await self._invoke(answered, request)

    async def _authorize(self, request: "GatewayRequest") -> "AuthorizedCall | GatewayResponse":
        party = self._credentials.party_of(request)
        slot = await self._authorizations.acquire(party, self._costs.estimate(Work.AUTHORIZATION, party))
        if isinstance(slot, Refused):
            raise CapacityExceededError(slot.retry_after_s)

        def end() -> None:
            self._costs.record(Work.AUTHORIZATION, party, self._authorizations.release(slot))

        call = await _run_to_end(self._authorizers, self._dispatcher.authorize, request, end)
        self._credentials.record(request, None if isinstance(call, GatewayResponse) else call.party)
        return call

    async def _invoke(self, call: "AuthorizedCall", request: "GatewayRequest") -> GatewayResponse:
        kind = work.work_of(request.method, request.raw_path)
        slots = self._control if kind is Work.CONTROL else self._calls
        like = (*call.party, call.route.key)
        slot = await slots.acquire(call.party, self._costs.estimate(kind, like, call.size))
        if isinstance(slot, Refused):
            return await self._refuse(call, slot.retry_after_s)
        held = HeldSlot(slots, slot, self._places, self._costs, self._spare_threads)

        def invoke(call: "AuthorizedCall") -> GatewayResponse:
            with sharing(held):
                return self._dispatcher.invoke(call)

        return await _run_to_end(self._functions, invoke, call, lambda: self._costs.record(kind, like, held.release()))

    async def _refuse(self, call: "AuthorizedCall", retry_after_s: int) -> GatewayResponse:
        refused = call.refused(retry_after_s)
        slot = Refused(1) if refused is None else await self._refusals.acquire(call.party, _REFUSAL_SECONDS)
        if refused is None or isinstance(slot, Refused):
            raise CapacityExceededError(retry_after_s)
        return await _run_to_end(self._refusers, self._dispatcher.invoke, refused, lambda: self._refusals.release(slot))

    def _pool(self, threads: int, name: str) -> ThreadPoolExecutor:
        return ThreadPoolExecutor(threads, f"groundwire-{name}", initializer=self._loops.open)


async def _run_to_end(
    pool: ThreadPoolExecutor, step: Callable[[_Argument], _Result], argument: _Argument, end: Callable[[], object]
) -> _Result:
    """Return the result of the step, after which a thread calls `end`."""

    def run(argument: _Argument) -> _Result:
        try:
            return step(argument)
        finally:
            end()

    # The shield keeps the slot counted until the function ends, even if its caller no longer waits.
    return await asyncio.shield(_run_in(pool, run, argument))


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
