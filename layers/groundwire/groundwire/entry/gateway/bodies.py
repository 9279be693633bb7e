"""Request bodies that are kept whole: each within its bound, and all of them together."""

from collections.abc import Generator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

from groundwire.entry.gateway.shares import NoRoomError

SMALL_BODY_BYTES: Final = 65_536
"""The beginning of each body, which is not counted: senders that keep all the room must not keep out ordinary calls."""

if TYPE_CHECKING:
    from starlette.types import Receive


class SenderGoneError(Exception):
    """The sender closed the connection before its body was whole."""


class HeldBytes:
    """The bytes of one body that count in its store."""

    def __init__(self, store: "BodyStore") -> None:
        self._store = store
        self._size = 0
        self.count = 0

    def add(self, count: int) -> None:
        """Count more bytes of the body; Raises NoRoomError when all bodies together would be too many bytes."""
        self._size += count
        due = max(0, self._size - SMALL_BODY_BYTES) - self.count
        if due > 0:
            self._store.take(due)
            self.count += due

    def give_back(self) -> None:
        """Count none of the body's bytes any more."""
        self._store.put_back(self.count)
        self.count = 0


class BodyStore:
    """Bounds what all bodies take together that wait for their rest, for a thread or for their answer."""

    def __init__(self, most: int) -> None:
        self._free = most

    @contextmanager
    def holding(self) -> Generator[HeldBytes]:
        """Count the bytes that are added inside until the end of the block."""
        held = HeldBytes(self)
        try:
            yield held
        finally:
            held.give_back()

    def put_back(self, count: int) -> None:
        """Make room again."""
        self._free += count

    def take(self, count: int) -> None:
        """Take room for more bytes; Raises NoRoomError."""
        if count > self._free:
            raise NoRoomError
        self._free -= count


async def read_body(receive: "Receive", held: HeldBytes, most: int, most_drained: int) -> bytes | None:
    """Reads the body; None when it has more than `most` bytes.

    What is too large is read on and forgotten, up to a bound: a sender that is cut off in the middle of its
    body sees a broken connection instead of the answer.

    Raises:
        NoRoomError: `held` takes no more.
        SenderGoneError: the body is not whole, so it must not count as a request.
    """
    parts: list[bytes] = []
    size = 0
    more = True
    while more and size <= most_drained:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise SenderGoneError
        part: bytes = message.get("body", b"")
        size += len(part)
        if size <= most:
            held.add(len(part))
            parts.append(part)
        else:
            parts.clear()
            held.give_back()
        more = bool(message.get("more_body", False))
    return b"".join(parts) if size <= most else None
