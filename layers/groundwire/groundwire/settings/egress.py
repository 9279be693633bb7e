"""Settings of calls out of the server: hosts that may be called beside public ones, and further certificates."""

from typing import Final, NamedTuple


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
