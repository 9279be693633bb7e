"""Part of a tenant's tags that a caller may see."""

from typing import TYPE_CHECKING, NamedTuple

from groundwire.domain.access.scopes import Scope, missing_scope
from groundwire.domain.documents.changes.access import may_manage_document
from groundwire.domain.keys.grants import ALL_COLLECTIONS
from groundwire.domain.keys.sharing import may_see_key

if TYPE_CHECKING:
    from collections.abc import Callable

    from groundwire.domain.documents.record import Document
    from groundwire.domain.keys.api_key import ApiKey
    from groundwire.domain.keys.caller import Caller


class TagView(NamedTuple):
    """Limits within which tags are read; nothing beyond them changes an answer.

    Attributes:
        own: tags of the caller.
        sees_keys: some keys may be within the limits.
        sees_document, sees_key: whether a record is within the limits.
        sees_tenant: users, groups and MCP sources are, which apply to every collection.
    """

    tenant: str
    own: frozenset[str]
    sees_keys: bool
    sees_document: "Callable[[Document], bool]"
    sees_key: "Callable[[ApiKey], bool]"
    sees_tenant: bool


def operator_view(tenant: str) -> TagView:
    """Return the limits of the operator, who sees the whole tenant."""
    return TagView(tenant, frozenset(), sees_keys=True, sees_document=_each, sees_key=_each, sees_tenant=True)


def caller_view(caller: "Caller") -> TagView:
    """Return the limits of a key: documents that it manages, and as an administrator keys within its own bounds."""
    is_admin = missing_scope(caller.scopes, Scope.ADMIN) is None
    sees_all = is_admin and caller.collections == ALL_COLLECTIONS

    def sees_document(document: "Document") -> bool:
        return may_manage_document(caller, document)

    def sees_key(key: "ApiKey") -> bool:
        return may_see_key(caller, key)

    return TagView(caller.principal.tenant, caller.principal.tags, is_admin, sees_document, sees_key, sees_all)


def _each(_record: object) -> bool:
    return True
