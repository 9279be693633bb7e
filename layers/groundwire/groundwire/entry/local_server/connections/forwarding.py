"""Addresses of callers behind a proxy of the operator, which names them in `Forwarded` or `X-Forwarded-For`."""

import re
from collections.abc import Iterable
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from typing import Final

_HOP: Final = re.compile(
    r"\s*\"?(?:\[(?P<bracketed>[0-9a-fA-F:.]+)\]|(?P<four>\d+\.\d+\.\d+\.\d+)|(?P<six>[0-9a-fA-F:.]+))(?::\d+)?\"?\s*"
)
_FOR: Final = re.compile(r"(?:^|;)\s*for=([^;]*)", re.IGNORECASE)


class TrustedProxies:
    """Networks of proxies whose headers name the caller's address; from any other peer no such header is read.

    Args:
        texts: addresses or networks, as the settings have them; without one, no header of any peer counts.
    """

    def __init__(self, texts: Iterable[str]) -> None:
        self._networks = [ip_network(text, strict=False) for text in texts]

    def bounds(self, peer: str) -> bool:
        """Return whether connections of a peer have a bound: one of this machine or a proxy has many callers."""
        address = _parsed(peer)
        return address is not None and not address.is_loopback and not self._has(address)

    def caller_of(self, peer: str, headers: Iterable[tuple[bytes, bytes]]) -> str:
        """Return the address of the last hop that is no trusted proxy; the peer's if no header names one.

        A proxy writes one of the two headers and passes the other on as the client sent it, so headers that name
        different hops count as none.
        """
        address = _parsed(peer) if self._networks else None
        if address is None or not self._has(address):
            return peer
        named = {
            self._last_untrusted(name, b",".join(value for each, value in headers if each == name).decode("latin-1"))
            for name in {name for name, _ in headers} & {b"forwarded", b"x-forwarded-for"}
        }
        [hop] = named if len(named) == 1 else [None]
        return peer if hop is None else str(hop)

    def _last_untrusted(self, name: bytes, hops: str) -> IPv4Address | IPv6Address | None:
        # From the end, since clients write whatever they like before what the proxies add.
        for hop in reversed(hops.split(",")):
            node = hop
            if name == b"forwarded":
                found = _FOR.search(hop)
                node = "" if found is None else found[1]
            match = _HOP.fullmatch(node)
            address = None if match is None else _parsed(match["bracketed"] or match["four"] or match["six"])
            if address is None or not self._has(address):
                return address
        return None

    def _has(self, address: IPv4Address | IPv6Address) -> bool:
        return any(address in network for network in self._networks)


NO_PROXIES: Final = TrustedProxies(())


def _parsed(text: str) -> IPv4Address | IPv6Address | None:
    try:
        address = ip_address(text.partition("%")[0])
    except ValueError:
        return None
    return (address.ipv4_mapped or address) if isinstance(address, IPv6Address) else address
