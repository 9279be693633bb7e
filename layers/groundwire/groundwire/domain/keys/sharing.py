"""Rights of a key over documents: which it may manage, and which policies it may assign.

Managing needs `admin` or `ingest`, as the table of routes requires. Beyond that, a key without `share` manages only
documents that its own principal may read, and assigns only policies within its own rights. It can neither make a
document readable for itself nor show one to further readers. A key with `share` could do both anyway, so it has no such
limit.
"""

from groundwire.domain.access.policy import Policy, Principal, Readers, decide
from groundwire.domain.access.scopes import Scope, missing_scope
from groundwire.domain.keys.caller import Caller


def is_within_own_rights(principal: Principal, policy: Policy) -> bool:
    """Return whether the policy names nobody but the principal, and only tags that the principal has.

    Then each reader is the principal's user or has one of its tags. An empty policy admits nobody and is within the
    rights.
    """
    own = frozenset[str]() if principal.user is None else frozenset({principal.user})
    return not policy.public and policy.users <= own and policy.any_tags | policy.all_tags <= principal.tags


def may_assign_policy(caller: Caller, policy: Policy) -> bool:
    """Return whether the caller may give a document of its own this policy."""
    return missing_scope(caller.scopes, Scope.SHARE) is None or is_within_own_rights(caller.principal, policy)


def may_decide(caller: Caller, collection: str) -> bool:
    """Return whether the caller may decide lastingly who reads the documents of this collection."""
    return caller.allows_collection(collection) and missing_scope(caller.scopes, Scope.SHARE) is None


def may_manage(caller: Caller, collection: str, readers: Readers) -> bool:
    """Return whether the caller may manage a document of this collection with these readers."""
    if not caller.allows_collection(collection):
        return False
    return missing_scope(caller.scopes, Scope.SHARE) is None or bool(decide(caller.principal, readers))
