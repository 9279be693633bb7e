"""Errors of calls out of the server, as the domain has them."""

from groundwire.domain.errors import Unavailable
from groundwire_egress.messages import EgressError, EgressRefused


def as_unavailable(error: EgressError) -> Unavailable:
    """Return the error of the domain; a host that the operator can allow has the remedy for it."""
    is_allowable = isinstance(error, EgressRefused) and error.is_allowable
    return Unavailable(str(error), remedy="allow_host" if is_allowable else None)
