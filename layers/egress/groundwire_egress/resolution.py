"""Name resolution with a time limit: the system's resolver has none of its own."""

import socket
from collections.abc import Callable, Sequence
from typing import Final

from groundwire_egress.bounded_calls import BoundedCalls
from groundwire_egress.messages import EgressError

Resolve = Callable[[str, int], Sequence[str]]
"""Function that returns the addresses of a host for a port, in the order in which they are tried."""

_CALLS: Final = BoundedCalls("resolve", most_pending=16, errors=(OSError, UnicodeError))
"""Pending resolutions; UnicodeError is that of a label which is too long."""


def system_addresses(host: str, port: int) -> list[str]:
    """Return the addresses that the system knows.

    It also reads numbers in every spelling that the C library takes, such as 2130706433 and 0x7f.1 for 127.0.0.1, so
    that the check of addresses sees what would be called.

    Raises:
        OSError: there are none.
    """
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, proto=socket.IPPROTO_TCP)
    return [str(address[0]) for *_, address in found]


def resolve_within(resolve: Resolve, host: str, port: int, seconds: float) -> list[str]:
    """Return the addresses, each once.

    Raises:
        TimeoutError: the resolver does not answer in time.
        EgressError: the host has no address, or too many earlier calls of the resolver have not ended.
    """
    try:
        return list(dict.fromkeys(_CALLS.run(lambda: resolve(host, port), seconds)))
    except TimeoutError:
        raise
    except (OSError, UnicodeError) as error:
        raise EgressError("The host name has no address.") from error
