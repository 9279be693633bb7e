"""Part of a tenant's records that an explanation may use; nothing beyond it changes an answer."""

from typing import TYPE_CHECKING, NamedTuple

from groundwire.domain.access.scopes import Scope, missing_scope
from groundwire.domain.documents.changes.access import may_manage_document
from groundwire.domain.documents.record import TOMBSTONE_STATES, Document
from groundwire.domain.keys.grants import ALL_COLLECTIONS
from groundwire.domain.keys.sharing import is_bounded, may_see_key

if TYPE_CHECKING:
    from collections.abc import Callable

    from groundwire.domain.keys.api_key import ApiKey
    from groundwire.domain.keys.caller import Caller


class AccessView(NamedTuple):
    """Limits within which questions about access are answered.

    Attributes:
        sees_document, sees_key: whether a record is within the limits.
        sees_entries: stored tags of users and mapped groups are, which apply to the whole tenant.
        sees_blocks: blocks of users are.
    """

    tenant: str
    sees_document: "Callable[[Document], bool]"
    sees_key: "Callable[[ApiKey], bool]"
    sees_entries: bool
    sees_blocks: bool

    def finds(self, document: Document | None) -> bool:
        """Return whether the document exists within the limits: a tombstone does not."""
        return document is not None and document.state not in TOMBSTONE_STATES and self.sees_document(document)


def operator_access(tenant: str) -> AccessView:
    """Return the limits of the operator, who sees the whole tenant."""
    return AccessView(tenant, _each, _each, sees_entries=True, sees_blocks=True)


def caller_access(caller: "Caller") -> AccessView:
    """Return the limits of an administrator's key: documents that it manages, and keys within its own bounds."""
    is_admin = missing_scope(caller.scopes, Scope.ADMIN) is None

    def sees_document(document: Document) -> bool:
        return is_admin and may_manage_document(caller, document)

    def sees_key(key: "ApiKey") -> bool:
        return is_admin and may_see_key(caller, key)

    return AccessView(
        caller.principal.tenant,
        sees_document,
        sees_key,
        sees_entries=is_admin and not is_bounded(caller),
        sees_blocks=is_admin and caller.collections == ALL_COLLECTIONS,
    )


def _each(_record: object) -> bool:
    return True
