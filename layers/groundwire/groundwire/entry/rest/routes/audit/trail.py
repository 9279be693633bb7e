"""The audit log that an administrator may read."""

from typing import TYPE_CHECKING, Final

from groundwire.domain.errors import Forbidden
from groundwire.domain.keys.sharing import is_bounded

if TYPE_CHECKING:
    from groundwire.entry.rest.middleware.context import RestContext
    from groundwire.ports import AuditTrail

_BOUNDED: Final = (
    "The audit log names documents, users and keys of the whole tenant, so this needs a key for all collections and "
    "all dialects."
)


def readable_trail(context: "RestContext") -> "AuditTrail":
    """Return the lines of the log.

    Raises:
        Forbidden: the key has bounds.
    """
    # Before anything is read, so that no log changes this answer.
    if is_bounded(context.caller):
        raise Forbidden(_BOUNDED)
    return context.services.installation.audit_trail
