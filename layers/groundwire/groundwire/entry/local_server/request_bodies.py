"""Request bodies that are kept whole: each within its bound, and all of them together."""

from collections.abc import Generator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

from groundwire.entry.local_server.fair_share import CapacityExceededError

UNCOUNTED_BYTES: Final = 65_536
"""The beginning of each body, which is not counted: senders that keep all the room must not keep out ordinary calls."""

if TYPE_CHECKING:
    from starlette.types import Receive


class ClientDisconnectedError(Exception):
    """The sender closed the connection before its body was whole."""


class BodyReservation:
    """The bytes of one body that count in its store."""

    def __init__(self, store: "BodyMemory") -> None:
        self._store = store
        self._size = 0
        self.reserved_bytes = 0

    def add(self, count: int) -> None:
        """Count more bytes of the body; Raises NoRoomError when all bodies together would be too many bytes."""
        self._size += count
        due = max(0, self._size - UNCOUNTED_BYTES) - self.reserved_bytes
        if due > 0:
            self._store.reserve(due)
            self.reserved_bytes += due

    def release(self) -> None:
        """Count none of the body's bytes any more."""
        self._store.release(self.reserved_bytes)
        self.reserved_bytes = 0


class BodyMemory:
    """Bounds what all bodies take together that wait for their rest, for a thread or for their answer."""

    def __init__(self, max_bytes: int) -> None:
        self._free_bytes = max_bytes

    @contextmanager
    def reservation(self) -> Generator[BodyReservation]:
        """Count the bytes that are added inside until the end of the block."""
        held = BodyReservation(self)
        try:
            yield held
        finally:
            held.release()

    def release(self, count: int) -> None:
        """Make room again."""
        self._free_bytes += count

    def reserve(self, count: int) -> None:
        """Take room for more bytes; Raises NoRoomError."""
        if count > self._free_bytes:
            raise CapacityExceededError
        self._free_bytes -= count


async def read_body(
    receive: "Receive", reservation: BodyReservation, max_bytes: int, max_drained_bytes: int
) -> bytes | None:
    """Reads the body; None when it has more than `max_bytes` bytes.

    What is too large is read on and forgotten, up to a bound: a sender that is cut off in the middle of its
    body sees a broken connection instead of the answer.

    Raises:
        NoRoomError: `reservation` takes no more.
        SenderGoneError: the body is not whole, so it must not count as a request.
    """
    parts: list[bytes] = []
    size = 0
    more = True
    while more and size <= max_drained_bytes:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise ClientDisconnectedError
        part: bytes = message.get("body", b"")
        size += len(part)
        if size <= max_bytes:
            reservation.add(len(part))
            parts.append(part)
        else:
            parts.clear()
            reservation.release()
        more = bool(message.get("more_body", False))
    return b"".join(parts) if size <= max_bytes else None
