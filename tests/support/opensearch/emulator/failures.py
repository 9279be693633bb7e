"""What can go wrong between a client and the service, on demand."""

from collections import deque
from dataclasses import dataclass
from enum import Enum, auto
from threading import Lock

from tests.support.opensearch.emulator.http.messages import Request


class Kind(Enum):
    """What happens to a request."""

    REFUSED = auto()
    """It is answered with a status, and not done."""

    LOST = auto()
    """The connection is cut before it is done."""

    CUT = auto()
    """The connection is cut when one half of it is done, or one half of its answer is sent."""

    UNHEARD = auto()
    """It is done, and the connection is cut before the answer."""

    HALF_REFUSED = auto()
    """Every second action of a bulk is answered with 429, and not done."""

    HELD = auto()
    """It is done and answered when the clock has moved by that many seconds."""

    TIMED_OUT = auto()
    """The answer contains what the shards had by then, and is marked as timed out."""

    SHARD_FAILED = auto()
    """The answer lacks the results of a shard, and is marked accordingly."""


@dataclass(frozen=True, slots=True)
class Failure:
    """One that awaits its request.

    Attributes:
        amount: status or seconds.
    """

    kind: Kind
    operation: str
    amount: float = 0


class Cut(Exception):
    """The connection ends here, after these bytes of the answer."""

    def __init__(self, sent: bytes = b"") -> None:
        super().__init__("the connection was cut")
        self.sent = sent


class Failures:
    """Those that the next requests meet, each one once."""

    def __init__(self) -> None:
        self._awaiting: deque[Failure] = deque()
        self._lock = Lock()

    def add(self, kind: Kind, operation: str, amount: float = 0, *, times: int = 1) -> None:
        """The next `times` requests of the operation, such as "_bulk", meet it."""
        with self._lock:
            self._awaiting.extend([Failure(kind, operation, amount)] * times)

    def clear(self) -> None:
        """All is well."""
        with self._lock:
            self._awaiting.clear()

    def take(self, request: Request) -> Failure | None:
        """The one that this request meets."""
        with self._lock:
            for failure in self._awaiting:
                if failure.operation == request.operation:
                    self._awaiting.remove(failure)
                    return failure
        return None
