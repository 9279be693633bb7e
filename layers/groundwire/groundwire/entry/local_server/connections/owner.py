"""Owner of a connection, which the protocol creates and the application changes."""

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from groundwire.domain.keys.fairness.parties import Party

OWNER: Final = "owner"
"""Name of the owner in the state of an ASGI scope."""


class ConnectionOwner:
    """Party to which a connection counts: that of its last authorized call, before one its address."""

    __slots__ = ("party",)

    def __init__(self, party: "Party") -> None:
        self.party = party
