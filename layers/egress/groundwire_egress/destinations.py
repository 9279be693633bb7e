"""Destinations of calls: the host and port of a URL, and which of them may be called.

Port 443 of public addresses is open to every call. Another port, or a private address, needs an entry of the operator.
"""

import re
from collections.abc import Sequence
from typing import Final, NamedTuple
from urllib.parse import urlsplit

from groundwire_egress.addresses import AddressClass, address_class
from groundwire_egress.messages import EgressRefused

HTTPS_PORT: Final = 443
_HTTP_PORT: Final = 80
_HTTPS: Final = "https"
_HTTP: Final = "http"
_NAME: Final = re.compile(r"[a-z0-9_](?:[a-z0-9_.-]{0,251}[a-z0-9_])?")
_IPV6: Final = re.compile(r"[0-9a-f:.]{2,45}")
# Some readers of URLs take a backslash for a slash: they would see another host than this one.
_UNSAFE: Final = re.compile(r"[^\x21-\x7e]|\\")
_LOOPBACK_HOSTS: Final = frozenset({"localhost", "127.0.0.1", "::1"})
MAX_URL_CHARACTERS: Final = 2_048


class Destination(NamedTuple):
    """Target of a request.

    Attributes:
        host: in lower case, without brackets. target: path and query.
    """

    is_tls: bool
    host: str
    port: int
    target: str

    @property
    def origin(self) -> tuple[bool, str, int]:
        """Scheme, host and port."""
        return self.is_tls, self.host, self.port


class AllowedHosts(NamedTuple):
    """Hosts with a port that the operator allows: at private addresses, at other ports than 443.

    Plain HTTP is possible for the machine itself alone, and only where it is listed. An address that gives credentials
    of the machine, or that no host has, stays refused.
    """

    entries: frozenset[tuple[str, int]]

    def check(self, destination: Destination) -> None:
        """Check scheme and port.

        Raises:
            EgressRefused: the destination must not be called.
        """
        is_listed = (destination.host, destination.port) in self.entries
        if not destination.is_tls and not (is_listed and destination.host in _LOOPBACK_HOSTS):
            raise EgressRefused("This server calls only https addresses.")
        if destination.port != HTTPS_PORT and not is_listed:
            raise EgressRefused(f"This server calls only port {HTTPS_PORT} of other hosts.", is_allowable=True)

    def check_addresses(self, destination: Destination, addresses: Sequence[str]) -> None:
        """Check all addresses of the host; a single one that must not be called refuses the call.

        Raises:
            EgressRefused: the host has no address, or one that must not be called.
        """
        allowed = {AddressClass.PUBLIC}
        if (destination.host, destination.port) in self.entries:
            allowed.add(AddressClass.PRIVATE)
        classes = {address_class(each) for each in addresses}
        if not classes or not classes <= allowed:
            raise EgressRefused("The host has no public address.", is_allowable=True)


def parse_destination(url: str) -> Destination:
    """Return the destination of a URL.

    Raises:
        EgressRefused: it is not the absolute http or https URL of a host, or has a user or a fragment.
    """
    destination = None
    if len(url) <= MAX_URL_CHARACTERS and not _UNSAFE.search(url):
        try:
            destination = _parse(url)
        except ValueError:
            destination = None
    if destination is None:
        raise EgressRefused("This URL cannot be called: use https://host/path.")
    return destination


def _parse(url: str) -> Destination | None:
    parts = urlsplit(url)
    host = parts.hostname or ""
    pattern = _IPV6 if parts.netloc.startswith("[") else _NAME
    # `https://known.example@other.example/` looks like a call of the first host and is one of the second.
    if parts.scheme not in {_HTTPS, _HTTP} or "@" in parts.netloc or not pattern.fullmatch(host) or "#" in url:
        return None
    port = parts.port if parts.port is not None else HTTPS_PORT if parts.scheme == _HTTPS else _HTTP_PORT
    if port == 0:
        return None
    query = f"?{parts.query}" if parts.query else ""
    return Destination(parts.scheme == _HTTPS, host, port, (parts.path or "/") + query)
