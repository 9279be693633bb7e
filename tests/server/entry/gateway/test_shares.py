"""One tenant's calls never hold up those of another, nor the sign of life, nor the decision who somebody is."""

import asyncio
import threading
from collections import Counter
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager, closing
from pathlib import Path
from typing import Any, Final

import httpx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from groundwire.domain.keys.fairness.parties import Party
from groundwire.domain.keys.fairness.queue import Refused, Ticket
from groundwire.domain.keys.fairness.work import Capacity, Levels
from groundwire.entry.gateway.dispatch import Dispatcher
from groundwire.entry.gateway.lambda_runtime import LambdaFunction, LocalLambdaContext
from groundwire.entry.gateway.template import FunctionSpec, RouteSpec
from groundwire.entry.local_server.allowed_hosts import HostAllowList
from groundwire.entry.local_server.application import GatewayApplication
from groundwire.entry.local_server.fair_share import FairSlots, Slot
from groundwire.entry.local_server.workers import ServerCapacity
from groundwire.ports.deadline import time_limit
from tests.server.entry.gateway.virtual_time import play
from tests.support.plugins.draws import examples

OWNERS: Final = ("a", "b", "c", None)


def capacity_of(slots: int, tenant_slots: int, pending: int, tenant_pending: int) -> Capacity:
    """Returns a capacity in which all keys and users of a tenant may have what the tenant may have."""
    return Capacity(
        Levels(slots, tenant_slots, tenant_slots, tenant_slots),
        Levels(pending, tenant_pending, tenant_pending, tenant_pending),
        seconds=30,
    )


def party_of(owner: str | None) -> Party:
    return Party(owner or "", "k1", "")


CAPACITY: Final = capacity_of(16, 8, 256, 128)
Work = Callable[[str | None], None]
"""What a function does for a tenant; None is nobody's call."""

AUTHORIZER: Final = FunctionSpec("Authorizer", Path("app.py"), "handler", 3, 128)
FUNCTION: Final = FunctionSpec("Function", Path("app.py"), "handler", 29, 128)


def authorizer(event: dict[str, Any], _: LocalLambdaContext) -> object:
    """Admits the tenant that a header names; `refused` names one without being admitted."""
    headers = event["headers"]
    decision = "admitted" if "tenant" in headers else "unauthenticated"
    context = {"decision": decision, "tenant": headers.get("tenant") or headers.get("refused")}
    return {"isAuthorized": True, "context": context}


@asynccontextmanager
async def served(work: Work, capacity: Capacity = CAPACITY, timeout_s: float = 30) -> AsyncGenerator[httpx.AsyncClient]:
    def function(event: dict[str, Any], _: LocalLambdaContext) -> object:
        if event["rawPath"] != "/health":
            context = event["requestContext"].get("authorizer", {}).get("lambda", {})
            work(context.get("tenant"))
        return {"statusCode": 200}

    routes = [
        RouteSpec("POST /call", FUNCTION, AUTHORIZER, {}),
        RouteSpec("GET /open", FUNCTION, None, {}),
        RouteSpec("GET /health", FUNCTION, None, {}),
    ]
    handlers = {"Authorizer": authorizer, "Function": function}
    dispatcher = Dispatcher(routes, lambda spec: LambdaFunction(spec, handlers[spec.name]))
    with closing(GatewayApplication(dispatcher, HostAllowList("", []), timeout_s, ServerCapacity(capacity))) as gateway:
        transport = httpx.ASGITransport(gateway)
        async with httpx.AsyncClient(transport=transport, base_url="http://localhost", timeout=60) as client:
            yield client


def calls(client: httpx.AsyncClient, count: int, **headers: str) -> list["asyncio.Task[httpx.Response]"]:
    return [asyncio.create_task(client.post("/call", headers=headers)) for _ in range(count)]


async def statuses(tasks: list["asyncio.Task[httpx.Response]"]) -> list[int]:
    return [response.status_code for response in await asyncio.gather(*tasks)]


class Peaks:
    """How many calls of each tenant ran at once; every one waits until so many of its tenant run."""

    def __init__(self, combined: int) -> None:
        self._lock = threading.Lock()
        self._barriers = {owner: threading.Barrier(combined, timeout=30) for owner in OWNERS}
        self._running = Counter[str | None]()
        self.most = Counter[str | None]()

    def __call__(self, tenant: str | None) -> None:
        with self._lock:
            self._running[tenant] += 1
            self.most[tenant] = max(self.most[tenant], self._running[tenant])
        self._barriers[tenant].wait()
        with self._lock:
            self._running[tenant] -= 1


@pytest.mark.parametrize("headers", [{"tenant": "a"}, {"refused": "a"}, {}])
def test_a_tenant_has_half_of_the_threads_and_strangers_together_have_half(headers: dict[str, str]) -> None:
    peaks = Peaks(combined=8)

    async def scene() -> None:
        async with served(lambda tenant: peaks("a" if tenant else None)) as client:
            assert await statuses(calls(client, 40, **headers)) == [200] * 40

    asyncio.run(scene())
    assert list(peaks.most.values()) == [8]


def test_calls_of_others_continue_while_a_tenant_has_more_calls_than_threads() -> None:
    others_are_done, noisy = threading.Event(), threading.Semaphore(0)

    def work(tenant: str | None) -> None:
        if tenant == "noisy":
            noisy.release()
            assert others_are_done.wait(timeout=30)

    async def scene() -> None:
        async with served(work) as client:
            held = calls(client, 60, tenant="noisy")
            await asyncio.to_thread(lambda: [noisy.acquire() for _ in range(8)])
            assert await statuses(calls(client, 30, tenant="quiet")) == [200] * 30
            assert await statuses(calls(client, 30)) == [200] * 30
            others_are_done.set()
            assert await statuses(held) == [200] * 60

    asyncio.run(scene())


@pytest.mark.parametrize("owners", [("a", "a", "a"), ("b", "c", "a")])
def test_a_thread_that_comes_free_as_waiting_calls_are_cancelled_goes_to_one_that_still_waits(
    owners: tuple[str, str, str],
) -> None:
    async def scene() -> None:
        shares = FairSlots(capacity_of(1, 1, 8, 8))
        first = await shares.acquire(party_of("a"), 1)
        assert isinstance(first, Ticket)
        waiting = [asyncio.create_task(shares.acquire(party_of(owner), 1)) for owner in owners]
        await asyncio.sleep(0)
        # In one step of the loop: the calls that give up have not left the queue yet.
        for task in waiting[:2]:
            task.cancel()
        shares.release(first)
        async with asyncio.timeout(30):
            outcomes = await asyncio.gather(*waiting, return_exceptions=True)
            assert list(map(type, outcomes)) == [asyncio.CancelledError, asyncio.CancelledError, Ticket]
            assert isinstance(outcomes[2], Ticket)
            shares.release(outcomes[2])
            await shares.acquire(party_of("d"), 1)

    asyncio.run(scene())


def test_health_and_authorizers_answer_while_every_thread_is_taken() -> None:
    release, started = threading.Event(), threading.Semaphore(0)

    def work(_: str | None) -> None:
        started.release()
        assert release.wait(timeout=30)

    async def scene() -> None:
        async with served(work, capacity_of(4, 2, 6, 4)) as client:
            held = [*calls(client, 2, tenant="a"), *calls(client, 2, tenant="b")]
            await asyncio.to_thread(lambda: [started.acquire() for _ in held])
            held += calls(client, 2, tenant="c")
            alive = [asyncio.create_task(client.get("/health")) for _ in range(20)]
            assert await statuses(alive) == [200] * 20
            # Authorized, and only then refused, since as many calls run and wait as may.
            refused = await client.post("/call", headers={"tenant": "d"})
            assert (refused.status_code, refused.headers["retry-after"]) == (503, "1")
            assert (await client.get("/health")).status_code == 200
            release.set()
            assert await statuses(held) == [200] * 6

    asyncio.run(scene())


def test_a_tenant_that_waits_too_much_is_refused_and_another_is_not() -> None:
    release, started = threading.Event(), threading.Semaphore(0)

    def work(tenant: str | None) -> None:
        if tenant == "noisy":
            started.release()
            assert release.wait(timeout=30)

    async def scene() -> None:
        async with served(work, capacity_of(4, 2, 10, 5)) as client:
            held = calls(client, 30, tenant="noisy")
            done, waiting = await asyncio.wait(held, return_when=asyncio.FIRST_COMPLETED)
            while len(waiting) > 5:
                more, waiting = await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
                done |= more
            assert {task.result().status_code for task in done} == {503}
            assert await statuses(calls(client, 5, tenant="quiet")) == [200] * 5
            release.set()
            assert await statuses(list(waiting)) == [200] * 5

    asyncio.run(scene())


def test_a_call_that_waits_beyond_the_deadline_is_given_a_retry_time_and_never_runs() -> None:
    release, started = threading.Event(), threading.Semaphore(0)

    def work(_: str | None) -> None:
        started.release()
        assert release.wait(timeout=30)

    async def scene() -> None:
        async with served(work, capacity_of(2, 1, 8, 4), timeout_s=0.05) as client:
            delayed = [await client.post("/call", headers={"tenant": "a"}) for _ in range(6)]
            assert [(each.status_code, each.headers["retry-after"]) for each in delayed] == [(503, "5")] * 6
            # The first of them runs on and keeps its thread; the others gave up their places in the queue.
            assert (started.acquire(), started.acquire(blocking=False)) == (True, False)
            release.set()

    asyncio.run(scene())
    assert not started.acquire(blocking=False)


class Model:
    """Slots that are used at random, with what must hold of them."""

    def __init__(self, capacity: Capacity) -> None:
        self.capacity = capacity
        # The steps take seconds of the clock, and none of them is the end of a wait.
        patient = capacity._replace(seconds=1e6)
        self.slots = FairSlots(patient, lambda: asyncio.get_running_loop().time())
        self.waiting: dict[str | None, list[asyncio.Task[Slot | Refused]]] = {owner: [] for owner in OWNERS}
        self.running: dict[str | None, list[Slot]] = {owner: [] for owner in OWNERS}

    async def call(self, owner: str | None) -> None:
        own = len(self.running[owner]) + len(self.waiting[owner])
        pending = sum(map(len, self.running.values())) + sum(map(len, self.waiting.values()))
        full = own >= self.capacity.pending.tenant or pending >= self.capacity.pending.total
        task = asyncio.create_task(self.slots.acquire(party_of(owner), 1))
        await asyncio.sleep(1)
        if full:
            assert isinstance(task.result(), Refused)
        else:
            self.waiting[owner].append(task)

    async def end(self, owner: str | None) -> None:
        if self.running[owner]:
            self.slots.release(self.running[owner].pop())

    async def leave(self, owner: str | None) -> None:
        if self.waiting[owner]:
            self.waiting[owner].pop().cancel()

    async def check(self) -> None:
        await asyncio.sleep(1)
        for owner, tasks in self.waiting.items():
            started = [slot for task in tasks if task.done() and isinstance(slot := task.result(), Ticket)]
            # In their order: whoever has started came before all who still wait.
            assert all(task.done() for task in tasks[: len(started)])
            self.running[owner] += started
            self.waiting[owner] = tasks[len(started) :]
        most = self.capacity.running.tenant
        assert all(len(slots) <= most for slots in self.running.values())
        idle = self.capacity.running.total - sum(map(len, self.running.values()))
        entitled = [owner for owner, tasks in self.waiting.items() if tasks and len(self.running[owner]) < most]
        assert idle >= 0
        assert not (idle and entitled)


@settings(deadline=None, max_examples=examples(200))
@given(st.lists(st.tuples(st.sampled_from(["call", "end", "leave"]), st.sampled_from(OWNERS))), st.integers(1, 6))
def test_no_thread_is_idle_while_somebody_may_have_it_and_nobody_has_more_than_half(
    steps: list[tuple[str, str | None]], threads: int
) -> None:
    async def scene() -> None:
        model = Model(capacity_of(threads, max(1, threads // 2), pending=12, tenant_pending=6))
        for step, owner in steps:
            await getattr(model, step)(owner)
            await model.check()

    play(scene())


def test_a_free_thread_goes_to_the_tenant_that_holds_the_fewest_and_equals_take_turns() -> None:
    async def scene() -> None:
        slots = FairSlots(capacity_of(2, 2, 100, 50), lambda: asyncio.get_running_loop().time())
        order: list[str] = []
        running: dict[str, list[Slot]] = {"a": [], "b": [], "c": []}

        async def call(owner: str) -> None:
            slot = await slots.acquire(party_of(owner), 1)
            assert isinstance(slot, Ticket)
            order.append(owner)
            running[owner].append(slot)

        for owner in "aaaabbcc":
            asyncio.ensure_future(call(owner)).set_name(owner)
        await asyncio.sleep(1)
        for ended in "aabcac":
            slots.release(running[ended].pop(0))
            await asyncio.sleep(1)
        assert "".join(order[:4]) == "aabc"
        assert sorted(order[4:]) == ["a", "a", "b", "c"]

    play(scene())


def test_work_that_waits_in_vain_is_refused_after_the_longest_wait_however_short_it_seemed() -> None:
    async def scene() -> None:
        slots = FairSlots(capacity_of(1, 1, 8, 8), lambda: asyncio.get_running_loop().time())
        held = await slots.acquire(party_of("a"), 1)
        assert isinstance(held, Ticket)
        assert isinstance(await slots.acquire(party_of("b"), 1), Refused)
        assert asyncio.get_running_loop().time() == 30
        slots.release(held)
        assert isinstance(await slots.acquire(party_of("c"), 1), Ticket)

    play(scene())


def test_a_thread_waits_for_a_slot_no_longer_than_its_call_has_time() -> None:
    slots = FairSlots(capacity_of(1, 1, 8, 8))
    held = slots.wait(party_of("a"), 1)
    assert isinstance(held, Ticket)
    found: list[Slot | Refused] = []

    def wait() -> None:
        with time_limit(0):
            found.append(slots.wait(party_of("b"), 1))

    # A thread that can be left: one that waits for good would hold this test.
    waiter = threading.Thread(target=wait, daemon=True)
    waiter.start()
    waiter.join(timeout=30)
    assert [type(each) for each in found] == [Refused]
    slots.release(held)
    assert isinstance(slots.take(party_of("c"), 1), Ticket)
