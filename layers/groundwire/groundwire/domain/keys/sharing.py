"""What a key may do to documents: manage those that are its business, and give them readers.

Managing needs `admin` or `ingest`, as the table of routes says. Beyond it, a key without `share` manages what its own
principal may read, and gives readers within its own rights only: it can neither open a document to itself nor
show one to somebody beyond. A key with `share` could do both anyway, so nothing is kept from it.
"""

from groundwire.domain.access.policy import Policy, Principal, decide
from groundwire.domain.access.scopes import Scope, missing_scope
from groundwire.domain.keys.caller import Caller


def is_within_own_rights(principal: Principal, policy: Policy) -> bool:
    """Whether the policy names nobody but the principal, and no tag but its own.

    Then every reader is the principal's user or holds one of its tags; an empty policy admits nobody and is within.
    """
    own = frozenset[str]() if principal.user is None else frozenset({principal.user})
    return not policy.public and policy.users <= own and policy.any_tags | policy.all_tags <= principal.tags


def may_assign_policy(caller: Caller, policy: Policy) -> bool:
    """Whether the caller may put a document of its own under the policy."""
    return missing_scope(caller.scopes, Scope.SHARE) is None or is_within_own_rights(caller.principal, policy)


def may_manage(caller: Caller, collection: str, policy: Policy) -> bool:
    """Whether a document of this collection, under this policy, is the caller's business at all."""
    if not caller.allows_collection(collection):
        return False
    return missing_scope(caller.scopes, Scope.SHARE) is None or bool(decide(caller.principal, policy))
