"""Kinds of work that wait for a share, with their least costs and the capacity of each queue."""

import re
import sys
from enum import StrEnum
from threading import Lock
from typing import Final, NamedTuple
from urllib.parse import unquote

from groundwire.domain import limits


class Work(StrEnum):
    """Kind of work."""

    CALL = "call"
    PHRASES = "phrases"
    EVALUATION = "evaluation"
    EXPORT = "export"
    LINK = "link"
    CONTROL = "control"
    AUTHORIZATION = "authorization"
    SOURCE = "source"
    PLANNER = "planner"
    UPLOAD = "upload"
    FILE = "file"


_CHANGES_OF_RIGHTS: Final = re.compile(
    r"DELETE /v1/(keys|documents|collections|users|groups|session)\b.*"
    r"|PUT /v1/(documents/[^/]+/policy|groups/.*|users/.*)"
    r"|POST /v1/users/(un)?(block|offboard)|POST /v1/keys/[^/]+/rotate|PATCH /v1/(keys|users)/.*"
    r"|POST /v1/documents/[^/]+/close"
)
"""Requests that end or narrow rights: they pass neither the queue of calls nor the rate of their tenant."""
_OTHER_KINDS: Final = (
    (re.compile(r"(GET|HEAD) /(o|open)/[^/]+"), Work.LINK),
    (re.compile(r"POST /v1/(evaluations|search/dialects)"), Work.EVALUATION),
    (re.compile(r"GET /v1/(audit|usage)\b.*"), Work.EXPORT),
    # Paths of the REST API without phrases come first; tools and searches of all dialects are posted to the others.
    (re.compile(r"[A-Z]+ /v1/(?!search$|projects/).*"), Work.CALL),
    (re.compile(r"POST .*"), Work.PHRASES),
)


def changes_rights(method: str, raw_path: str) -> bool:
    """Return whether a request ends or narrows rights, however its path is encoded."""
    return _CHANGES_OF_RIGHTS.fullmatch(f"{method} {unquote(raw_path)}") is not None


def work_of(method: str, raw_path: str) -> Work:
    """Return the kind of a request's work."""
    if changes_rights(method, raw_path):
        return Work.CONTROL
    request = f"{method} {unquote(raw_path)}"
    return next((work for pattern, work in _OTHER_KINDS if pattern.fullmatch(request)), Work.CALL)


MIN_SLOTS: Final = 8
SLOTS_PER_PROCESSOR: Final = 4
"""Calls that compute at a time. One user has an eighth, so that a burst of one leaves processors to the others."""
MAX_PENDING_CALLS: Final = 256
CONTROL_SLOTS: Final = 8
"""Changes that end or narrow rights, at a time: they wait for no search."""
AUTHORIZATION_SLOTS: Final = 8
OUTSIDE_PLACES: Final = 32
"""Calls to sources and planners at a time."""
MAX_PENDING_OUTSIDE: Final = 96
FILES_AT_ONCE: Final = 2
"""Uploaded files that are processed at a time: one of each tenant, so that no file delays those of all others."""
BACKGROUND_PAUSE_MS: Final = 200
"""Longest time for which a step of a file lets calls pass; a step takes 50 ms, so files go on beside steady calls."""
SMALL_FILE_BYTES: Final = 100_000
"""Size up to which a file shares the time of its tenant with larger ones, instead of waiting for all of them."""
MAX_WAIT_SECONDS: Final = 10
"""A third of the time in which a call must be answered, and less than any client waits."""


class Levels(NamedTuple):
    """Numbers for a whole queue, and for one tenant, one key and one user in it."""

    total: int
    tenant: int
    key: int
    user: int

    @classmethod
    def halved(cls, total: int) -> "Levels":
        """Return numbers of which each level has half of the one above, and at least 1.

        Half is free for others at each level, so that nobody waits for all work of one party to end.
        """
        return cls(total, max(1, total // 2), max(1, total // 4), max(1, total // 8))


class Capacity(NamedTuple):
    """Limits of one queue.

    Attributes:
        running: units of work that run at a time.
        pending: units that run or wait.
        seconds: expected wait beyond which work is refused, with the time after which it would be admitted.
    """

    running: Levels
    pending: Levels
    seconds: float

    @classmethod
    def halved(cls, running: int, pending: int) -> "Capacity":
        """Return a capacity of which each level has half of the one above."""
        return cls(Levels.halved(running), Levels.halved(pending), MAX_WAIT_SECONDS)


_TENANT_FORMS: Final = limits.MAX_CONCURRENT_UPLOAD_FORMS // 2
_FORMS: Final = Levels(limits.MAX_CONCURRENT_UPLOAD_FORMS, _TENANT_FORMS, _TENANT_FORMS, _TENANT_FORMS)
UPLOADS: Final = Capacity(_FORMS, _FORMS, MAX_WAIT_SECONDS)
_TENANT_JOINS: Final = Levels(sys.maxsize, limits.MAX_JOINED_CALLS, limits.MAX_JOINED_CALLS, limits.MAX_JOINED_CALLS)
JOINS: Final = Capacity(_TENANT_JOINS, _TENANT_JOINS, float("inf"))
"""Calls for joined answers: beyond them a search has its own answer, so none waits for those of its tenant."""
FILES: Final = Capacity(
    Levels(FILES_AT_ONCE, 1, 1, 1), Levels(sys.maxsize, sys.maxsize, sys.maxsize, sys.maxsize), float("inf")
)
"""Files wait as long as they must: what was received is processed, if need be after the next start."""

LEAST_SECONDS: Final[dict[Work, float]] = {
    Work.CALL: 0.02,
    Work.PHRASES: 0.02,
    Work.EVALUATION: 2.0,
    Work.EXPORT: 0.5,
    Work.LINK: 0.1,
    Work.CONTROL: 0.02,
    Work.AUTHORIZATION: 0.002,
    Work.SOURCE: 0.5,
    Work.PLANNER: 1.0,
    Work.UPLOAD: 1.0,
    Work.FILE: 0.5,
}
"""Cost of a unit that is not known better, in seconds of a slot."""
_BYTES_PER_SECOND: Final[dict[Work, float]] = {
    Work.CALL: 500_000.0,
    Work.PHRASES: 30_000.0,
    # Each of its questions is a search.
    Work.EVALUATION: 2_000.0,
    Work.FILE: 50_000.0,
}
"""Bytes whose processing takes a second of a slot, as a rough measure."""
_MAX_REMEMBERED: Final = 4_096


class CostMemory:
    """Seconds of the last work like it: the same kind by the same party, on the same route."""

    def __init__(self) -> None:
        self._seconds: dict[tuple[object, ...], float] = {}
        # Two threads that remove the same oldest entry would make an answered call an error.
        self._lock = Lock()

    def estimate(self, work: Work, like: tuple[object, ...], size: int = 0) -> float:
        """Return the expected cost in seconds; `size` counts bytes."""
        by_size = size / _BYTES_PER_SECOND[work] if work in _BYTES_PER_SECOND else 0.0
        return max(LEAST_SECONDS[work], by_size, self._seconds.get((work, *like), 0.0))

    def record(self, work: Work, like: tuple[object, ...], seconds: float) -> None:
        """Remember the measured seconds, in place of the oldest ones if there are too many."""
        with self._lock:
            self._seconds.pop((work, *like), None)
            self._seconds[work, *like] = seconds
            if len(self._seconds) > _MAX_REMEMBERED:
                del self._seconds[next(iter(self._seconds))]
