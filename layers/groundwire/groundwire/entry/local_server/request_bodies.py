"""Buffered request bodies with a limit for each, one for those of an address, and one for all."""

from collections import Counter
from collections.abc import Generator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

from groundwire.domain.errors import DomainError
from groundwire.entry.local_server.fair_share import CapacityExceededError

UNCOUNTED_BYTES: Final = 65_536
"""Bytes at the start of each body that do not count: senders that use up the limit do not block small calls."""

if TYPE_CHECKING:
    from starlette.types import Receive


class ClientDisconnectedError(DomainError):
    """An error for a sender that closed the connection before the end of its body."""


class BodyReservation:
    """The counted bytes of one body."""

    def __init__(self, store: "BodyMemory", network: str) -> None:
        self._store = store
        self._network = network
        self._size = 0
        self.reserved_bytes = 0

    def add(self, count: int) -> None:
        """Count more bytes of the body.

        Raises:
            CapacityExceededError: all bodies, or those of the sender's address, would exceed their limit.
        """
        self._size += count
        missing = max(0, self._size - UNCOUNTED_BYTES) - self.reserved_bytes
        if missing > 0:
            self._store.reserve(self._network, missing)
            self.reserved_bytes += missing

    def release(self) -> None:
        """Stop counting the body's bytes."""
        self._store.release(self._network, self.reserved_bytes)
        self.reserved_bytes = 0


class BodyMemory:
    """Limit for all bodies that are being received, wait for a thread, or wait for their response.

    An address has at most a half: its slow senders leave room for the bodies of others.
    """

    def __init__(self, max_bytes: int) -> None:
        self._free_bytes = max_bytes
        self._max_network_bytes = max_bytes // 2
        self._network_bytes: Counter[str] = Counter()

    @contextmanager
    def reservation(self, network: str) -> Generator[BodyReservation]:
        """Yield a reservation for a sender of this address, whose bytes count until the end of the block."""
        reservation = BodyReservation(self, network)
        try:
            yield reservation
        finally:
            reservation.release()

    def release(self, network: str, count: int) -> None:
        """Return bytes to the limits."""
        self._free_bytes += count
        self._network_bytes[network] -= count
        # Addresses without bytes are dropped: there are too many to keep.
        if not self._network_bytes[network]:
            del self._network_bytes[network]

    def reserve(self, network: str, count: int) -> None:
        """Take bytes from the limits.

        Raises:
            CapacityExceededError: not enough bytes are free.
        """
        if count > min(self._free_bytes, self._max_network_bytes - self._network_bytes[network]):
            raise CapacityExceededError
        self._free_bytes -= count
        self._network_bytes[network] += count


async def read_body(
    receive: "Receive", reservation: BodyReservation, max_bytes: int, max_drained_bytes: int
) -> bytes | None:
    """Return the body; None when it has more than `max_bytes` bytes.

    The rest of a body that is too large is read and dropped, up to `max_drained_bytes`: a sender that is cut off in the
    middle of its body sees a broken connection instead of the response.

    Raises:
        CapacityExceededError: `reservation` takes no more bytes.
        ClientDisconnectedError: the body is incomplete, so it must not count as a request.
    """
    chunks: list[bytes] = []
    size = 0
    more = True
    while more and size <= max_drained_bytes:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise ClientDisconnectedError
        chunk: bytes = message.get("body", b"")
        size += len(chunk)
        if size <= max_bytes:
            reservation.add(len(chunk))
            chunks.append(chunk)
        else:
            chunks.clear()
            reservation.release()
        more = bool(message.get("more_body", False))
    return b"".join(chunks) if size <= max_bytes else None
