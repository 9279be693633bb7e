"""Sealed cursors of lists, each bound to tenant, key, user, tags and one list."""

from typing import TYPE_CHECKING, Final

from groundwire.domain.documents.ids import MAX_ID_CHARACTERS
from groundwire.domain.errors import InvalidInput
from groundwire_mcp.continuation import ContinuationForm, UnknownContinuation

if TYPE_CHECKING:
    from groundwire.entry.rest.middleware.context import RestContext
    from groundwire_mcp.continuation import Binding

_CURSOR: Final = ContinuationForm(purpose="v1-cursor", lifetime_seconds=None, member_names=None, least_bytes=0)
"""Form of a cursor.

It does not expire: a client may take days for a long list, and the rights are checked at each page.
"""


def next_cursor(context: "RestContext", list_name: str, position: str) -> str:
    """Return the cursor for the page after `position`, an id, of this list.

    All cursors of a list have the same length: the position may be the id of a closed document.
    """
    services = context.services
    padded = position.ljust(MAX_ID_CHARACTERS)
    return _CURSOR.seal(services.stores.seal, services.clock(), _binding(context, list_name), padded)


def position_of(context: "RestContext", list_name: str, cursor: str | None) -> str | None:
    """Return the position after which the cursor's page begins; None without a cursor.

    Raises:
        InvalidInput: the cursor is malformed, or of another list or caller.
    """
    if cursor is None:
        return None
    services = context.services
    try:
        position = _CURSOR.open(services.stores.seal, services.clock(), _binding(context, list_name), cursor)
    except UnknownContinuation:
        raise InvalidInput("Unknown cursor in `after`: request the first page without one.") from None
    return None if position is None else position.rstrip()


def _binding(context: "RestContext", list_name: str) -> "Binding":
    principal = context.caller.principal
    return [principal.tenant, context.caller.kid, principal.user, sorted(principal.tags), list_name]
