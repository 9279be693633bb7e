"""Classes of IP addresses: public ones, private ones that an operator can allow, and all others.

The lists follow IANA's registries of special-purpose addresses. `ipaddress.is_global` is not used: it differs between
versions of Python, and takes forms that embed a private IPv4 address for public ones.
"""

from collections.abc import Sequence
from enum import Enum, auto
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address
from typing import Final


class AddressClass(Enum):
    """Class of an address: public, private (with the machine's own), or never called."""

    PUBLIC = auto()
    PRIVATE = auto()
    FORBIDDEN = auto()


_METADATA: Final = frozenset(
    map(
        ip_address,
        (
            *("169.254.169.254", "169.254.170.2", "fd00:ec2::254", "fd00:ec2::23"),
            *("168.63.129.16", "100.100.100.200", "192.0.0.192", "fd20:ce::254"),
        ),
    )
)
"""Services that give a machine its credentials: of AWS, Azure, Alibaba Cloud, Oracle Cloud, Google Cloud."""
_PRIVATE_V4: Final = tuple(
    # 100.64.0.0/10 is shared address space (RFC 6598), which clouds and carriers use like private addresses.
    map(IPv4Network, ("10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16"))
)
_PRIVATE_V6: Final = tuple(map(IPv6Network, ("::1/128", "fc00::/7")))
_FORBIDDEN_V4: Final = tuple(
    map(
        IPv4Network,
        (
            *("0.0.0.0/8", "169.254.0.0/16", "192.0.0.0/24", "192.0.2.0/24", "192.31.196.0/24", "192.52.193.0/24"),
            *("192.88.99.0/24", "192.175.48.0/24", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24"),
            *("224.0.0.0/4", "240.0.0.0/4"),
        ),
    )
)
# IANA assigns global unicast addresses from this block alone.
_GLOBAL_V6: Final = IPv6Network("2000::/3")
_FORBIDDEN_V6: Final = tuple(
    map(
        IPv6Network,
        # Protocol assignments with Teredo, documentation, 6to4, direct delegation, documentation.
        ("2001::/23", "2001:db8::/32", "2002::/16", "2620:4f:8000::/48", "3fff::/20"),
    )
)
_ISATAP: Final = frozenset({0x00005EFE, 0x02005EFE})
"""Upper half of an interface id that embeds an IPv4 address (RFC 5214)."""


def address_class(text: str) -> AddressClass:
    """Return the class of an address; other texts are forbidden, and so is an address with a zone.

    IPv6 addresses outside of 2000::/3 are not public. Mapped, compatible and NAT64 forms of IPv4 are among them.
    """
    try:
        address = ip_address(text)
    except ValueError:
        return AddressClass.FORBIDDEN
    # First, since some of these addresses are in private networks, which an operator can allow.
    if address in _METADATA:
        return AddressClass.FORBIDDEN
    return _class_of_v4(address) if isinstance(address, IPv4Address) else _class_of_v6(address)


def _class_of_v4(address: IPv4Address) -> AddressClass:
    if _is_in(address, _PRIVATE_V4):
        return AddressClass.PRIVATE
    return AddressClass.FORBIDDEN if _is_in(address, _FORBIDDEN_V4) else AddressClass.PUBLIC


def _class_of_v6(address: IPv6Address) -> AddressClass:
    # A zone selects an interface of this machine; no public address needs one.
    if address.scope_id is not None:
        return AddressClass.FORBIDDEN
    if _is_in(address, _PRIVATE_V6):
        return AddressClass.PRIVATE
    is_public = address in _GLOBAL_V6 and not _is_in(address, _FORBIDDEN_V6)
    return AddressClass.PUBLIC if is_public and not _embeds_ipv4(address) else AddressClass.FORBIDDEN


def _is_in(address: IPv4Address | IPv6Address, networks: Sequence[IPv4Network] | Sequence[IPv6Network]) -> bool:
    return any(address in network for network in networks)


def _embeds_ipv4(address: IPv6Address) -> bool:
    return (int(address) >> 32) & 0xFFFFFFFF in _ISATAP
