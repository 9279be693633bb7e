"""Limits of one call: its deadline, and its share in the server, which it does not hold while it waits on the outside.

The deadline is the one that the egress client reads by itself, so that one limit counts for all calls. The server of
one machine sets what a call shares; elsewhere a call has its process for itself, and nothing is set.
"""

from collections.abc import Callable, Generator
from contextlib import AbstractContextManager, contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING, Protocol

from groundwire_egress.deadline import remaining_seconds, time_limit

if TYPE_CHECKING:
    from groundwire.domain.keys.fairness.work import Work

__all__ = [
    "CallShare",
    "background",
    "background_pause",
    "beside",
    "outside",
    "remaining_seconds",
    "sharing",
    "time_limit",
    "waiting",
]


class CallShare(Protocol):
    """Share of one call in its server."""

    def outside(self, work: "Work") -> AbstractContextManager[None]:
        """Wait for a place among the calls to the outside, and have it for the block; the slot is free meanwhile.

        Raises:
            LimitExceeded: too many calls of the party wait already.
        """
        ...

    def waiting(self) -> AbstractContextManager[None]:
        """Free the slot for the block, which waits for other threads of the call."""
        ...

    def beside(self) -> "CallShare":
        """Return the share for another thread of the call, which holds no slot."""
        ...


_SHARE: ContextVar[CallShare | None] = ContextVar("groundwire_call_share", default=None)
_PAUSE: ContextVar[Callable[[], None] | None] = ContextVar("groundwire_background_pause", default=None)


@contextmanager
def background(pause: Callable[[], None]) -> Generator[None]:
    """Run the block as work for which nobody waits; `pause` returns when calls have passed, or after a limit."""
    token = _PAUSE.set(pause)
    try:
        yield
    finally:
        _PAUSE.reset(token)


def background_pause() -> Callable[[], None] | None:
    """Return the pause to make between two short steps of work in the background; None for work of a call."""
    return _PAUSE.get()


@contextmanager
def sharing(share: CallShare) -> Generator[None]:
    """Set the share of the call that the block runs."""
    token = _SHARE.set(share)
    try:
        yield
    finally:
        _SHARE.reset(token)


@contextmanager
def outside(work: "Work") -> Generator[None]:
    """Run the block, a request to another system, within the shares of its callers.

    Raises:
        LimitExceeded: too many calls of the party wait already.
    """
    share = _SHARE.get()
    if share is None:
        yield
        return
    with share.outside(work):
        yield


@contextmanager
def waiting() -> Generator[None]:
    """Run the block, which waits for other threads of the call, without a slot."""
    share = _SHARE.get()
    if share is None:
        yield
        return
    with share.waiting():
        yield


@contextmanager
def beside() -> Generator[None]:
    """Run the block, in which the context for another thread of the call is copied."""
    share = _SHARE.get()
    if share is None:
        yield
        return
    with sharing(share.beside()):
        yield
