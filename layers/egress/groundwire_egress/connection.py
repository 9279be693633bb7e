"""Sockets with a deadline and a bound on received bytes, connected to one address that was checked."""

import socket
import ssl
import time
from collections.abc import Sequence
from contextlib import ExitStack, suppress
from typing import TYPE_CHECKING, Final, cast

from groundwire_egress.messages import EgressError

if TYPE_CHECKING:
    from typing_extensions import Buffer

    from groundwire_egress.destinations import Destination

_CONNECT_SECONDS: Final = 2.0
"""Longest attempt at one address where the host has others."""


class CallBudget:
    """Time and bytes that are left for a call; raises where one of them is used up.

    Args:
        whole: budget of which this one is a part: it counts as well.

    Attributes:
        ends_at: monotonic seconds.
    """

    def __init__(self, seconds: float, received_bytes: int, whole: "CallBudget | None" = None) -> None:
        ends_at = time.monotonic() + seconds
        self._whole = whole
        self.ends_at = ends_at if whole is None else min(ends_at, whole.ends_at)
        self._bytes_left = received_bytes

    @property
    def bytes_left(self) -> int:
        """The bytes that may still be received."""
        return self._bytes_left if self._whole is None else min(self._bytes_left, self._whole.bytes_left)

    def shorten(self, seconds: float) -> None:
        """End the budget after this time, if it does not end before."""
        self.ends_at = min(self.ends_at, time.monotonic() + seconds)

    def phase(self, seconds: float | None) -> "CallBudget":
        """Return a part of this time and all bytes; None: all of the time."""
        return self if seconds is None else CallBudget(seconds, self._bytes_left, self)

    def seconds_left(self) -> float:
        """Return the time that is left.

        Raises:
            TimeoutError: there is none.
        """
        left = self.ends_at - time.monotonic()
        if left <= 0:
            raise TimeoutError
        return left

    def count(self, received: int) -> None:
        """Count received bytes.

        Raises:
            ResponseTooLarge: there are more than the limit.
        """
        self._bytes_left -= received
        if self._bytes_left < 0:
            raise ResponseTooLarge("The response is too large.")
        if self._whole is not None:
            self._whole.count(received)


class ResponseTooLarge(EgressError):
    """Error for a response with more bytes than its limit."""


class BudgetedSocket(socket.socket):
    """Socket whose every wait ends with the budget: a timeout of its own would restart with each byte."""

    budget: CallBudget | None = None

    def recv_into(self, buffer: "Buffer", nbytes: int | None = None, flags: int = 0) -> int:  # pyright: ignore[reportIncompatibleMethodOverride] - typeshed has positional parameters
        """Receive; the budget counts the bytes."""
        if self.budget is not None:
            self.settimeout(self.budget.seconds_left())
        received = super().recv_into(buffer, nbytes or 0, flags)
        if self.budget is not None:
            self.budget.count(received)
        return received

    def send(self, data: "Buffer", flags: int = 0) -> int:  # pyright: ignore[reportIncompatibleMethodOverride] - typeshed has positional parameters
        """Send what the peer takes in time."""
        if self.budget is not None:
            self.settimeout(self.budget.seconds_left())
        return super().send(data, flags)

    def sendall(self, data: "Buffer", flags: int = 0) -> None:  # pyright: ignore[reportIncompatibleMethodOverride] - typeshed has positional parameters
        """Send everything, each part within the budget."""
        # The C implementation of `sendall` calls a `send` of its own, past the budget.
        rest = memoryview(data).cast("B")
        while rest:
            rest = rest[self.send(rest, flags) :]


class _BudgetedTlsSocket(BudgetedSocket, ssl.SSLSocket):
    """The same over TLS; OpenSSL's own waits in one operation have its timeout as a whole."""


def tls_context(ca_file: str | None) -> ssl.SSLContext:
    """Return the rules of TLS: certificates of the system's store, and of `ca_file` as well.

    Raises:
        OSError: the file cannot be read, or holds no certificate.
    """
    context = ssl.create_default_context()
    if ca_file is not None:
        context.load_verify_locations(ca_file)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    context.sslsocket_class = _BudgetedTlsSocket
    return context


def connect(
    destination: "Destination", addresses: Sequence[str], budget: CallBudget, context: ssl.SSLContext | None
) -> BudgetedSocket:
    """Return a socket to the first address that answers; over TLS, the certificate must be of the destination's host.

    The addresses are numbers, so nothing is resolved again.

    Raises:
        OSError: no address answers, or the certificate is not valid.
    """
    connected = _connect_first(addresses, destination.port, budget)
    if context is None:
        return connected
    with ExitStack() as half_open:
        # Nobody else could close the socket: an error leaves this function without it.
        half_open.callback(connected.close)
        connected.settimeout(budget.seconds_left())
        secured = cast("_BudgetedTlsSocket", context.wrap_socket(connected, server_hostname=destination.host))
        half_open.pop_all()
    secured.budget = budget
    return secured


def _connect_first(addresses: Sequence[str], port: int, budget: CallBudget) -> BudgetedSocket:
    for address in addresses[:-1]:
        with suppress(OSError):
            # An address may swallow packets, such as IPv6 without a route: half of the time stays for the others.
            return _connect_one(address, port, budget, min(_CONNECT_SECONDS, budget.seconds_left() / 2))
    return _connect_one(addresses[-1], port, budget, budget.seconds_left())


def _connect_one(address: str, port: int, budget: CallBudget, seconds: float) -> BudgetedSocket:
    connection = BudgetedSocket(socket.AF_INET6 if ":" in address else socket.AF_INET, socket.SOCK_STREAM)
    with ExitStack() as half_open:
        half_open.callback(connection.close)
        connection.settimeout(seconds)
        # The header and the body of a request are two writes: the second must not wait for the peer's acknowledgement.
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        connection.connect((address, port))
        half_open.pop_all()
    connection.budget = budget
    return connection
