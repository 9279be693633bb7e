"""Rights of a key over documents and keys: which it may manage or see, and which policies it may assign.

Managing needs `admin` or `ingest`, as the table of routes requires. Beyond that, a key without `share` manages only
documents that its own principal may read, and assigns only policies within its own rights. It can neither make a
document readable for itself nor show one to further readers. A key with `share` could do both anyway, so it has no such
limit.
"""

from groundwire.domain.access.policy import Policy, Principal, Readers, decide
from groundwire.domain.access.scopes import Scope, missing_scope
from groundwire.domain.keys.api_key import ApiKey
from groundwire.domain.keys.caller import Caller
from groundwire.domain.keys.grants import ALL_COLLECTIONS, CollectionGrant


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


def is_same_person(caller: Caller, key: str, user: str) -> bool:
    """Return whether the caller is who acted earlier, with this key, for this user.

    A user is the same with each of its keys. Whom a key without a user acted for is unknown, so then only calls of that
    key without a user are the same.

    Args:
        caller: of the present call.
        key: id of the key; empty where there was none, which is nobody's.
        user: user behind the key; empty where there was none.
    """
    # The name of an operator is one of the operating system: a user of the tenant with it is somebody else.
    if not key:
        return False
    return caller.principal.user == user if user else (caller.principal.user is None and caller.kid == key)


def may_manage(caller: Caller, collection: str, readers: Readers) -> bool:
    """Return whether the caller may manage a document of this collection with these readers."""
    if not caller.allows_collection(collection):
        return False
    return missing_scope(caller.scopes, Scope.SHARE) is None or bool(decide(caller.principal, readers))


def may_see_key(caller: Caller, key: ApiKey) -> bool:
    """Return whether the key reaches no further than the caller; others would disclose collections, tags and names."""
    return is_within_collections(caller, key.collections) and is_within_dialects(caller, key.options.dialects)


def is_within_collections(caller: Caller, requested: CollectionGrant) -> bool:
    """Return whether the collections are within the caller's.

    An administrator of some collections can thus neither access others through another key nor revoke others' keys.
    """
    return caller.collections == ALL_COLLECTIONS or (requested != ALL_COLLECTIONS and requested <= caller.collections)


def is_within_dialects(caller: Caller, requested: frozenset[str] | None) -> bool:
    """Return whether the caller may use all of these dialects; None: every one."""
    own = caller.options.dialects
    return own is None or (requested is not None and requested <= own)


def is_within_originals(caller: Caller, *, gives_originals: bool) -> bool:
    """Return whether the caller may give somebody original files: whoever gets none could otherwise get them by it."""
    return not (gives_originals and caller.options.no_originals)


def is_within_search_as(caller: Caller, *, may_search_as: bool) -> bool:
    """Return whether the caller may give somebody searches as another person: only what it may do itself."""
    return caller.options.may_search_as or not may_search_as


def is_bounded(caller: Caller) -> bool:
    """Return whether some key of the tenant could be beyond the caller's bounds."""
    return caller.collections != ALL_COLLECTIONS or caller.options.dialects is not None
