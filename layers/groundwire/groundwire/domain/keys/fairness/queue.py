"""The queue of all work that waits: weighted fair order by tenant, then key, then user.

It has no clock and no thread of its own: each method gets the time, so that a simulation of it is exact.
"""

from collections import deque
from math import ceil
from typing import TYPE_CHECKING, Final, Generic, NamedTuple, TypeVar

from groundwire.domain.keys.fairness.parties import Party
from groundwire.domain.keys.fairness.work import Capacity

if TYPE_CHECKING:
    from collections.abc import Iterator

Content = TypeVar("Content")
_LEAF: Final = len(Party._fields)
_MAX_IDLE: Final = 4_096
"""Idle shares whose use is kept below one parent."""


class Refused(NamedTuple):
    """Result that refuses work.

    Attributes:
        retry_after_s: whole seconds after which it may be admitted.
    """

    retry_after_s: int


class Ticket(Generic[Content]):
    """Unit of work in the queue.

    Attributes:
        content: what the owner of the queue needs to start it.
        started_at: None while it waits.
    """

    __slots__ = ("_path", "content", "cost", "party", "started_at")

    def __init__(self, party: Party, cost: float, content: Content, path: "tuple[_Share[Content], ...]") -> None:
        self.party = party
        self.cost = cost
        self.content = content
        self.started_at: float | None = None
        self._path = path

    @property
    def path(self) -> "tuple[_Share[Content], ...]":
        """Return the shares of its party: the whole queue, tenant, key, user."""
        return self._path


class _Share(Generic[Content]):
    """Use of the queue by one party, at one level.

    Attributes:
        resumed: interrupted work that waits to go on, ahead of `waiting`.
        used: cost of all work since the parent's busy time began, as virtual time.
        waiting_cost: cost of the waiting work.
    """

    __slots__ = ("children", "pending", "resumed", "running", "used", "waiting", "waiting_cost")

    def __init__(self) -> None:
        self.children: dict[str, _Share[Content]] = {}
        self.waiting: deque[Ticket[Content]] = deque()
        self.resumed: deque[Ticket[Content]] = deque()
        self.running = 0
        self.pending = 0
        self.used = 0.0
        self.waiting_cost = 0.0

    def busy(self) -> "Iterator[_Share[Content]]":
        """Yield the children with work."""
        return (child for child in self.children.values() if child.pending)

    def child(self, name: str) -> "_Share[Content]":
        """Return the child of a party, which begins where the one that used least is.

        Else a party that paused would keep all others waiting for as long as it had paused.
        """
        floor = min((busy.used for busy in self.busy()), default=None)
        if floor is None:
            self.children.clear()
        else:
            self._forget_idle(floor)
        child = self.children.setdefault(name, _Share())
        if not child.pending:
            child.used = max(child.used, floor or 0.0)
        return child

    def _forget_idle(self, floor: float) -> None:
        # An idle child that used more keeps its debt: leaving the queue for a moment must not pay it.
        idle = [name for name, child in self.children.items() if not child.pending and child.used <= floor]
        if not idle and len(self.children) > _MAX_IDLE:
            idle = [name for name, child in self.children.items() if not child.pending]
        for name in idle:
            del self.children[name]


class FairQueue(Generic[Content]):
    """Queue that gives slots to waiting work within a capacity.

    A free slot goes to the tenant with the fewest running units, among equals to the one that used least, and so on
    for its keys and their users; units of one user keep their order.
    """

    def __init__(self, capacity: Capacity) -> None:
        self._capacity = capacity
        self._root = _Share[Content]()

    @property
    def is_idle(self) -> bool:
        """Return whether no work runs or waits."""
        return not self._root.pending

    def submit(self, party: Party, cost: float, content: Content) -> Ticket[Content] | Refused:
        """Add work and return its ticket, or when it may be repeated.

        Args:
            party: whose work it is.
            cost: expected seconds of a slot.
            content: kept in the ticket.
        """
        path = self._path(party)
        wait = self._expected_wait(path)
        is_full = any(share.pending >= most for share, most in zip(path, self._capacity.pending, strict=True))
        if is_full or wait > self._capacity.seconds:
            excess = wait - self._capacity.seconds
            return Refused(max(1, ceil(excess if excess > 0 else wait)))
        ticket = Ticket(party, cost, content, path)
        self._add(ticket)
        path[_LEAF].waiting.append(ticket)
        return ticket

    def resume(self, party: Party, cost: float, content: Content) -> Ticket[Content]:
        """Add work that was interrupted by a wait on the outside, ahead of its user's new work; never refused."""
        ticket = Ticket(party, cost, content, self._path(party))
        self._add(ticket)
        ticket.path[_LEAF].resumed.append(ticket)
        return ticket

    def start_next(self, now: float) -> Ticket[Content] | None:
        """Return a unit that has a slot from now on; None if no unit may have one."""
        share = self._next_share(self._root, 0)
        if share is None:
            return None
        ticket = (share.resumed or share.waiting).popleft()
        ticket.started_at = now
        for each in ticket.path:
            each.running += 1
            each.waiting_cost -= ticket.cost
            each.used += ticket.cost
        return ticket

    def finish(self, ticket: Ticket[Content], now: float) -> float:
        """Free the slot of a unit and return the seconds that it had it; its party is charged these."""
        seconds = now - (now if ticket.started_at is None else ticket.started_at)
        for each in ticket.path:
            each.running -= 1
            each.pending -= 1
            each.used += seconds - ticket.cost
        return seconds

    def leave(self, ticket: Ticket[Content]) -> None:
        """Remove a submitted unit that waits."""
        ticket.path[_LEAF].waiting.remove(ticket)
        for each in ticket.path:
            each.pending -= 1
            each.waiting_cost -= ticket.cost

    def _path(self, party: Party) -> "tuple[_Share[Content], ...]":
        tenant = self._root.child(party.tenant)
        key = tenant.child(party.key)
        return self._root, tenant, key, key.child(party.user)

    @staticmethod
    def _add(ticket: Ticket[Content]) -> None:
        for each in ticket.path:
            each.pending += 1
            each.waiting_cost += ticket.cost

    def _expected_wait(self, path: "tuple[_Share[Content], ...]") -> float:
        """Return the seconds until the user's waiting work has started, if all parties share from now on."""
        rate = float(self._capacity.running.total)
        for parent, child, most in zip(path, path[1:], self._capacity.running[1:], strict=False):
            others = sum(1 for busy in parent.busy() if busy is not child)
            rate = min(rate / (others + 1), most)
        return path[_LEAF].waiting_cost / rate

    def _next_share(self, share: _Share[Content], level: int) -> _Share[Content] | None:
        if share.running >= self._capacity.running[level] or share.running == share.pending:
            return None
        if level == _LEAF:
            return share
        for child in sorted(share.children.values(), key=_order):
            found = self._next_share(child, level + 1)
            if found is not None:
                return found
        return None


def _order(share: _Share[Content]) -> tuple[int, float]:
    return share.running, share.used
