"""Settings of calls out of the server: hosts that may be called beside public ones, and further certificates."""

import re
from collections.abc import Mapping
from typing import Final, NamedTuple

from groundwire.domain.errors import InvalidInput

_HOST_AND_PORT: Final = re.compile(
    r"(?:\[([0-9a-f:.]{2,45})\]|([a-z0-9_](?:[a-z0-9_.-]{0,251}[a-z0-9_])?)):([1-9]\d{0,4})"
)
_MAX_PORT: Final = 65_535


class EgressSettings(NamedTuple):
    """Rules of the operator for calls out of the server.

    Attributes:
        allowed: hosts with a port that may be private, or have another port than 443; for the services that the
            operator configures, and for models that tenants define.
        source_hosts: such hosts for MCP sources, which a tenant's administrator registers.
        ca_file: file of certificates that count beside those of the system; None: no others.
    """

    allowed: frozenset[tuple[str, int]]
    ca_file: str | None
    source_hosts: frozenset[tuple[str, int]] = frozenset()


PUBLIC_HOSTS_ONLY: Final = EgressSettings(frozenset(), None)
"""Rules of an operator who set none."""


def parse_egress(given: Mapping[str, str]) -> EgressSettings:
    """Parse the settings.

    Raises:
        InvalidInput: an entry is no host with a port.
    """
    return EgressSettings(
        allowed=_hosts(given, "EGRESS_ALLOW"),
        ca_file=given.get("EGRESS_CA") or None,
        source_hosts=_hosts(given, "SOURCE_HOSTS"),
    )


def _hosts(given: Mapping[str, str], name: str) -> frozenset[tuple[str, int]]:
    return frozenset(_host_and_port(text, name) for text in given.get(name, "").split())


def _host_and_port(text: str, name: str) -> tuple[str, int]:
    match = _HOST_AND_PORT.fullmatch(text)
    if match is None or int(match[3]) > _MAX_PORT:
        raise InvalidInput(
            f"GROUNDWIRE_{name} must hold hosts with a port, in lower case and with blanks between them, such as "
            f"models.example.com:8443, not {text!r}."
        )
    return match[1] or match[2], int(match[3])
