"""The audit log that an administrator may read."""

from typing import TYPE_CHECKING, Final

from groundwire.domain.errors import Forbidden, NotFound
from groundwire.domain.keys.sharing import is_bounded

if TYPE_CHECKING:
    from groundwire.entry.rest.middleware.context import RestContext
    from groundwire.ports import AuditTrail

_BOUNDED: Final = (
    "The audit log names documents, users and keys of the whole tenant, so this needs a key for all collections and "
    "all dialects."
)
_NOT_HERE: Final = (
    "This deployment writes its audit log to a log group that its functions may not read. Its operator reads it with "
    "CloudWatch Logs Insights."
)


def readable_trail(context: "RestContext") -> "AuditTrail":
    """Return the lines of the log.

    Raises:
        Forbidden: the key has bounds. NotFound: this process may not read the log.
    """
    # Before anything is read, so that no log changes this answer.
    if is_bounded(context.caller):
        raise Forbidden(_BOUNDED)
    trail = context.services.installation.audit_trail
    if trail is None:
        raise NotFound(_NOT_HERE)
    return trail
