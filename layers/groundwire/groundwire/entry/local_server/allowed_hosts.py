"""Host names that requests may use, as a defence against DNS rebinding.

A page in a browser can make its own host name resolve to 127.0.0.1 and then send requests to a local server. The
browser sends that name as Host, so the server rejects unknown names first.
"""

from collections.abc import Iterable
from typing import Final
from urllib.parse import urlsplit

from groundwire.domain.errors import InvalidInput

_LOOPBACK: Final = frozenset({"127.0.0.1", "localhost", "[::1]"})


class HostAllowList:
    """The loopback names, the public URL's host, and the operator's names, with any port."""

    def __init__(self, public_url: str, allowed_hosts: Iterable[str]) -> None:
        public_host = urlsplit(public_url).netloc
        operator_names = {_name(name) for name in allowed_hosts}
        if invalid := sorted(name for name in operator_names if not name or name == "*" or "/" in name):
            raise InvalidInput(f"--allowed-host takes a host name such as groundwire.example.com, not {invalid[0]!r}.")
        self._names = _LOOPBACK | operator_names | ({_name(public_host)} if public_host else set[str]())

    def allows(self, host_headers: list[str]) -> bool:
        """Return whether there is exactly one Host header and its name is allowed."""
        return len(host_headers) == 1 and _name(host_headers[0]) in self._names


def _name(host: str) -> str:
    """Return the host without its port, in lower case; an IPv6 address keeps its brackets."""
    lower = host.strip().lower()
    name, colon, port = lower.rpartition(":")
    if colon and port.isascii() and port.isdigit() and not name.endswith(":"):
        lower = name
    # A name with the dot of the root at its end means the same host.
    return lower.rstrip(".")
