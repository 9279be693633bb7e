"""Under which names this server may be addressed.

A page that a browser shows can make a name of its own resolve to 127.0.0.1 and then talk to a local server.
The browser sends that name as Host: so a name that nobody allowed is refused before anything else happens.
"""

from collections.abc import Iterable
from typing import Final
from urllib.parse import urlsplit

from groundwire.domain.errors import InvalidInput

_LOOPBACK: Final = frozenset({"127.0.0.1", "localhost", "[::1]"})


class HostAllowList:
    """The loopback names, the public address's host, and those that the operator named; any port of them."""

    def __init__(self, public_url: str, allowed_hosts: Iterable[str]) -> None:
        own = urlsplit(public_url).netloc
        named = {_name(name) for name in allowed_hosts}
        if bad := sorted(name for name in named if not name or name == "*" or "/" in name):
            raise InvalidInput(f"--allowed-host takes a host name such as groundwire.example.com, not {bad[0]!r}.")
        self._names = _LOOPBACK | named | ({_name(own)} if own else set[str]())

    def allows(self, host_headers: list[str]) -> bool:
        """Whether the request's Host is there, once, and allowed."""
        return len(host_headers) == 1 and _name(host_headers[0]) in self._names


def _name(host: str) -> str:
    """The host without its port, in lower case; an IPv6 address keeps its brackets."""
    lower = host.strip().lower()
    name, colon, port = lower.rpartition(":")
    if colon and port.isascii() and port.isdigit() and not name.endswith(":"):
        lower = name
    return lower.rstrip(".")
