"""Simulation of a server whose work passes one queue: two processors that running units share, and a virtual clock."""

import random
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from statistics import median
from typing import Final

from groundwire.domain.keys.fairness.parties import KnownUsers, Party
from groundwire.domain.keys.fairness.queue import FairQueue, Ticket
from groundwire.domain.keys.fairness.work import Capacity, CostMemory, Work

PROCESSORS: Final = 2
CAPACITY: Final = Capacity.halved(8, 1_024)
SECONDS: Final = 8.0
REST_COST: Final = 0.05
LIKE: Final = ("POST /mcp",)


@dataclass
class Caller:
    """A caller in a loop: it sends a unit, and after the answer and a pause the next one, `width` at a time."""

    name: str
    tenant: str
    key: str
    cost: float = REST_COST
    width: int = 1
    pause: float = 0.5
    invents: bool = False
    sent: int = 0

    def user(self) -> str:
        return f"{self.name}{self.sent}" if self.invents else self.name


@dataclass
class Unit:
    caller: Caller
    sent_at: float
    work: float
    left: float = field(init=False)

    def __post_init__(self) -> None:
        self.left = self.work


@dataclass
class Server:
    """A server; all attributes but the first two can be replaced by a seeded defect.

    Attributes:
        directory: users that the tenants list.
        capacity: of the queue.
        share: the party to which the queue counts the work of one.
        knows_users: whether invented users share one share.
        counts_cost: whether a party is charged for the seconds of its work.
    """

    seed: int
    directory: frozenset[str]
    capacity: Capacity = CAPACITY
    share: Callable[[Party], Party] = lambda party: party
    knows_users: bool = True
    counts_cost: bool = True
    now: float = 0.0

    def __post_init__(self) -> None:
        self.queue = FairQueue[Unit](self.capacity)
        self.random = random.Random(self.seed)
        self.known = KnownUsers(lambda _, user: user in self.directory, lambda: self.now)
        self.memory = CostMemory()
        self.running: list[Ticket[Unit]] = []
        self.answered: defaultdict[str, list[float]] = defaultdict(list)
        self.refused: defaultdict[str, list[int]] = defaultdict(list)
        self.due: list[tuple[float, int, Caller]] = []
        self.count = 0

    def party_of(self, caller: Caller) -> Party:
        user = caller.user()
        if self.knows_users:
            user = self.known.share_of(caller.tenant, caller.key, user)
        return self.share(Party(caller.tenant, caller.key, user))

    def run(self, callers: list[Caller]) -> "Server":
        for caller in callers:
            for _ in range(caller.width):
                self.plan(self.random.uniform(0, caller.pause), caller)
        while self.due or self.running:
            rate = min(1.0, PROCESSORS / max(1, len(self.running)))
            ends = self.now + min((each.content.left for each in self.running), default=float("inf")) / rate
            starts = min(self.due)[0] if self.due else float("inf")
            after = min(ends, starts)
            for each in self.running:
                each.content.left -= (after - self.now) * rate
            self.now = after
            if ends <= starts:
                self.end(min(self.running, key=lambda each: each.content.left))
            else:
                entry = min(self.due)
                self.due.remove(entry)
                self.send(entry[2])
            while (started := self.queue.start_next(self.now)) is not None:
                self.running.append(started)
        return self

    def plan(self, at: float, caller: Caller) -> None:
        if at < SECONDS:
            self.count += 1
            self.due.append((at, self.count, caller))

    def send(self, caller: Caller) -> None:
        caller.sent += 1
        party = self.party_of(caller)
        cost = self.memory.estimate(Work.CALL, (*party, *LIKE)) if self.counts_cost else REST_COST
        unit = Unit(caller, self.now, caller.cost * self.random.uniform(0.8, 1.2))
        found = self.queue.submit(party, cost, unit)
        if not isinstance(found, Ticket):
            self.refused[caller.name].append(found.retry_after_s)
            self.plan(self.now + found.retry_after_s, caller)

    def end(self, ticket: Ticket[Unit]) -> None:
        self.running.remove(ticket)
        # Work whose cost is ignored has the cost that was expected.
        seconds = self.queue.finish(ticket, self.now if self.counts_cost else (ticket.started_at or 0.0) + ticket.cost)
        caller = ticket.content.caller
        self.memory.record(Work.CALL, (*ticket.party, *LIKE), seconds)
        self.answered[caller.name].append(self.now - ticket.content.sent_at)
        self.plan(self.now + self.random.uniform(0.5, 1.5) * caller.pause, caller)


def slowdown(with_hog: Server, at_rest: Server, names: Sequence[str]) -> float:
    """Returns by how much the median of the caller that waits most is above the one at rest; inf for one without."""
    answered = with_hog.answered
    return max(
        median(answered[name]) / median(at_rest.answered[name]) if answered[name] else float("inf") for name in names
    )
