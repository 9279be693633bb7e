"""Request bodies that are kept whole: each within its bound, and all of them together."""

from collections.abc import Generator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from groundwire.entry.gateway.shares import NoRoomError

if TYPE_CHECKING:
    from starlette.types import Receive


class HeldBytes:
    """The bytes of one body that count in its store."""

    def __init__(self, store: "BodyStore") -> None:
        self._store = store
        self.count = 0

    def add(self, count: int) -> None:
        """Raises NoRoomError when all bodies together would be too many bytes."""
        self._store.take(count)
        self.count += count


class BodyStore:
    """Bounds what all bodies take together that wait for their rest, for a thread or for their answer."""

    def __init__(self, most: int) -> None:
        self._free = most

    @contextmanager
    def holding(self) -> Generator[HeldBytes]:
        """What is added inside counts until the end of the block."""
        held = HeldBytes(self)
        try:
            yield held
        finally:
            self._free += held.count

    def take(self, count: int) -> None:
        """Raises NoRoomError."""
        if count > self._free:
            raise NoRoomError
        self._free -= count


async def read_body(receive: "Receive", held: HeldBytes, most: int, most_drained: int) -> bytes | None:
    """Reads the body; None when it has more than `most` bytes.

    What is too large is read on and forgotten, up to a bound: a sender that is cut off in the middle of its
    body sees a broken connection instead of the answer.

    Raises:
        NoRoomError: `held` takes no more.
    """
    parts: list[bytes] = []
    size = 0
    more = True
    while more and size <= most_drained:
        message = await receive()
        part: bytes = message.get("body", b"")
        size += len(part)
        if size <= most:
            held.add(len(part))
            parts.append(part)
        more = bool(message.get("more_body", False))
    return b"".join(parts) if size <= most else None
