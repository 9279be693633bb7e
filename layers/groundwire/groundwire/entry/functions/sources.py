"""Sources function: calls the MCP servers of other systems, with the credential that its caller opened.

It has rights to the states of sources alone: no document, key or secret of the installation is within its reach.
"""

from typing import TYPE_CHECKING

from groundwire import wiring
from groundwire.domain.errors import LimitExceeded, Unavailable
from groundwire.domain.sources.messages import encode_error, encode_result, parse_invocation
from groundwire.ports.deadline import time_limit

if TYPE_CHECKING:
    from collections.abc import Callable

    from groundwire.ports.sources import SourceGateway


class SourcesHandler:
    """Handler of the events that `domain.sources.messages` defines; it logs none of them, as they hold credentials."""

    def __init__(self, load: "Callable[[], SourceGateway]") -> None:
        """Take a function that returns the gateway of this process."""
        self._load = load

    def __call__(self, event: object, _context: object) -> str:
        """Return the response: listing, answer, or why it is missing.

        Raises:
            InvalidInput: the event is malformed, or a setting is invalid.
        """
        invocation = parse_invocation(event)
        gateway = self._load()
        try:
            with time_limit(invocation.seconds):
                if invocation.call is None or invocation.caller is None:
                    return encode_result(gateway.inspect(invocation.target))
                return encode_result(gateway.call(invocation.target, invocation.call, invocation.caller))
        # As a response, because Lambda passes on the type and text of a raised error, and not its delay.
        except (LimitExceeded, Unavailable) as error:
            return encode_error(error)


def _load_gateway() -> "SourceGateway":
    """Return the gateway that calls sources from this process: the template names no other function to this one."""
    return wiring.source_services().gateway


handler = SourcesHandler(_load_gateway)
"""The Lambda entry point."""
